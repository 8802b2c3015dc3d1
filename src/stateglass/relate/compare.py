"""Whether two models are related, and if not, why.

What counts is what can be reached from the initial states. A model that is partial stands for all that it may turn out
to be: the answer is `Undecided` unless it is the same for all of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

import numpy as np

from stateglass.model import Model
from stateglass.reduce import Equivalence
from stateglass.relate.answers import (
    Answer,
    By,
    Claim,
    Preorder,
    Related,
    Side,
    Traces,
    Undecided,
    Unrelated,
)
from stateglass.relate.arena import Arena, quotient, side_by_side
from stateglass.relate.distinguish import from_game
from stateglass.relate.explain import (
    MOST_WORK_FOR_A_TRACE,
    Found,
    as_claims,
    as_far_as_possible,
    as_trace,
    chosen,
    difference,
    search_traces,
)
from stateglass.relate.game import Game, Rules
from stateglass.relate.inclusion import Missing, missing
from stateglass.relate.novelty import letters_of, novelties
from stateglass.relate.operators import reachable
from stateglass.relate.patience import Patience
from stateglass.relate.saturation import Steps, TooMany, strong_steps, weak_steps, weakly
from stateglass.source import Code, InputError, input_error
from stateglass.work import Progress

MOST_CASES: Final = 10_000_000
"""How many steps in pairs of states, or in sets of states, are looked at before the question is left open."""

LARGE: Final = 10_000
"""Above so many states, cheaper questions that may settle the answer are asked first."""

_WITHOUT_SILENCE: Final[dict[By, By]] = {
    Equivalence.BRANCHING: Equivalence.STRONG,
    Equivalence.DPBRANCHING: Equivalence.STRONG,
    Equivalence.WEAK: Equivalence.STRONG,
    Equivalence.DPWEAK: Equivalence.STRONG,
    Equivalence.WEAKTRACE: Equivalence.TRACE,
    Preorder.WEAK_SIMULATION: Preorder.SIMULATION,
    Preorder.WEAK_TRACE_INCLUSION: Preorder.TRACE_INCLUSION,
}


def compare(
    a: Model,
    b: Model,
    by: By,
    *,
    keep: Sequence[str] = (),
    names: tuple[str, str] = ("the first model", "the second model"),
    most: int = MOST_CASES,
    progress: Progress,
    patience: Patience | None = None,
) -> Answer:
    """Whether the initial states of the two are related. When that is known, `patience` says how long reasons take."""
    patience = Patience(progress) if patience is None else patience
    if by is Equivalence.PEEPHOLE:
        help = "`branching` and `weak` look past silent steps, and `peephole` preserves both"
        raise input_error(Code.USAGE, "`peephole` is a way to make a model smaller, not a relation", help=help)
    a, b = reachable(a), reachable(b)
    whole, union = side_by_side(a, b, keep)
    if not (whole.actions == whole.tau).any():
        # Without silent steps both mean the same, and formulas are simpler.
        by = _WITHOUT_SILENCE.get(by, by)
    progress("comparing", states=whole.states, transitions=len(whole.sources))
    open_sides = [bool(whole.open_states[: a.states].any()), bool(whole.open_states[a.states :].any())]
    base = _finer_bisimulation(by)
    try:
        if whole.states > LARGE and base in (Equivalence.WEAK, Equivalence.DPWEAK) and not any(open_sides):
            answer = _weak_by_other_means(whole, union, base, progress)
            if answer is not None:
                return answer
        arena = quotient(whole, union, base, progress)
        if arena is None:
            return Related()
        return _decided(arena, by, open_sides, _partial(a, b, names, open_sides), most, patience)
    except InputError as error:
        if any(found.code is not Code.TOO_LARGE for found in error.diagnostics):
            raise
        return Undecided("; ".join(said for found in error.diagnostics for said in (found.message, found.help) if said))
    except TooMany as limit:
        return Undecided(f"the search came to {limit.what}" + (f"; {limit.help}" if limit.help else ""))


def _weak_by_other_means(whole: Arena, union: Model, by: Equivalence, progress: Progress) -> Answer | None:
    """Weak bisimulation of large models takes long, and often something cheaper settles it.

    What is branching bisimilar is weakly bisimilar; what differs in weak traces is not.
    """
    finer = Equivalence.BRANCHING if by is Equivalence.WEAK else Equivalence.DPBRANCHING
    arena = quotient(whole, union, finer, progress)
    if arena is None:
        return Related()
    found = search_traces(arena, weak=True, both=True, certain=True, most=MOST_WORK_FOR_A_TRACE, progress=progress)
    if found.trace is None:
        return None
    return _by_trace(found, certain=False)


def _finer_bisimulation(by: By) -> Equivalence:
    """A bisimulation that is at least as fine as the relation: states that it relates can be made one beforehand."""
    match by:
        case Equivalence.TRACE | Preorder.TRACE_INCLUSION | Preorder.SIMULATION | Equivalence.PEEPHOLE:
            return Equivalence.STRONG
        case Equivalence.WEAKTRACE | Preorder.WEAK_TRACE_INCLUSION | Preorder.WEAK_SIMULATION:
            return Equivalence.BRANCHING
        case Preorder.FAILURES:
            return Equivalence.DPBRANCHING
        case (
            Equivalence.STRONG | Equivalence.BRANCHING | Equivalence.DPBRANCHING | Equivalence.WEAK | Equivalence.DPWEAK
        ):
            return by
        case _:
            assert_never(by)


def _partial(a: Model, b: Model, names: tuple[str, str], open_sides: Sequence[bool]) -> str:
    said = []
    for model, name, is_open in zip((a, b), names, open_sides, strict=True):
        if is_open:
            reasons = "; ".join(model.origin.partial) or "some of its states were not explored"
            said.append(f"{name} is partial ({reasons})")
    return " and ".join(said) + ", and the answer depends on what is missing"


def _decided(arena: Arena, by: By, open_sides: Sequence[bool], partial: str, most: int, patience: Patience) -> Answer:
    progress = patience.progress
    match by:
        case Equivalence.TRACE | Equivalence.WEAKTRACE:
            return _same_traces(arena, by is Equivalence.WEAKTRACE, open_sides, partial, most, patience)
        case Preorder.TRACE_INCLUSION | Preorder.WEAK_TRACE_INCLUSION | Preorder.FAILURES:
            return _included(arena, by, open_sides, partial, most, progress)
        case Preorder.SIMULATION | Preorder.WEAK_SIMULATION:
            return _simulated(arena, by is Preorder.WEAK_SIMULATION, open_sides, partial, most, patience)
        case _ if any(open_sides):
            return _certainly_different(arena, by is not Equivalence.STRONG, partial, most, progress)
        case _:
            assert isinstance(by, Equivalence)
            return difference(arena, by, most, patience)


def _same_traces(
    arena: Arena, weak: bool, open_sides: Sequence[bool], partial: str, most: int, patience: Patience
) -> Answer:
    found: list[tuple[Side, Missing]] = []
    limit: TooMany | None = None
    interrupted = False

    def search(side: Side, most: int) -> None:
        only = missing(arena, *_ends(arena, side), weak=weak, certain=True, most=most, progress=patience)
        if only is not None:
            found.append((side, only))

    letters = letters_of(arena, weak=weak)
    news = {s: bool(novelties(arena, letters, *_ends(arena, s), certain=True).any()) for s in Side}
    # Where the answer is at hand, nobody waits for one that is not.
    one, other = sorted(Side, key=lambda s: not news[s])
    try:
        search(one, most)
    except TooMany as error:
        limit = error
    if found:
        # Whatever is found now only makes the trace shorter.
        patience.begin()
        _, interrupted = as_far_as_possible(lambda: search(other, min(most, MOST_WORK_FOR_A_TRACE)), patience)
    else:
        try:
            search(other, most)
        except TooMany as error:
            limit = error
    if found:
        side, only = min(found, key=lambda pair: (len(pair[1].letters), pair[0].value))
        answer = _with_trace(arena, side, only, weak=weak, certain=any(open_sides))
        return replace(answer, interrupted=interrupted)
    if limit is not None:
        raise limit
    return Undecided(partial) if any(open_sides) else Related()


def _ends(arena: Arena, side: Side) -> tuple[int, int]:
    """A state, and the one that it is compared with."""
    return (arena.left, arena.right) if side is Side.FIRST else (arena.right, arena.left)


def _included(
    arena: Arena, by: Preorder, open_sides: Sequence[bool], partial: str, most: int, progress: Progress
) -> Answer:
    weak, failures = by is not Preorder.TRACE_INCLUSION and arena.tau >= 0, by is Preorder.FAILURES
    only = missing(
        arena, arena.left, arena.right, weak=weak, failures=failures, certain=True, most=most, progress=progress
    )
    if only is not None:
        return _with_trace(arena, Side.FIRST, only, weak=weak, certain=any(open_sides))
    if not any(open_sides):
        return Related()
    # More traces of the second model do no harm; that it may refuse less, does.
    if open_sides[0] or failures:
        return Undecided(partial)
    only = missing(arena, arena.left, arena.right, weak=weak, certain=False, most=most, progress=progress)
    return Undecided(partial) if only is not None else Related()


def _with_trace(arena: Arena, side: Side, only: Missing, *, weak: bool, certain: bool) -> Unrelated:
    traces = Traces.SAME if only.refused is not None else Traces.DIFFER
    claims, why = chosen(as_claims(arena, side, only, weak=weak), "")
    return Unrelated(
        traces,
        as_trace(arena, side, only, weak=weak),
        claims,
        needs_proof=certain and bool(claims),
        without_formula=why,
    )


def _by_trace(found: Found, *, certain: bool) -> Unrelated:
    # Too long a trace makes no formula; it is certain all the same, by the way it was found.
    proof = certain and bool(found.claims)
    return Unrelated(found.traces, found.trace, found.claims, needs_proof=proof, without_formula=found.without_formula)


def _simulated(
    arena: Arena, weak: bool, open_sides: Sequence[bool], partial: str, most: int, patience: Patience
) -> Answer:
    progress = patience.progress
    found = search_traces(arena, weak=weak, both=False, certain=True, most=MOST_WORK_FOR_A_TRACE, progress=progress)
    if found.trace is not None:
        return _by_trace(found, certain=any(open_sides))
    steps = weak_steps(arena, most, progress=progress) if weak else strong_steps(arena)
    game = _game(arena, steps, both=False, certain=True, most=most, progress=progress)
    if game.lost and any(open_sides):
        claims, why = chosen(_claims(arena, steps, game, progress), "")
        return Unrelated(found.traces, None, claims, needs_proof=True, without_formula=why)
    if game.lost:
        return _explained_by(arena, steps, game, found.traces, patience)
    if open_sides[0]:
        return Undecided(partial)
    if open_sides[1] and _game(arena, steps, both=False, certain=False, most=most, progress=progress).lost:
        return Undecided(partial)
    return Related()


def _certainly_different(arena: Arena, weak: bool, partial: str, most: int, progress: Progress) -> Answer:
    """A difference that does not depend on open states: by a trace, or by a step that has no answer."""
    found = search_traces(arena, weak=weak, both=True, certain=True, most=MOST_WORK_FOR_A_TRACE, progress=progress)
    if found.trace is not None:
        return _by_trace(found, certain=True)
    steps = weak_steps(arena, most, progress=progress) if weak else strong_steps(arena)
    game = _game(arena, steps, both=True, certain=True, most=most, progress=progress)
    if not game.lost:
        return Undecided(partial)
    claims, why = chosen(_claims(arena, steps, game, progress), "")
    return Unrelated(Traces.UNKNOWN, None, claims, needs_proof=True, without_formula=why)


def _game(arena: Arena, steps: Steps, *, both: bool, certain: bool, most: int, progress: Progress) -> Game:
    plain = strong_steps(arena)
    if steps.weak:
        plain = replace(plain, labels=np.where(arena.silent, arena.silently, plain.labels))
    excused = arena.open_states if certain else np.zeros(arena.states, dtype=np.bool_)
    if steps.weak:
        excused = weakly(arena, excused)
    rules = Rules(plain, steps, both, arena.colours.astype(np.int64), excused)
    return Game(rules, arena.left, arena.right, most, progress)


def _claims(arena: Arena, steps: Steps, game: Game, progress: Progress) -> list[Claim]:
    return [Claim(formula, Side.FIRST) for formula in from_game(arena, game, weak=steps.weak, progress=progress)]


def _explained_by(arena: Arena, steps: Steps, game: Game, traces: Traces, patience: Patience) -> Unrelated:
    """The formula of a lost game, if it is found in time."""
    claims: list[Claim] = []
    patience.begin()
    why, interrupted = as_far_as_possible(lambda: claims.extend(_claims(arena, steps, game, patience)), patience)
    best, why = chosen(claims, why)
    return Unrelated(traces, None, best, needs_proof=False, without_formula=why, interrupted=interrupted)
