"""Formulas in the syntax of mCRL2's modal mu-calculus.

A label that mCRL2 would not read as an action stands in quotes. State predicates, which mCRL2's transition systems do
not have, are written `val(…)`.
"""

from __future__ import annotations

import re
from typing import assert_never

from stateglass.logic.expressions import predicate_text
from stateglass.logic.modal import (
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
)
from stateglass.logic.steps import AndStep, AnyStep, Choice, Do, Like, NotStep, OrStep, Piece, Repeated, Silently
from stateglass.logic.unrolling import Unrolled, each, unrolled

_KEYWORDS = re.compile(
    "act|allow|block|comm|cons|delay|delta|div|end|eqn|exists|false|forall|glob|hide|if|in|init|lambda|map|mod|mu|nil|nu"
    "|pbes|proc|rename|sort|struct|sum|tau|true|val|var|whr|yaled"
)
_WORD = r"[A-Za-z_][A-Za-z_0-9']*"
_ARGUMENT = rf"(?:{_WORD}|-?[0-9]+)"
_ACTION = re.compile(rf"({_WORD})(?:\({_ARGUMENT}(?:, {_ARGUMENT})*\))?")

# How tightly an operator binds: what binds less tightly than its surroundings needs parentheses.
_FIXED_POINT, _IMPLIES, _OR, _AND, _PREFIX = range(5)
_CHOICE, _SEQUENCE, _OR_STEP, _AND_STEP, _REPEATED, _NOT_STEP, _ATOM = range(7)


def in_mcrl2(formula: Formula) -> str:
    """The formula as text; the variable of a fixed point that has a name of its own is `X`, within another `X1`."""
    return unrolled(_text(formula, _FIXED_POINT, 0))


def _text(formula: Formula, around: int, depth: int) -> Unrolled[str]:
    match formula:
        case Constant():
            return "true" if formula.value else "false"
        case Ended():
            return "val(terminal)"
        case Equals():
            return f"val({_name(formula.proposition)} == {_name(formula.text)})"
        case Holds():
            return f"val({predicate_text(formula.predicate)})"
        case Variable():
            return formula.name
        case Omitted():
            return "…"
        case Not():
            return f"!{(yield _text(formula.inner, _PREFIX, depth))}"
        case And():
            text = " && ".join((yield each(_text(part, _PREFIX, depth) for part in formula.inner)))
            return _wrapped(text, _AND, around)
        case Or():
            text = " || ".join((yield each(_text(part, _AND, depth) for part in formula.inner)))
            return _wrapped(text, _OR, around)
        case Implies():
            left, right = yield each((_text(formula.left, _OR, depth), _text(formula.right, _IMPLIES, depth)))
            return _wrapped(f"{left} => {right}", _IMPLIES, around)
        case Possible():
            return f"<{path_text(formula.path)}>{(yield _text(formula.inner, _PREFIX, depth))}"
        case Necessary():
            return f"[{path_text(formula.path)}]{(yield _text(formula.inner, _PREFIX, depth))}"
        case Reaching():
            variable = _variable(depth)
            through = yield _text(formula.through, _PREFIX, depth + 1)
            inner = yield _text(formula.inner, _AND, depth + 1)
            return _wrapped(f"mu {variable}.({through} && ({inner} || <tau>{variable}))", _FIXED_POINT, around)
        case Forever():
            variable = _variable(depth)
            if formula.through == Constant(True):
                return _wrapped(f"nu {variable}.<tau>{variable}", _FIXED_POINT, around)
            through = yield _text(formula.through, _PREFIX, depth + 1)
            return _wrapped(f"nu {variable}.({through} && <tau>{variable})", _FIXED_POINT, around)
        case FixedPoint():
            inner = yield _text(formula.inner, _FIXED_POINT, depth)
            return _wrapped(f"{'mu' if formula.least else 'nu'} {formula.variable}. {inner}", _FIXED_POINT, around)
        case _:
            assert_never(formula)


def _wrapped(text: str, own: int, around: int) -> str:
    return f"({text})" if own < around else text


def _variable(depth: int) -> str:
    return f"X{depth}" if depth else "X"


def path_text(path: tuple[Piece, ...]) -> str:
    """The regular formula of a modality."""
    return unrolled(_path(path, _CHOICE))


def _path(path: tuple[Piece, ...], around: int) -> Unrolled[str]:
    if not path:
        return "nil"
    if len(path) == 1:
        text: str = yield _piece(path[0], around)
        return text
    return _wrapped(".".join((yield each(_piece(piece, _REPEATED) for piece in path))), _SEQUENCE, around)


def _piece(piece: Piece, around: int) -> Unrolled[str]:
    match piece:
        case Do():
            return label_text(piece.label)
        case Like():
            return piece.pattern
        case AnyStep():
            return "true" if piece.value else "false"
        case Silently():
            return _wrapped("tau*", _REPEATED, around)
        case NotStep():
            return f"!{(yield _piece(piece.inner, _NOT_STEP))}"
        case AndStep():
            text = " && ".join((yield each(_piece(part, _NOT_STEP) for part in piece.inner)))
            return _wrapped(text, _AND_STEP, around)
        case OrStep():
            text = " || ".join((yield each(_piece(part, _AND_STEP) for part in piece.inner)))
            return _wrapped(text, _OR_STEP, around)
        case Choice():
            text = " + ".join((yield each(_path(way, _SEQUENCE) for way in piece.ways)))
            return _wrapped(text, _CHOICE, around)
        case Repeated():
            text = (yield _path(piece.way, _ATOM)) + ("+" if piece.at_least_once else "*")
            return _wrapped(text, _REPEATED, around)
        case _:
            assert_never(piece)


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
