"""Formulas as English clauses about a state, called "it"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from stateglass.logic.expressions import predicate_text
from stateglass.logic.modal import (
    FALSE,
    TRUE,
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
from stateglass.logic.steps import (
    AndStep,
    AnyStep,
    Choice,
    Like,
    NotStep,
    OrStep,
    Piece,
    Repeated,
    Silently,
)
from stateglass.logic.steps import Do as Step
from stateglass.logic.unrolling import Unrolled, each, unrolled


def in_english(formula: Formula) -> str:
    """A clause such as "it can do `a` and then be where it cannot do `b`"."""
    return unrolled(_clause(formula))


def _clause(formula: Formula) -> Unrolled[str]:
    match formula:
        case Constant():
            return "anything holds" if formula.value else "nothing holds"
        case Ended():
            return "the program has ended"
        case Equals():
            return f"`{formula.proposition}` is {formula.text}"
        case Holds():
            return f"`{predicate_text(formula.predicate)}` holds"
        case Variable():
            return f"`{formula.name}` holds"
        case Omitted():
            return "…"
        case Not():
            text: str = yield _negated(formula.inner)
            return text
        case And():
            text = yield _joined(formula.inner, "and")
            return text
        case Or():
            text = yield _joined(formula.inner, "or")
            return text
        case Implies():
            return f"if {(yield _nested(formula.left))}, then {(yield _nested(formula.right))}"
        case Possible(path=(Silently(),)):
            return f"it can silently come to where {(yield _nested(formula.inner))}"
        case Necessary(path=(Silently(),)):
            return f"wherever it may silently come, {(yield _nested(formula.inner))}"
        case Possible():
            return f"it can {_way(formula.path)}{(yield _then(formula.inner, ' and then be where '))}"
        case Necessary(path=(Step(label="tau"),)) if formula.inner == FALSE:
            return "it has no silent step"
        case Necessary():
            if formula.inner == FALSE:
                return f"it cannot {_way(formula.path)}"
            return f"however it may {_way(formula.path)}, it is then where {(yield _nested(formula.inner))}"
        case Reaching():
            through, inner = yield each((_nested(formula.through), _nested(formula.inner)))
            return f"it can silently, always where {through}, come to where {inner}"
        case Forever():
            return f"it can go on silently for ever{(yield _then(formula.through, ', always where '))}"
        case FixedPoint():
            size = "fewest" if formula.least else "most"
            inner = yield _nested(formula.inner)
            return f"it is among the {size} states, `{formula.variable}`, of which it can be said that {inner}"
        case _:
            assert_never(formula)


def _negated(formula: Formula) -> Unrolled[str]:
    match formula:
        case Ended():
            return "the program has not ended"
        case Equals():
            return f"`{formula.proposition}` is not {formula.text}"
        case Holds():
            return f"`{predicate_text(formula.predicate)}` does not hold"
        case Reaching() | Forever():
            text: str = yield _clause(formula)
            return text.replace("it can", "it cannot", 1)
        case _:
            return f"it is not so that {(yield _nested(formula))}"


def _joined(formulas: Sequence[Formula], word: str) -> Unrolled[str]:
    merged = _one_verb(formulas) if word == "and" else ""
    return merged or _list((yield each(_nested(formula) for formula in formulas)), f"{word} ")


def _one_verb(formulas: Sequence[Formula]) -> str:
    """Several things that can be done and nothing more are one clause: "it can do `a` and `b`"; else nothing."""
    if not formulas:
        return "anything holds"
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


def _nested(formula: Formula) -> Unrolled[str]:
    """A clause inside another one; what could be read in two ways is put in parentheses."""
    text = yield _clause(formula)
    compound = isinstance(formula, Or | Implies | FixedPoint) or (
        isinstance(formula, And) and not _one_verb(formula.inner)
    )
    return f"({text})" if compound else text


def _then(formula: Formula, words: str) -> Unrolled[str]:
    return "" if formula == TRUE else f"{words}{(yield _nested(formula))}"


def _way(path: tuple[Piece, ...]) -> str:
    """The visible steps in their order; whether silent ones may come in between is said at the end."""
    if not path:
        return "stay where it is"
    steps = [piece for piece in path if not isinstance(piece, Silently)]
    silent = len(steps) < len(path)
    text = ", then ".join(unrolled(each(map(_step, steps))))
    verb = "take" if _is_taken(steps[0]) else "do"
    return f"{verb} {text}" + (" (silent steps aside)" if silent else "")


def _is_taken(piece: Piece) -> bool:
    match piece:
        case Step(label="tau") | AnyStep() | NotStep():
            return True
        case Repeated(way=(inner,)):
            return isinstance(inner, AnyStep | NotStep)
        case _:
            return False


def _step(piece: Piece) -> Unrolled[str]:
    match piece:
        case Step():
            return "a silent step" if piece.label == "tau" else f"`{piece.label}`"
        case Like():
            return f"`{piece.pattern}`"
        case AnyStep():
            return "any step" if piece.value else "a step that does not exist"
        case NotStep():
            return f"a step other than {(yield _grouped(piece.inner))}"
        case AndStep():
            return " that is also ".join((yield each(map(_grouped, piece.inner))))
        case OrStep():
            return " or ".join((yield each(map(_grouped, piece.inner))))
        case Silently():
            return "silent steps, or none"
        case Choice():
            return " or else ".join((yield each(map(_sequence, piece.ways))))
        case Repeated(way=(AnyStep(value=True),)):
            return "some steps" if piece.at_least_once else "any steps, or none"
        case Repeated():
            often = "once or more" if piece.at_least_once else "any number of times"
            inner = yield _sequence(piece.way)
            plain = len(piece.way) == 1 and not isinstance(piece.way[0], Choice | Repeated)
            return f"{inner} {often}" if plain else f"({inner}) {often}"
        case _:
            assert_never(piece)


def _sequence(way: tuple[Piece, ...]) -> Unrolled[str]:
    return ", then ".join((yield each(map(_step, way)))) or "nothing"


def _grouped(piece: Piece) -> Unrolled[str]:
    text = yield _step(piece)
    return f"({text})" if isinstance(piece, AndStep | OrStep | NotStep) else text
