"""Temporal formulas as text that reads back as the same formula."""

from __future__ import annotations

import re
from typing import Final, assert_never

from stateglass.logic.expressions import predicate_text, quoted
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
)
from stateglass.logic.unrolling import Writing, grouped, written

_PART: Final = r"[\w*?$]+"
_PLAIN_EVENT: Final = re.compile(
    rf"[\^~]?(?:::)?(?!\d){_PART}(?:(?:\.|::)\^?{_PART}|\[[\d*?]+\])*(?:\([^\s,()\"'`\[\]]*(?:, [^\s,()\"'`\[\]]+)*\))?"
)
_KEYWORDS: Final = re.compile(r"(?:[AE][XFG]|[XFGUWRAE]|true|false)(?:[(\[].*)?", re.DOTALL)

_IFF, _IMPLIES, _OR, _AND, _BINARY, _UNARY = range(6)


def formula_text(formula: Formula) -> str:
    """The formula with the parentheses that it needs."""
    return written(_text(formula, _IFF))


def event_name(pattern: str) -> str:
    """An event as it stands in a formula: in quotes if it could be taken for something else."""
    plain = _PLAIN_EVENT.fullmatch(pattern) and not _KEYWORDS.fullmatch(pattern)
    return pattern if plain else quoted(pattern)


def _text(formula: Formula, around: int) -> Writing:
    match formula:
        case Constant():
            yield "true" if formula.value else "false"
        case Holds():
            yield f"[{predicate_text(formula.predicate)}]"
        case Happens():
            yield event_name(formula.pattern)
        case Turns():
            yield f"{formula.turn.value}([{predicate_text(formula.predicate)}])"
        case Not():
            yield "!"
            yield _text(formula.inner, _UNARY)
        case Next():
            yield "X "
            yield _text(formula.inner, _UNARY)
        case Eventually():
            yield f"F{_bound(formula.within)} "
            yield _text(formula.inner, _UNARY)
        case Always():
            yield f"G{_bound(formula.within)} "
            yield _text(formula.inner, _UNARY)
        case Quantified(path=Next() | Eventually() | Always() as path):
            yield "A" if formula.on_all else "E"
            yield _text(path, _UNARY)
        case Quantified():
            yield "A[" if formula.on_all else "E["
            yield _path(formula.path)
            yield "]"
        case Iff():
            yield grouped(_two(formula, "<=>", _IMPLIES, _IFF), _IFF < around)
        case Implies():
            yield grouped(_two(formula, "=>", _OR, _IMPLIES), _IMPLIES < around)
        case Or():
            yield grouped(_two(formula, "|", _OR, _AND), _OR < around)
        case And():
            yield grouped(_two(formula, "&", _AND, _BINARY), _AND < around)
        case Until() | WeakUntil() | Release():
            yield grouped(_two(formula, _word(formula), _UNARY, _BINARY), _BINARY < around)
        case _:
            assert_never(formula)


def _path(formula: Formula) -> Writing:
    """What stands in the brackets behind A or E."""
    match formula:
        case Until() | WeakUntil() | Release():
            yield _two(formula, _word(formula), _UNARY, _UNARY)
        case _:
            yield _text(formula, _IFF)


def _two(
    formula: Iff | Implies | Or | And | Until | WeakUntil | Release, operator: str, left: int, right: int
) -> Writing:
    yield _text(formula.left, left)
    yield f" {operator} "
    yield _text(formula.right, right)


def _word(formula: Until | WeakUntil | Release) -> str:
    match formula:
        case Until():
            return f"U{_bound(formula.within)}"
        case WeakUntil():
            return "W"
        case Release():
            return "R"
        case _:
            assert_never(formula)


def _bound(within: int | None) -> str:
    return "" if within is None else f"<={within}"
