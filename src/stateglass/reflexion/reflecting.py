"""From a program with the conditions of a hypothesis in it to a reflexion model."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.evidence import Edge, ReflexionModel, Result, StateFound
from stateglass.explore.merging import UNROLL
from stateglass.program import Program
from stateglass.reflexion.calls import CONFIRMED, Calls
from stateglass.reflexion.conditioning import Conditioning
from stateglass.reflexion.consistency import Consistency, Unclear, check_consistency
from stateglass.reflexion.encoding import Encoder, Encoding
from stateglass.reflexion.hypothesis import ERROR, EXIT, OTHER, START, Hypothesis
from stateglass.reflexion.judging import Judge
from stateglass.reflexion.searching import Search
from stateglass.reflexion.witnesses import Rerun
from stateglass.reflexion.working import Clock, Workers
from stateglass.smt import Term, Unanswered
from stateglass.source import Code, Diagnostic, InputError
from stateglass.system import Undefined
from stateglass.work import Progress, silent

EFFORT: Final = 25_000
"""Of one question to the solver: some seconds."""
QUESTIONS: Final = 10_000
"""About conditions: some seconds too."""


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """How far to look."""

    unroll: int = UNROLL
    effort: int = EFFORT  # of one question to the solver
    questions: int = QUESTIONS  # for all conditions together; 0: none are looked for
    seconds: float | None = None  # for everything; what is left then is not decided
    confirmed: int = CONFIRMED  # calls that are run again
    undefined: Undefined = field(default_factory=Undefined)


def reflect(
    program: Program,
    hypothesis: Hypothesis,
    limits: Limits,
    progress: Progress = silent,
    workers: Workers | None = None,
) -> ReflexionModel:
    """Hold a hypothesis against the code; the program has its conditions as functions."""
    workers, clock = workers or Workers(), Clock(limits.seconds)
    progress("running the function for all inputs")
    encoder = Encoder(program, hypothesis, unroll=limits.unroll, undefined=limits.undefined)
    encoding = encoder.encode()
    search = Search(encoding, limits.effort, clock)
    rerun = Rerun(encoding, limits.undefined)
    progress("trying valuations")
    search.by_chance()
    try:
        consistency = check_consistency(encoding, search, rerun, clock)
    except Unclear as reason:
        return _nothing_known(encoding, str(reason))
    sources = [n for n in range(encoding.numbers.states) if n not in consistency.empty]
    if consistency.uncovered is not None:
        sources.append(encoding.numbers.other)
    search.complete(sources, workers, lambda done: progress(f"proving for {len(sources):,} states", done=done))
    reached, is_open = (None, False) if hypothesis.start is None else _counting(encoder, encoding, search, sources)
    sources = [n for n in sources if reached is None or n in reached]
    begins = [*sources, *_claimed_but_empty(encoding, sources)] if reached is None else sources
    judge = Judge(encoding, search, rerun, Calls(encoding, rerun, limits.confirmed), clock)
    try:
        edges = judge.edges(begins)
    except KeyboardInterrupt:
        # Without the solver this takes no time.
        clock.interrupt()
        edges = judge.edges(begins)
    conditioning = Conditioning(encoding, search, rerun, clock, limits.effort)
    edges = conditioning.of(edges, limits.questions, workers, progress)
    unanswered = [clock.why] if search.undecided or clock.late or is_open else []
    return ReflexionModel(
        hypothesis.name,
        hypothesis.function,
        tuple(_states(encoding, search, consistency, edges, reached)),
        tuple(edges),
        consistency.warnings,
        None if consistency.uncovered is None else rerun.values_of(consistency.uncovered, list(encoding.inside)),
        (f"loops are unrolled {limits.unroll} times",) if encoding.has_loops else (),
        tuple(encoding.unknowns.assumptions),
        tuple(dict.fromkeys([*judge.reasons, *unanswered, *_reasons(edges)])),
        tuple((let.name, let.words.text) for let in hypothesis.lets),
        tuple(hypothesis.transitions[n].ends for n in consistency.never),
        clock.interrupted,
    )


def _nothing_known(encoding: Encoding, reason: str) -> ReflexionModel:
    """The edges that are claimed, all inconclusive."""
    hypothesis = encoding.hypothesis
    edges: dict[tuple[str, str], Edge] = {}
    for claim in hypothesis.transitions:
        text = claim.condition.text if claim.condition is not None else None
        edge = Edge(
            claim.source, claim.target, (Result.INCONCLUSIVE,), text, is_claimed=True, span=claim.span, reason=reason
        )
        edges.setdefault((claim.source, claim.target), edge)
    return ReflexionModel(
        hypothesis.name,
        hypothesis.function,
        tuple(
            StateFound(s.name, s.condition.text if s.condition is not None else "", s.parent, s.initial)
            for s in hypothesis.states
        ),
        tuple(edges.values()),
        warnings=(),
        uncovered=None,
        bounds=(),
        assumptions=tuple(encoding.unknowns.assumptions),
        inconclusive=(reason,),
        lets=tuple((let.name, let.words.text) for let in hypothesis.lets),
    )


def _claimed_but_empty(encoding: Encoding, sources: Sequence[int]) -> list[int]:
    """States that no valuation is in: what is claimed of them is absent."""
    others = [encoding.numbers.other] if any(t.source == OTHER for t in encoding.hypothesis.transitions) else []
    return [n for n in (*range(encoding.numbers.states), *others) if n not in sources]


def _counting(
    encoder: Encoder, encoding: Encoding, search: Search, sources: Sequence[int]
) -> tuple[frozenset[int], bool]:
    """What can be reached from where a hypothesis says that it starts, and whether it is open if all of it can."""
    words = encoding.hypothesis.start
    assert words is not None
    start = encoder.condition(START)
    answers = {n: _may_hold(search, encoding.here(n), start) for n in sources}
    first = [n for n, answer in answers.items() if answer is not False]
    if not first:
        message = "no state has a valuation for which this holds"
        raise InputError([Diagnostic(Code.MACHINE, message, words.span)])
    return reached_from(search, first), None in answers.values()


def _may_hold(search: Search, *facts: Term) -> bool | None:
    """Whether a condition may hold in a leaf; None if that is not known."""
    try:
        return search.may_be(*facts)
    except Unanswered:
        return None


def _reasons(edges: Sequence[Edge]) -> list[str]:
    return [e.reason for e in edges if e.reason]


def _states(
    encoding: Encoding,
    search: Search,
    consistency: Consistency,
    edges: Sequence[Edge],
    counting: frozenset[int] | None,
) -> list[StateFound]:
    hypothesis, numbers = encoding.hypothesis, encoding.numbers
    reached = _reached(encoding, search) if counting is None else counting
    # Where these lead to is not known as a whole.
    open_ones = search.undecided | {s for s, t in search.pairs if t == numbers.unknown}
    is_whole = reached is not None and not reached & open_ones
    found = []
    targets = {t for s, t in search.pairs if counting is None or s in counting}
    entered, left = ({pair[end] for pair in search.pairs if pair[0] != pair[1]} for end in (1, 0))
    leaves = hypothesis.numbers
    for state in hypothesis.states:
        words = state.condition.text if state.condition is not None else ""
        number = leaves.get(state.name)
        if number is not None and counting is not None and number not in counting:
            continue
        inner = [leaves[leaf.name] for leaf in hypothesis.leaves_of(state.name)]
        satisfiable = any(n not in consistency.empty for n in inner)
        is_left_over = state.name in hypothesis.parents
        if number is None or (is_left_over and number in consistency.empty and number not in targets):
            found.append(
                StateFound(state.name, words, state.parent, state.initial, satisfiable=satisfiable, itself=False)
            )
            continue
        is_entered = _entered(number, entered, open_ones)
        is_left = number in left or number in search.undecided
        found.append(
            StateFound(
                state.name,
                words,
                state.parent,
                state.initial,
                _in(number, reached, is_whole),
                is_trap=is_entered is True and not is_left and number not in consistency.empty,
                is_entered=is_entered,
                satisfiable=satisfiable,
                is_left=is_left or number in consistency.empty,
            )
        )
    uncovered = consistency.uncovered is not None and counting is None
    if uncovered or numbers.other in targets or any(e.target == OTHER for e in edges):
        is_entered = _entered(numbers.other, entered, open_ones)
        found.append(StateFound(OTHER, "", is_entered=is_entered, reachable=_in(numbers.other, reached, is_whole)))
    if numbers.error in targets or any(e.target == ERROR for e in edges):
        found.append(StateFound(ERROR, "", reachable=_in(numbers.error, reached, is_whole)))
    if numbers.exit in targets or any(e.target == EXIT for e in edges):
        found.append(StateFound(EXIT, "", reachable=_in(numbers.exit, reached, is_whole)))
    return found


def _entered(number: int, entered: Set[int], open_ones: Set[int]) -> bool | None:
    """Whether a transition leads there from elsewhere; None if that is not known."""
    if number in entered:
        return True
    return None if open_ones - {number} else False


def _in(number: int, reached: frozenset[int] | None, is_whole: bool) -> bool | None:
    if reached is None or (number not in reached and not is_whole):
        return None
    return number in reached


def _reached(encoding: Encoding, search: Search) -> frozenset[int] | None:
    """The states that the found transitions lead to from the initial one; None if none is known to be it."""
    initial = encoding.hypothesis.initial
    if initial is None:
        return None
    leaves = encoding.hypothesis.numbers
    inside = [leaves[leaf.name] for leaf in encoding.hypothesis.leaves_of(initial.name)]
    return reached_from(search, inside)


def reached_from(search: Search, starts: Sequence[int]) -> frozenset[int]:
    found, stack = set(starts), list(starts)
    following: dict[int, list[int]] = {}
    for source, target in search.pairs:
        following.setdefault(source, []).append(target)
    while stack:
        for target in following.get(stack.pop(), ()):
            if target not in found:
                found.add(target)
                stack.append(target)
    return frozenset(found)
