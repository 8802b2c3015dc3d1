"""Parts of modal formulas that verdicts ask about: conditions, and whether only ways matter, not numbers of steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from stateglass.check.labels import labels_of
from stateglass.logic.modal import (
    FALSE,
    And,
    Constant,
    Ended,
    Equals,
    FixedPoint,
    Forever,
    Formula,
    Holds,
    Implies,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
    Variable,
    parts,
)
from stateglass.logic.steps import Action, AndStep, AnyStep, Do, Like, NotStep, OrStep, Repeated, Silently
from stateglass.model import TAU, Model


def antecedents(formula: Formula) -> Iterator[Implies | Necessary]:
    """Where something is said of what comes after a condition or a way, outermost first.

    Only where the formula is the truer the truer the part is, and the part says something more than that the condition
    or way does not occur; what a fixed point is about again and again is left out.
    """
    signs: dict[int, set[bool]] = {}
    order: list[Implies | Necessary] = []
    work: deque[tuple[Formula, bool]] = deque([(formula, True)])
    while work:
        top, sign = work.popleft()
        known = signs.setdefault(id(top), set())
        if sign in known:
            continue
        if isinstance(top, Implies | Necessary) and not known:
            order.append(top)
        known.add(sign)
        match top:
            case Not():
                work.append((top.inner, not sign))
            case Implies():
                work += [(top.left, not sign), (top.right, sign)]
            case _:
                work += [(part, sign) for part in parts(top)]
    bound = _with_variables(formula)
    for part in order:
        after = part.right if isinstance(part, Implies) else part.inner
        if signs[id(part)] == {True} and after != FALSE and not bound[id(part)]:
            yield part


def with_false_after(formula: Formula, part: Implies | Necessary) -> Formula:
    """The formula with false in place of what follows a condition or a way."""
    new: Formula = Not(part.left) if isinstance(part, Implies) else Necessary(part.path, FALSE)
    done: dict[int, Formula] = {id(part): new}
    work = [formula]
    while work:
        top = work[-1]
        inside = parts(top)
        missing = [p for p in inside if id(p) not in done]
        if id(top) in done or not missing:
            work.pop()
            if id(top) not in done:
                done[id(top)] = _rebuilt(top, [done[id(p)] for p in inside])
            continue
        work += missing
    return done[id(formula)]


def _rebuilt(formula: Formula, inner: list[Formula]) -> Formula:
    if all(one is other for one, other in zip(parts(formula), inner, strict=True)):
        return formula
    match formula:
        case Not():
            return Not(inner[0])
        case And():
            return And(tuple(inner))
        case Or():
            return Or(tuple(inner))
        case Implies():
            return Implies(inner[0], inner[1])
        case Possible():
            return Possible(formula.path, inner[0])
        case Necessary():
            return Necessary(formula.path, inner[0])
        case Reaching():
            return Reaching(inner[0], inner[1])
        case Forever():
            return Forever(inner[0])
        case FixedPoint():
            return FixedPoint(formula.least, formula.variable, inner[0])
        case Constant() | Ended() | Equals() | Holds() | Variable() | Omitted():
            return formula
        case _:
            assert_never(formula)


def _with_variables(formula: Formula) -> dict[int, bool]:
    """Which parts contain variables of fixed points."""
    found: dict[int, bool] = {}
    work: list[tuple[Formula, bool]] = [(formula, False)]
    while work:
        node, ready = work.pop()
        if ready:
            found[id(node)] = isinstance(node, Variable) or any(found[id(part)] for part in parts(node))
        elif id(node) not in found:
            found[id(node)] = False
            work.append((node, True))
            work += ((part, False) for part in parts(node))
    return found


def is_about_ways(formula: Formula, model: Model) -> bool:
    """Whether silent steps that change nothing make no difference; never wrongly true.

    So it is where each visible step may have any number of silent ones before it, as in `[true*.a]`.
    """
    work = [formula]
    while work:
        node = work.pop()
        match node:
            case Possible() | Necessary():
                free = False
                for piece in node.path:
                    match piece:
                        case Silently():
                            free = True
                        case Repeated(way=(single,)) if isinstance(single, _ACTIONS):
                            free = _is_silent(single, model) and not piece.at_least_once
                            if not free:
                                return False
                        case action if isinstance(action, _ACTIONS):
                            if not free or _is_silent(action, model):
                                return False
                            free = False
                        case _:
                            return False
            case FixedPoint() | Variable() | Forever() | Reaching():
                return False
            case _:
                pass
        work += parts(node)
    return True


_ACTIONS = (Do, Like, AnyStep, NotStep, AndStep, OrStep)


def _is_silent(action: Action, model: Model) -> bool:
    """Whether a silent step is such a step; the model may have none."""
    if TAU not in model.labels:
        model = replace(model, labels=(*model.labels, TAU))
    return bool(labels_of(action, model).may[model.labels.index(TAU)])
