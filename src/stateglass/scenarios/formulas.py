"""The formula that says a relation holds, for people to read: with `A` where a run would refute it."""

from __future__ import annotations

from typing import assert_never

from stateglass.logic.joining import all_of, and_of, any_of, implies_of, not_of
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.logic.unrolling import parts_first
from stateglass.scenarios.meaning import Question


def claimed(question: Question) -> Formula:
    """What holds of the model if the relation does."""
    return opposite(question.shown) if question.refutes else question.shown


def opposite(formula: Formula) -> Formula:
    """The negation of an existential formula, with `A` in place of `E` and implications where they read well."""
    match formula:
        case Constant() | Holds() | Happens() | Turns() | Not():
            return not_of(formula)
        case And():
            return _refused(_conjuncts(formula))
        case Or() if not _is_temporal(formula):
            return not_of(formula)
        case Or(left, right):
            return and_of(opposite(left), opposite(right))
        case Quantified(on_all=False, path=path):
            return Quantified(True, _on_all(path))
        case Implies() | Iff() | Quantified() | Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
            raise AssertionError("no relation is said by such a formula")
        case _:
            assert_never(formula)


def _on_all(path: Formula) -> Formula:
    match path:
        case Next(inner):
            return Next(opposite(inner))
        case Eventually(inner):
            return Always(opposite(inner))
        case Always(inner):
            return Eventually(opposite(inner))
        case Until(left, right):
            return Release(opposite(left), opposite(right))
        case _:
            raise AssertionError("no relation is said by such a formula")


def _refused(conjuncts: list[Formula]) -> Formula:
    """That not all of these hold together: what is seen at once implies that the rest fails."""
    positive = [c for c in conjuncts if not isinstance(c, Not) and not _is_temporal(c)]
    others = [c for c in conjuncts if c not in positive]
    if not positive or not others:
        return any_of(map(opposite, conjuncts))
    return implies_of(all_of(positive), any_of(map(opposite, others)))


def _conjuncts(formula: Formula) -> list[Formula]:
    found: list[Formula] = []
    work = [formula]
    while work:
        part = work.pop()
        if isinstance(part, And):
            work += (part.right, part.left)
        else:
            found.append(part)
    return found


def _is_temporal(formula: Formula) -> bool:
    return any(isinstance(part, Quantified) for part in parts_first(formula, parts))
