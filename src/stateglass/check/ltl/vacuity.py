"""Whether a formula holds only because the left side of an implication never comes true.

The right side is replaced by false: if the formula holds all the same, it never matters (Beer, Ben-David, Eisner,
Rodeh: Efficient detection of vacuity in ACTL formulas, 1997). Nothing here is recursive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, assert_never

from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.violations import Search
from stateglass.logic import temporal as t

_MOST: Final = 16
"""So many implications are looked at, outermost first."""


def idle_condition(formula: t.Formula, search: Search) -> t.Formula | None:
    """The left side of an implication that never comes true, for a formula that holds; the outermost one."""
    for number, implication in enumerate(_implications(formula)):
        if number == _MOST:
            break
        try:
            if not search.is_violated(_replaced(formula, implication, t.Not(implication.left))):
                return implication.left
        except TooLargeError:
            continue
    return None


def _implications(formula: t.Formula) -> Iterator[t.Implies]:
    """Those that make the formula true where they are true, and say something on their right."""
    signs: dict[int, set[bool]] = {}
    order: list[t.Implies] = []
    work: deque[tuple[t.Formula, bool]] = deque([(formula, True)])
    while work:
        top, sign = work.popleft()
        known = signs.setdefault(id(top), set())
        if sign in known:
            continue
        if isinstance(top, t.Implies) and not known:
            order.append(top)
        known.add(sign)
        work += _signed(top, sign)
    for implication in order:
        is_false = isinstance(implication.right, t.Constant) and not implication.right.value
        if signs[id(implication)] == {True} and not is_false:
            yield implication


def _signed(formula: t.Formula, sign: bool) -> list[tuple[t.Formula, bool]]:
    match formula:
        case t.Not():
            return [(formula.inner, not sign)]
        case t.Implies():
            return [(formula.left, not sign), (formula.right, sign)]
        case t.Iff():
            return [(part, s) for part in t.parts(formula) for s in (True, False)]
        case _:
            return [(part, sign) for part in t.parts(formula)]


def _replaced(formula: t.Formula, old: t.Formula, new: t.Formula) -> t.Formula:
    """The formula with another one in place of a part; what does not contain the part stays the same object."""
    done: dict[int, t.Formula] = {id(old): new}
    work = [formula]
    while work:
        top = work[-1]
        if id(top) in done:
            work.pop()
            continue
        parts = t.parts(top)
        missing = [part for part in parts if id(part) not in done]
        if missing:
            work += missing
            continue
        inner = [done[id(part)] for part in parts]
        same = all(one is other for one, other in zip(parts, inner, strict=True))
        done[id(top)] = top if same else _rebuilt(top, inner)
    return done[id(formula)]


def _rebuilt(formula: t.Formula, parts: list[t.Formula]) -> t.Formula:
    match formula:
        case t.Not() | t.Next() | t.Eventually() | t.Always():
            return replace(formula, inner=parts[0])
        case t.And() | t.Or() | t.Implies() | t.Iff() | t.Until() | t.WeakUntil() | t.Release():
            return replace(formula, left=parts[0], right=parts[1])
        case t.Quantified():
            return replace(formula, path=parts[0])
        case t.Constant() | t.Holds() | t.Happens():
            return formula
        case _:
            assert_never(formula)
