"""Whether the states of a hypothesis cut the valuations into parts: none overlap, and what is left is `other`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.reflexion.chance import Valuation
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.searching import Search
from stateglass.reflexion.validation import shown
from stateglass.reflexion.witnesses import Complete, Replay
from stateglass.smt import Answer, Solver, Term, Unanswered, evaluate
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, Words, input_error

OVERLAPS: Final = 500_000
"""The effort of looking for states that overlap: nothing can be said before that is known."""


@final
@dataclass(frozen=True, slots=True)
class Consistency:
    """What is wrong with the states and conditions, though they can be worked with."""

    warnings: tuple[Diagnostic, ...]
    empty: frozenset[int]  # states that no valuation is in
    uncovered: Valuation | None


def check_consistency(encoding: Encoding, search: Search, replay: Replay) -> Consistency:
    """Raise an `InputError` if two states overlap."""
    _refuse_overlaps(encoding, replay)
    warnings: list[Diagnostic] = []
    empty: set[int] = set()
    occupied = {s for s, _ in search.pairs}
    for number, leaf in enumerate(encoding.hypothesis.leaves):
        if number not in occupied and _never(search, encoding.inside[number]):
            empty.add(number)
            warnings.append(_warning(f"no valuation is in the state {shown(leaf.name)}", leaf.condition, leaf.span))
    for number, transition in enumerate(encoding.hypothesis.transitions):
        condition = encoding.conditions.get(number)
        if condition is not None and _never(search, condition):
            message = "this condition is never true, whatever the variables hold"
            warnings.append(_warning(message, transition.condition, transition.span))
    for name, when in encoding.undefined:
        if not _never(search, when):
            warnings.append(_undefined(encoding, name))
    other = encoding.here(encoding.numbers.other)
    try:
        uncovered = search.example(other)
    except Unanswered:
        uncovered = {}
    return Consistency(tuple(warnings), frozenset(empty), uncovered)


def _refuse_overlaps(encoding: Encoding, replay: Replay) -> None:
    terms = encoding.terms
    seen, twice = terms.false, terms.false
    for state in encoding.inside:
        twice = terms.either(twice, terms.both(seen, state))
        seen = terms.either(seen, state)
    if twice is terms.false:
        return
    solver = Solver(OVERLAPS)
    answer = solver.check([twice])
    if answer is Answer.NO:
        return
    if answer is Answer.UNKNOWN:
        help = "a valuation must be in one state only; make their conditions simpler"
        raise input_error(Code.TOO_LARGE, "it is too hard to say whether states overlap", help=help)
    valuation = Complete({v: solver.value(v) for v in terms.variables})
    first, second = [n for n, state in enumerate(encoding.inside) if evaluate(state, valuation)][:2]
    one, other = encoding.hypothesis.leaves[first], encoding.hypothesis.leaves[second]
    values = replay.values_of(valuation, [encoding.inside[first], encoding.inside[second]])
    example = ", ".join(f"{name} = {value}" for name, value in values)
    span = other.condition.span if other.condition is not None else other.span
    message = f"the states {shown(one.name)} and {shown(other.name)} overlap: both hold for {example}"
    raise InputError([Diagnostic(Code.MACHINE, message, span, help="a valuation must be in one state only")])


def _never(search: Search, condition: Term) -> bool:
    try:
        return not search.may_be(condition)
    except Unanswered:
        return False


def _undefined(encoding: Encoding, name: str) -> Diagnostic:
    kind, _, number = name[1:].partition(".")
    hypothesis, place = encoding.hypothesis, int(number)
    words: Words | None
    match kind:
        case "state":
            words = hypothesis.states[place].condition
        case "part":
            words = next(w for n, w in hypothesis.parts.values() if n == place)
        case "transition":
            words = hypothesis.transitions[place].condition
        case _:
            words = hypothesis.assumes[place]
    message = "this condition has no meaning for some valuations; there it counts as false"
    return _warning(message, words, hypothesis.span)


def _warning(message: str, words: Words | None, span: Span) -> Diagnostic:
    return Diagnostic(Code.MACHINE, message, words.span if words is not None else span, severity=Severity.WARNING)
