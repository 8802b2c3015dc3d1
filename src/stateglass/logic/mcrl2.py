"""Formulas in the syntax of mCRL2's modal mu-calculus.

A label that mCRL2 would not read as an action stands in quotes. State predicates, which mCRL2's transition systems do
not have, are written `val(…)`.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from stateglass.logic.expressions import predicate_text, quoted
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
from stateglass.logic.unrolling import Writing, grouped, separated, written

KEYWORDS: Final = frozenset([
    "act", "allow", "block", "comm", "cons", "delay", "delta", "dist", "div", "end", "eqn", "exists", "false", "forall",
    "glob", "hide", "if", "in", "init", "lambda", "map", "mod", "mu", "nil", "nu", "pbes", "proc", "rename", "sort",
    "struct", "sum", "tau", "true", "val", "var", "whr", "yaled",
])  # fmt: skip
"""The words of mCRL2, which no action is called."""
_WORD = r"[A-Za-z_][A-Za-z_0-9']*"
_ARGUMENT = rf"(?:{_WORD}|-?[0-9]+)"
_ACTION = re.compile(rf"({_WORD})(?:\({_ARGUMENT}(?:, {_ARGUMENT})*\))?")

# How tightly an operator binds: what binds less tightly than its surroundings needs parentheses.
_FIXED_POINT, _IMPLIES, _OR, _AND, _PREFIX = range(5)
_CHOICE, _SEQUENCE, _OR_STEP, _AND_STEP, _REPEATED, _NOT_STEP, _ATOM = range(7)


def in_mcrl2(formula: Formula) -> str:
    """The formula as text; the variable of a fixed point that has a name of its own is `X`, within another `X1`."""
    return written(_text(formula, _FIXED_POINT, 0))


def _text(formula: Formula, around: int, depth: int) -> Writing:
    match formula:
        case Constant():
            yield "true" if formula.value else "false"
        case Ended():
            yield "val(terminal)"
        case Equals():
            yield f"val({_name(formula.proposition)} == {_name(formula.text)})"
        case Holds():
            yield f"val({predicate_text(formula.predicate)})"
        case Variable():
            yield formula.name
        case Omitted():
            yield "…"
        case Not():
            yield "!"
            yield _text(formula.inner, _PREFIX, depth)
        case And():
            yield grouped(separated((_text(part, _PREFIX, depth) for part in formula.inner), " && "), _AND < around)
        case Or():
            yield grouped(separated((_text(part, _AND, depth) for part in formula.inner), " || "), _OR < around)
        case Implies():
            sides = (_text(formula.left, _OR, depth), _text(formula.right, _IMPLIES, depth))
            yield grouped(separated(sides, " => "), _IMPLIES < around)
        case Possible():
            yield f"<{path_text(formula.path)}>"
            yield _text(formula.inner, _PREFIX, depth)
        case Necessary():
            yield f"[{path_text(formula.path)}]"
            yield _text(formula.inner, _PREFIX, depth)
        case Reaching() | Forever() | FixedPoint():
            yield grouped(_fixed_point(formula, depth), _FIXED_POINT < around)
        case _:
            assert_never(formula)


def _fixed_point(formula: Reaching | Forever | FixedPoint, depth: int) -> Writing:
    variable = f"X{depth}" if depth else "X"
    match formula:
        case Reaching():
            yield f"mu {variable}.("
            yield _text(formula.through, _PREFIX, depth + 1)
            yield " && ("
            yield _text(formula.inner, _AND, depth + 1)
            yield f" || <tau>{variable}))"
        case Forever() if formula.through == Constant(True):
            yield f"nu {variable}.<tau>{variable}"
        case Forever():
            yield f"nu {variable}.("
            yield _text(formula.through, _PREFIX, depth + 1)
            yield f" && <tau>{variable})"
        case FixedPoint():
            yield f"{'mu' if formula.least else 'nu'} {formula.variable}. "
            yield _text(formula.inner, _FIXED_POINT, depth)
        case _:
            assert_never(formula)


def path_text(path: tuple[Piece, ...]) -> str:
    """The regular formula of a modality."""
    return written(_path(path, _CHOICE))


def _path(path: tuple[Piece, ...], around: int) -> Writing:
    if not path:
        yield "nil"
    elif len(path) == 1:
        yield _piece(path[0], around)
    else:
        yield grouped(separated((_piece(piece, _REPEATED) for piece in path), "."), _SEQUENCE < around)


def _piece(piece: Piece, around: int) -> Writing:
    match piece:
        case Do():
            yield label_text(piece.label)
        case Like():
            yield piece.pattern
        case AnyStep():
            yield "true" if piece.value else "false"
        case Silently():
            yield "(tau*)" if _REPEATED < around else "tau*"
        case NotStep():
            yield "!"
            yield _piece(piece.inner, _NOT_STEP)
        case AndStep():
            yield grouped(separated((_piece(p, _NOT_STEP) for p in piece.inner), " && "), _AND_STEP < around)
        case OrStep():
            yield grouped(separated((_piece(p, _AND_STEP) for p in piece.inner), " || "), _OR_STEP < around)
        case Choice():
            yield grouped(separated((_path(way, _SEQUENCE) for way in piece.ways), " + "), _CHOICE < around)
        case Repeated():
            yield grouped(_repetition(piece), _REPEATED < around)
        case _:
            assert_never(piece)


def _repetition(piece: Repeated) -> Writing:
    yield _path(piece.way, _ATOM)
    yield "+" if piece.at_least_once else "*"


def label_text(label: str) -> str:
    """A label as it stands in a formula: as an action of mCRL2 if it is one (`tau` is), else in quotes."""
    match = _ACTION.fullmatch(label)
    if label == "tau" or (match is not None and match[1] not in KEYWORDS):
        return label
    return quoted(label)


def _name(text: str) -> str:
    return text if re.fullmatch(rf"{_WORD}|-?[0-9]+", text) else quoted(text)
