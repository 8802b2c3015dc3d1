"""Whether the states of a hypothesis cut the valuations into parts: none overlap, and what is left is `other`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, final

from stateglass.reflexion.chance import Valuation
from stateglass.reflexion.claims import claimed_when
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.hypothesis import Hypothesis
from stateglass.reflexion.searching import Search
from stateglass.reflexion.validation import shown
from stateglass.reflexion.witnesses import Complete, Rerun
from stateglass.reflexion.working import Clock
from stateglass.smt import Answer, Operator, Solver, Term, Unanswered, evaluate
from stateglass.source import Code, Diagnostic, InputError, Severity, Span, Words

OVERLAPS: Final = 500_000
"""The effort of looking for states that overlap: nothing can be said before that is known."""
MOST_OVERLAPS: Final = 20
"""How many pairs of states are said to overlap."""
NO_MEANING: Final = "this condition has no meaning, whatever the variables hold; it counts as false"
PARTLY: Final = "this condition has no meaning for some valuations; there it counts as false"


@final
class Unclear(Exception):
    """It is not known whether states overlap, so that nothing can be said of them; with the reason."""


@final
@dataclass(frozen=True, slots=True)
class Consistency:
    """Remarks on states and conditions that do not keep a hypothesis from being held against the code."""

    warnings: tuple[Diagnostic, ...]
    empty: frozenset[int]  # states that no valuation is in before a call
    never: tuple[int, ...]  # transitions whose conditions cannot hold where they are said to
    uncovered: Valuation | None


def check_consistency(encoding: Encoding, search: Search, rerun: Rerun, clock: Clock) -> Consistency:
    """Raise an `InputError` if states overlap, or nothing is left to speak of; `Unclear` if that is not known."""
    _refuse_overlaps(encoding, rerun, clock)
    hypothesis = encoding.hypothesis
    occupied = {s for s, _ in search.pairs}
    warnings: list[Diagnostic] = []
    if not occupied and _never(search):
        _refuse_contradictions(encoding)
        message = "no call counts: each runs into undefined behaviour that is left out"
        warnings.append(_warning(message, None, hypothesis.span))
    meaningless = _undefined(encoding, search)
    warnings += meaningless.values()
    nonsense = {name for name, warning in meaningless.items() if warning.message == NO_MEANING}
    empty = {n for n in range(encoding.numbers.states) if n not in occupied and _never(search, encoding.inside[n])}
    for number, leaf in enumerate(hypothesis.leaves):
        # Where the states inside leave nothing of one, that is as it should be.
        is_said = not nonsense.isdisjoint(hypothesis.questions[leaf.name])
        if number in empty and leaf.name not in hypothesis.parents and not is_said:
            message = f"no valuation before a call is in the state {shown(leaf.name)}"
            warnings.append(_warning(message, leaf.condition, leaf.span))
    try:
        uncovered = search.example(encoding.here(encoding.numbers.other))
    except Unanswered:
        uncovered = {}
    nowhere = empty if uncovered is not None else {*empty, encoding.numbers.other}
    numbers = {encoding.name(n): n for n in range(encoding.numbers.other + 1)}
    never: list[int] = []
    for number, transition in enumerate(hypothesis.transitions):
        why = _impossible(encoding, search, number, numbers, nowhere)
        if why:
            never.append(number)
            if f"%transition.{number}" not in nonsense:
                warnings.append(_warning(why, transition.condition, transition.span))
    warnings.sort(key=lambda w: w.span)
    return Consistency(tuple(warnings), frozenset(empty), tuple(never), uncovered)


def _impossible(encoding: Encoding, search: Search, number: int, places: Mapping[str, int], empty: Set[int]) -> str:
    """Why the condition of a transition cannot hold where it should; nothing if it can, or nothing is there."""
    hypothesis, terms = encoding.hypothesis, encoding.terms
    transition, condition = hypothesis.transitions[number], encoding.conditions.get(number)
    if condition is None:
        return ""
    source = transition.source
    names = [leaf.name for leaf in hypothesis.leaves_of(source)] if source in hypothesis.by_name else [source]
    here = {name: encoding.here(places[name]) for name in names if places[name] not in empty}
    if not _never(search, condition, terms.either(*here.values())):
        left = []
        for name, inside in here.items():
            claimed = claimed_when(encoding, [(number, transition)], hypothesis.applying(name))
            left.append(terms.both(inside, claimed if claimed is not None else terms.true))
        is_first = all(not hypothesis.gives_way(transition, t) for name in here for _, t in hypothesis.applying(name))
        if is_first or not _never(search, terms.either(*left)):
            return ""
        return "transitions that go before this one leave nothing of its condition"
    if _never(search, condition):
        return "this condition is never true, whatever the variables hold"
    return f"this condition is never true in the state {shown(source)}" if here else ""


def _refuse_contradictions(encoding: Encoding) -> None:
    """Raise an `InputError` if no valuation satisfies the assumptions."""
    solver = Solver(OVERLAPS)
    for number, assumed in enumerate(encoding.assumed):
        solver.add(assumed)
        if solver.check([]) is Answer.NO:
            words = encoding.hypothesis.assumes[number]
            alone = number == 0 or Solver(OVERLAPS).check([assumed]) is Answer.NO
            message = "no valuation satisfies this" if alone else "this contradicts what is assumed before it"
            help = "with no valuation to call the function with, everything would be true of it"
            raise InputError([Diagnostic(Code.MACHINE, message, words.span, help=help)])


# ---- overlaps


def _refuse_overlaps(encoding: Encoding, rerun: Rerun, clock: Clock) -> None:
    terms = encoding.terms
    twice = terms.false
    for states in _not_apart(encoding.inside):
        seen = terms.false
        for state in states:
            twice = terms.either(twice, terms.both(seen, state))
            seen = terms.either(seen, state)
    if twice is terms.false:
        return
    solver = Solver(OVERLAPS, clock.left)
    answer = solver.check([twice])
    if answer is Answer.NO:
        return
    if answer is Answer.UNKNOWN:
        clock.note(late=solver.late)
        raise Unclear("solver: it is too hard to say whether states overlap" if not clock.late else clock.why)
    found = _overlaps(encoding, solver)
    problems = [_overlap(encoding, rerun, *pair, valuation) for pair, valuation in found.items()]
    if len(found) == MOST_OVERLAPS:
        message = f"there may be more overlaps than these {MOST_OVERLAPS}"
        problems.append(Diagnostic(Code.MACHINE, message, encoding.hypothesis.span))
    raise InputError(sorted(problems, key=lambda d: d.span))


def _not_apart(states: Sequence[Term]) -> list[list[Term]]:
    """States that may overlap, together: those that say different values of the same term do not."""
    said = [_values_said(state) for state in states]
    common = next((x for x in (said[0] if said else {}) if all(x in values for values in said)), None)
    if common is None:
        return [list(states)]
    groups: dict[Term, list[Term]] = {}
    for state, values in zip(states, said, strict=True):
        groups.setdefault(values[common], []).append(state)
    return list(groups.values())


def _values_said(state: Term) -> dict[Term, Term]:
    """The terms that have a certain value in a state."""
    parts = state.operands if state.operator is Operator.AND else (state,)
    return {
        part.operands[0]: part.operands[1]
        for part in parts
        if part.operator is Operator.EQUAL and part.operands[1].operator is Operator.VALUE
    }


def _overlaps(encoding: Encoding, solver: Solver) -> dict[tuple[int, int], Complete]:
    """Pairs of leaves that overlap, each with a valuation that is in both; one pair for those inside the same two."""
    terms, hypothesis = encoding.terms, encoding.hypothesis
    found: dict[tuple[int, int], Complete] = {}
    known: set[frozenset[str]] = set()
    for second, state in enumerate(encoding.inside):
        open_ones = list(range(second))
        while True:
            open_ones = [n for n in open_ones if _outermost(hypothesis, n, second) not in known]
            both = terms.both(state, terms.either(*(encoding.inside[n] for n in open_ones)))
            if len(found) == MOST_OVERLAPS or solver.check([both]) is not Answer.YES:
                break
            valuation = Complete({v: solver.value(v) for v in terms.variables})
            first = next(n for n in open_ones if evaluate(encoding.inside[n], valuation))
            found[first, second] = valuation
            known.add(_outermost(hypothesis, first, second))
    return found


def _outermost(hypothesis: Hypothesis, first: int, second: int) -> frozenset[str]:
    """The largest states around two leaves that are not around both."""
    one, other = ([s.name for s in hypothesis.ancestors(hypothesis.leaves[n].name)] for n in (first, second))
    return frozenset([n for n in one if n not in other][-1:] + [n for n in other if n not in one][-1:])


def _overlap(encoding: Encoding, rerun: Rerun, first: int, second: int, valuation: Complete) -> Diagnostic:
    one, other = encoding.hypothesis.leaves[first], encoding.hypothesis.leaves[second]
    values = rerun.values_of(valuation, [encoding.inside[first], encoding.inside[second]])
    # Without any, they speak of no variable.
    example = ", ".join(f"{name} = {value}" for name, value in values) or "every valuation"
    span = other.condition.span if other.condition is not None else other.span
    message = f"the states {shown(one.name)} and {shown(other.name)} overlap: both hold for {example}"
    return Diagnostic(Code.MACHINE, message, span, help="a valuation must be in one state only")


# ---- conditions


def _never(search: Search, *facts: Term) -> bool:
    try:
        return not search.may_be(*facts)
    except Unanswered:
        return False


def _undefined(encoding: Encoding, search: Search) -> dict[str, Diagnostic]:
    """Warnings about conditions that have no meaning somewhere, by their names."""
    found: dict[str, list[Term]] = {}
    for name, when in encoding.undefined:
        found.setdefault(name, []).append(when)
    warnings: dict[str, Diagnostic] = {}
    for name, places in found.items():
        if all(_never(search, when) for when in places):
            continue
        kind, _, number = name[1:].partition(".")
        # Nobody is in a state of an object that is not given.
        if kind in ("state", "part") and all(_never(search, when, encoding.unknowns.given) for when in places):
            continue
        hypothesis, place = encoding.hypothesis, int(number)
        # Nor is a transition's condition asked elsewhere than where it begins.
        if kind == "transition":
            source = hypothesis.transitions[place].source
            begins = encoding.terms.either(*map(encoding.here, encoding.numbers_of(source)))
            if all(_never(search, when, begins) for when in places):
                continue
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
        # Those of states are looked at before and after a call.
        is_everywhere = len(places) == (2 if kind in ("state", "part") else 1) and all(
            _never(search, encoding.terms.negation(when)) for when in places
        )
        warnings[name] = _warning(NO_MEANING if is_everywhere else PARTLY, words, hypothesis.span)
    return warnings


def _warning(message: str, words: Words | None, span: Span) -> Diagnostic:
    return Diagnostic(Code.MACHINE, message, words.span if words is not None else span, severity=Severity.WARNING)
