"""The implications in a temporal formula, and what it becomes when one of them is replaced. Nothing is recursive."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from stateglass.logic import temporal as t


def conditions(formula: t.Formula) -> Iterator[t.Implies]:
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


def replaced(formula: t.Formula, old: t.Formula, new: t.Formula) -> t.Formula:
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
