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
    Until,
    WeakUntil,
)
from stateglass.logic.unrolling import Unrolled, unrolled

_PART: Final = r"[\w*?$]+"
_PLAIN_EVENT: Final = re.compile(
    rf"[\^~]?(?:::)?(?!\d){_PART}(?:(?:\.|::){_PART}|\[[\d*?]+\])*(?:\([^\s,()\"'`\[\]]*(?:, [^\s,()\"'`\[\]]+)*\))?"
)
_KEYWORDS: Final = re.compile(r"(?:[AE][XFG]|[XFGUWRAE]|true|false)(?:\(.*)?", re.DOTALL)

_IFF, _IMPLIES, _OR, _AND, _BINARY, _UNARY = range(6)


def formula_text(formula: Formula) -> str:
    """The formula with the parentheses that it needs."""
    return unrolled(_text(formula, _IFF))


def event_name(pattern: str) -> str:
    """An event as it stands in a formula: in quotes if it could be taken for something else."""
    plain = _PLAIN_EVENT.fullmatch(pattern) and not _KEYWORDS.fullmatch(pattern)
    return pattern if plain else quoted(pattern)


def _text(formula: Formula, around: int) -> Unrolled[str]:
    match formula:
        case Constant():
            return "true" if formula.value else "false"
        case Holds():
            return f"[{predicate_text(formula.predicate)}]"
        case Happens():
            return event_name(formula.pattern)
        case Not():
            return f"!{(yield _text(formula.inner, _UNARY))}"
        case Next():
            return f"X {(yield _text(formula.inner, _UNARY))}"
        case Eventually():
            return f"F{_bound(formula.within)} {(yield _text(formula.inner, _UNARY))}"
        case Always():
            return f"G{_bound(formula.within)} {(yield _text(formula.inner, _UNARY))}"
        case Quantified(path=Next() | Eventually() | Always() as path):
            return f"{'A' if formula.on_all else 'E'}{(yield _text(path, _UNARY))}"
        case Quantified():
            return f"{'A' if formula.on_all else 'E'}[{(yield _path(formula.path))}]"
        case Iff():
            return _wrapped((yield _two(formula, "<=>", _IMPLIES, _IFF)), _IFF, around)
        case Implies():
            return _wrapped((yield _two(formula, "=>", _OR, _IMPLIES)), _IMPLIES, around)
        case Or():
            return _wrapped((yield _two(formula, "|", _OR, _AND)), _OR, around)
        case And():
            return _wrapped((yield _two(formula, "&", _AND, _BINARY)), _AND, around)
        case Until():
            return _wrapped((yield _two(formula, f"U{_bound(formula.within)}", _UNARY, _BINARY)), _BINARY, around)
        case WeakUntil():
            return _wrapped((yield _two(formula, "W", _UNARY, _BINARY)), _BINARY, around)
        case Release():
            return _wrapped((yield _two(formula, "R", _UNARY, _BINARY)), _BINARY, around)
        case _:
            assert_never(formula)


def _path(formula: Formula) -> Unrolled[str]:
    """What stands in the brackets behind A or E; there, both sides go as far as the operator."""
    match formula:
        case Until() | WeakUntil() | Release():
            word = f"U{_bound(formula.within)}" if isinstance(formula, Until) else "W"
            text: str = yield _two(formula, "R" if isinstance(formula, Release) else word, _UNARY, _UNARY)
        case _:
            text = yield _text(formula, _IFF)
    return text


def _two(
    formula: Iff | Implies | Or | And | Until | WeakUntil | Release, operator: str, left: int, right: int
) -> Unrolled[str]:
    return f"{(yield _text(formula.left, left))} {operator} {(yield _text(formula.right, right))}"


def _bound(within: int | None) -> str:
    return "" if within is None else f"<={within}"


def _wrapped(text: str, own: int, around: int) -> str:
    return f"({text})" if own < around else text
