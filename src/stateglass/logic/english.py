"""Formulas as English clauses about a state, called "it"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from stateglass.logic.modal import (
    FALSE,
    TRUE,
    And,
    Constant,
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
from stateglass.logic.modal import Do as Step


def in_english(formula: Formula) -> str:
    """A clause such as "it can do `a` and then be where it cannot do `b`"."""
    match formula:
        case Constant():
            return "anything holds" if formula.value else "nothing holds"
        case Ended():
            return "the program has ended"
        case Equals():
            return f"`{formula.proposition}` is {formula.text}"
        case Omitted():
            return "…"
        case Not():
            return _negated(formula.inner)
        case And():
            return _joined(formula.inner, "and")
        case Or():
            return _joined(formula.inner, "or")
        case Possible(path=(Silently(),)):
            return f"it can silently come to where {_nested(formula.inner)}"
        case Necessary(path=(Silently(),)):
            return f"wherever it may silently come, {_nested(formula.inner)}"
        case Possible():
            return f"it can {_way(formula.path)}" + _then(formula.inner, " and then be where ")
        case Necessary(path=(Step(label="tau"),)) if formula.inner == FALSE:
            return "it has no silent step"
        case Necessary():
            if formula.inner == FALSE:
                return f"it cannot {_way(formula.path)}"
            return f"however it may {_way(formula.path)}, it is then where {_nested(formula.inner)}"
        case Reaching():
            through, inner = _nested(formula.through), _nested(formula.inner)
            return f"it can silently, always where {through}, come to where {inner}"
        case Forever():
            return "it can go on silently for ever" + _then(formula.through, ", always where ")
        case _:
            assert_never(formula)


def _negated(formula: Formula) -> str:
    match formula:
        case Ended():
            return "the program has not ended"
        case Equals():
            return f"`{formula.proposition}` is not {formula.text}"
        case Reaching() | Forever():
            return in_english(formula).replace("it can", "it cannot", 1)
        case _:
            return f"it is not so that {_nested(formula)}"


def _joined(formulas: Sequence[Formula], word: str) -> str:
    merged = _one_verb(formulas) if word == "and" else ""
    return merged or _list([_nested(formula) for formula in formulas], f"{word} ")


def _one_verb(formulas: Sequence[Formula]) -> str:
    """Several things that can be done and nothing more are one clause: "it can do `a` and `b`"; else nothing."""
    verbs, names = zip(*map(_single_step, formulas), strict=True)
    if set(verbs) == {"can"}:
        return "it can do " + _list(names, " and ")
    return "it can do neither " + " nor ".join(names) if set(verbs) == {"cannot"} else ""


def _single_step(formula: Formula) -> tuple[str, str]:
    """The verb and the name if the formula is only about one step with a label."""
    match formula:
        case Possible(path=(Step(label=label),), inner=inner) if inner == TRUE and label != "tau":
            return "can", f"`{label}`"
        case Necessary(path=(Step(label=label),), inner=inner) if inner == FALSE and label != "tau":
            return "cannot", f"`{label}`"
        case _:
            return "", ""


def _list(texts: Sequence[str], last: str) -> str:
    """The texts with commas, before the last one this word."""
    before = last if last.startswith(" ") else f", {last}"
    return ", ".join(texts[:-1]) + before + texts[-1]


def _nested(formula: Formula) -> str:
    """A clause inside another one; what could be read in two ways is put in parentheses."""
    text = in_english(formula)
    compound = isinstance(formula, Or) or (isinstance(formula, And) and not _one_verb(formula.inner))
    return f"({text})" if compound else text


def _then(formula: Formula, words: str) -> str:
    return "" if formula == TRUE else words + _nested(formula)


def _way(path: tuple[Piece, ...]) -> str:
    """The visible steps in their order; whether silent ones may come in between is said at the end."""
    steps = [piece.label for piece in path if not isinstance(piece, Silently)]
    silent = len(steps) < len(path)
    text = ", then ".join("a silent step" if label == "tau" else f"`{label}`" for label in steps)
    verb = "take" if steps[0] == "tau" else "do"
    return f"{verb} {text}" + (" (silent steps aside)" if silent else "")
