"""The implications that a temporal formula makes of all runs. Nothing is recursive."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from stateglass.check.duties import short
from stateglass.logic import temporal as t
from stateglass.logic.notation import formula_text

Place = tuple[t.Formula, bool, t.Formula]  # a part, whether it stands there unnegated, the combination it stands in


def conditions(formula: t.Formula) -> Iterator[tuple[t.Implies, t.Formula]]:
    """The implications that every run must satisfy, outermost first, each with the Boolean combination it stands in.

    An implication counts if the claim needs it: no other part, run or time would do in its place. So none is under F, E
    or a disjunction, and of an implication only the right side is searched. One whose right side is false is left out.
    """
    met: set[tuple[int, bool, int]] = set()
    work: deque[Place] = deque([(formula, True, formula)])
    while work:
        top, sign, combination = work.popleft()
        if (id(top), sign, id(combination)) in met:
            continue
        met.add((id(top), sign, id(combination)))
        if isinstance(top, t.Implies) and sign:
            is_false = isinstance(top.right, t.Constant) and not top.right.value
            if not is_false:
                yield top, combination
        work += _demanded(top, sign, combination)


def vacuous_words(formula: t.Formula, implication: t.Implies) -> str:
    """A sentence: the left side of an implication never comes true, and that is all, or a part, of the claim."""
    left = f"`{short(formula_text(implication.left))}` never comes true."
    part = formula
    while part is not implication and len(t.parts(part)) == 1:
        (part,) = t.parts(part)
    return holds_because(left, of_all=part is implication)


def holds_because(why: str, *, of_all: bool) -> str:
    """A sentence on why a claim holds, as a whole or in a part."""
    return f"The claim holds only because {why}" if of_all else f"The claim holds, but a part of it only because {why}"


def _demanded(formula: t.Formula, sign: bool, combination: t.Formula) -> list[Place]:
    """The parts that must all be true, or false by their sign, for the formula to be."""
    match formula, sign:
        case t.Not(), _:
            return [(formula.inner, not sign, combination)]
        case (t.And(), True) | (t.Or(), False):
            return [(part, sign, combination) for part in t.parts(formula)]
        case t.Implies(), True:
            return [(formula.right, True, combination)]
        case t.Implies(), False:
            return [(formula.left, True, combination), (formula.right, False, combination)]
        case (t.Next(), _) | (t.Always(), True) | (t.Eventually(), False):
            return [(part, sign, part) for part in t.parts(formula)]
        case (t.Release(right=right), True) | (t.Until(right=right), False):
            return [(right, sign, right)]
        case t.Quantified(), _ if formula.on_all is sign:
            return [(formula.path, sign, formula.path)]
        case _:
            return []
