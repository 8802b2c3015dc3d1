"""Formulas in the syntax of mCRL2's modal mu-calculus.

A label that mCRL2 would not read as an action stands in quotes. State predicates, which mCRL2's transition systems do
not have, are written `val(…)`.
"""

from __future__ import annotations

import re
from typing import assert_never

from stateglass.logic.modal import (
    And,
    Constant,
    Do,
    Ended,
    Equals,
    Forever,
    Formula,
    Necessary,
    Not,
    Omitted,
    Or,
    Piece,
    Possible,
    Reaching,
    Silently,
)

_KEYWORDS = re.compile(
    "act|allow|block|comm|cons|delay|delta|div|end|eqn|exists|false|forall|glob|hide|if|in|init|lambda|map|mod|mu|nil|nu"
    "|pbes|proc|rename|sort|struct|sum|tau|true|val|var|whr|yaled"
)
_WORD = r"[A-Za-z_][A-Za-z_0-9']*"
_ARGUMENT = rf"(?:{_WORD}|-?[0-9]+)"
_ACTION = re.compile(rf"({_WORD})(?:\({_ARGUMENT}(?:, {_ARGUMENT})*\))?")

# How tightly an operator binds: what binds less tightly than its surroundings needs parentheses.
_FIXED_POINT, _OR, _AND, _PREFIX = range(4)


def in_mcrl2(formula: Formula) -> str:
    """The formula as text; a quantified variable is `X`, within another one `X1`, and so on."""
    return _text(formula, _FIXED_POINT, 0)


def _text(formula: Formula, around: int, depth: int) -> str:
    match formula:
        case Constant():
            return "true" if formula.value else "false"
        case Ended():
            return "val(terminal)"
        case Equals():
            return f"val({_name(formula.proposition)} == {_name(formula.text)})"
        case Omitted():
            return "…"
        case Not():
            return "!" + _text(formula.inner, _PREFIX, depth)
        case And():
            text = " && ".join(_text(part, _PREFIX, depth) for part in formula.inner)
            return _wrapped(text, _AND, around)
        case Or():
            text = " || ".join(_text(part, _AND, depth) for part in formula.inner)
            return _wrapped(text, _OR, around)
        case Possible():
            return f"<{_path(formula.path)}>" + _text(formula.inner, _PREFIX, depth)
        case Necessary():
            return f"[{_path(formula.path)}]" + _text(formula.inner, _PREFIX, depth)
        case Reaching():
            variable = _variable(depth)
            through = _text(formula.through, _PREFIX, depth + 1)
            inner = _text(formula.inner, _AND, depth + 1)
            return _wrapped(f"mu {variable}.({through} && ({inner} || <tau>{variable}))", _FIXED_POINT, around)
        case Forever():
            variable = _variable(depth)
            if formula.through == Constant(True):
                return _wrapped(f"nu {variable}.<tau>{variable}", _FIXED_POINT, around)
            through = _text(formula.through, _PREFIX, depth + 1)
            return _wrapped(f"nu {variable}.({through} && <tau>{variable})", _FIXED_POINT, around)
        case _:
            assert_never(formula)


def _wrapped(text: str, own: int, around: int) -> str:
    return f"({text})" if own < around else text


def _variable(depth: int) -> str:
    return f"X{depth}" if depth else "X"


def _path(path: tuple[Piece, ...]) -> str:
    return ".".join("tau*" if isinstance(piece, Silently) else _do(piece) for piece in path)


def _do(piece: Do) -> str:
    return label_text(piece.label)


def label_text(label: str) -> str:
    """A label as it stands in a formula: as an action of mCRL2 if it is one (`tau` is), else in quotes."""
    match = _ACTION.fullmatch(label)
    if label == "tau" or (match is not None and not _KEYWORDS.fullmatch(match[1])):
        return label
    return _quoted(label)


def _name(text: str) -> str:
    return text if re.fullmatch(rf"{_WORD}|-?[0-9]+", text) else _quoted(text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
