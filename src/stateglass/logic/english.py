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
from stateglass.logic.unrolling import Writing, grouped, separated, written


def in_english(formula: Formula) -> str:
    """A clause such as "it can do `a` and then be where it cannot do `b`"."""
    return written(_clause(formula))


def _clause(formula: Formula) -> Writing:
    match formula:
        case Constant():
            yield "anything holds" if formula.value else "nothing holds"
        case Ended():
            yield "the program has ended"
        case Equals():
            yield f"`{formula.proposition}` is {formula.text}"
        case Holds():
            yield f"`{predicate_text(formula.predicate)}` holds"
        case Variable():
            yield f"`{formula.name}` holds"
        case Omitted():
            yield "…"
        case Not():
            yield _negated(formula.inner)
        case And():
            yield _one_verb(formula.inner) or separated(map(_nested, formula.inner), ", ", ", and ")
        case Or():
            yield separated(map(_nested, formula.inner), ", ", ", or ")
        case Implies():
            yield "if "
            yield separated(map(_nested, (formula.left, formula.right)), ", then ")
        case Possible(path=(Silently(),)):
            yield "it can silently come to where "
            yield _nested(formula.inner)
        case Necessary(path=(Silently(),)):
            yield "wherever it may silently come, "
            yield _nested(formula.inner)
        case Possible():
            yield f"it can {_way(formula.path)}"
            yield _then(formula.inner, " and then be where ")
        case Necessary(path=(Step(label="tau"),)) if formula.inner == FALSE:
            yield "it has no silent step"
        case Necessary() if formula.inner == FALSE:
            yield f"it cannot {_way(formula.path)}"
        case Necessary():
            yield f"however it may {_way(formula.path)}, it is then where "
            yield _nested(formula.inner)
        case Reaching() | Forever():
            yield _silent(formula, "can")
        case FixedPoint():
            size = "fewest" if formula.least else "most"
            yield f"it is among the {size} states, `{formula.variable}`, of which it can be said that "
            yield _nested(formula.inner)
        case _:
            assert_never(formula)


def _silent(formula: Reaching | Forever, verb: str) -> Writing:
    match formula:
        case Reaching():
            yield f"it {verb} silently, always where "
            yield _nested(formula.through)
            yield ", come to where "
            yield _nested(formula.inner)
        case Forever():
            yield f"it {verb} go on silently for ever"
            yield _then(formula.through, ", always where ")
        case _:
            assert_never(formula)


def _negated(formula: Formula) -> Writing:
    match formula:
        case Ended():
            yield "the program has not ended"
        case Equals():
            yield f"`{formula.proposition}` is not {formula.text}"
        case Holds():
            yield f"`{predicate_text(formula.predicate)}` does not hold"
        case Reaching() | Forever():
            yield _silent(formula, "cannot")
        case _:
            yield "it is not so that "
            yield _nested(formula)


def _one_verb(formulas: Sequence[Formula]) -> str:
    """Several things that can be done and nothing more are one clause: "it can do `a` and `b`"; else nothing."""
    if not formulas:
        return "anything holds"
    verbs, names = zip(*map(_single_step, formulas), strict=True)
    if set(verbs) == {"can"}:
        return f"it can do {', '.join(names[:-1])} and {names[-1]}"
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


def _nested(formula: Formula) -> Writing:
    """A clause inside another one; what could be read in two ways is put in parentheses."""
    several = isinstance(formula, And) and not _one_verb(formula.inner)
    yield grouped(_clause(formula), several or isinstance(formula, Or | Implies | FixedPoint))


def _then(formula: Formula, words: str) -> Writing:
    if formula != TRUE:
        yield words
        yield _nested(formula)


def _way(path: tuple[Piece, ...]) -> str:
    """The visible steps in their order; whether silent ones may come in between is said at the end."""
    if not path:
        return "stay where it is"
    steps = [piece for piece in path if not isinstance(piece, Silently)]
    text = written(separated(map(_step, steps), ", then "))
    verb = "take" if _is_taken(steps[0]) else "do"
    return f"{verb} {text}" + (" (silent steps aside)" if len(steps) < len(path) else "")


def _is_taken(piece: Piece) -> bool:
    match piece:
        case Step(label="tau") | AnyStep() | NotStep():
            return True
        case Repeated(way=(inner,)):
            return isinstance(inner, AnyStep | NotStep)
        case _:
            return False


def _step(piece: Piece) -> Writing:
    match piece:
        case Step():
            yield "a silent step" if piece.label == "tau" else f"`{piece.label}`"
        case Like():
            yield f"`{piece.pattern}`"
        case AnyStep():
            yield "any step" if piece.value else "a step that does not exist"
        case NotStep():
            yield "a step other than "
            yield _single(piece.inner)
        case AndStep():
            yield separated(map(_single, piece.inner), " that is also ")
        case OrStep():
            yield separated(map(_single, piece.inner), " or ")
        case Silently():
            yield "silent steps, or none"
        case Choice():
            yield separated(map(_sequence, piece.ways), " or else ")
        case Repeated(way=(AnyStep(value=True),)):
            yield "some steps" if piece.at_least_once else "any steps, or none"
        case Repeated():
            plain = len(piece.way) == 1 and not isinstance(piece.way[0], Choice | Repeated)
            yield grouped(_sequence(piece.way), not plain)
            yield " once or more" if piece.at_least_once else " any number of times"
        case _:
            assert_never(piece)


def _sequence(way: tuple[Piece, ...]) -> Writing:
    yield separated(map(_step, way), ", then ") if way else "nothing"


def _single(piece: Piece) -> Writing:
    yield grouped(_step(piece), isinstance(piece, AndStep | OrStep | NotStep))
