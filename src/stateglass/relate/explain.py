"""Why two models differ: a shortest trace where one exists, and formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.graphs.adjacency import Adjacency, distinct
from stateglass.logic import (
    FALSE,
    SILENTLY,
    TRUE,
    Do,
    Formula,
    Necessary,
    Not,
    Or,
    Piece,
    Reaching,
    conjunction,
    in_english,
    negation,
    possible,
    size,
)
from stateglass.model import TAU
from stateglass.model.model import Flags
from stateglass.reduce import Equivalence
from stateglass.relate.answers import Claim, Side, Trace, Traces, Unrelated
from stateglass.relate.arena import Arena
from stateglass.relate.distinguish import Looking, from_rounds, weak_step
from stateglass.relate.distinguish_branching import from_branching_rounds
from stateglass.relate.inclusion import Missing, missing
from stateglass.relate.observations import look, seen_difference
from stateglass.relate.patience import Patience
from stateglass.relate.rounds import branching_rounds, strong_rounds, weak_rounds
from stateglass.relate.saturation import TooMany
from stateglass.work import OutOfTime, Progress

MOST_WORK_FOR_A_TRACE: Final = 2_000_000
"""Enough to find a trace if it is short; the verdict does not depend on it."""
SHARE_OF_TRACES: Final = 0.3
"""How much of the time for an explanation the search for a trace may take."""
PLAIN_ENOUGH: Final = 3
"""A trace as short as this makes a formula that no other is much better than."""
MOST_SIZE: Final = 5_000
"""Of a larger formula nobody would read even the outline."""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """What the search for traces came to."""

    traces: Traces
    trace: Trace | None
    claims: tuple[Claim, ...]
    without_formula: str = ""


def difference(arena: Arena, by: Equivalence, most: int, patience: Patience) -> Unrelated:
    """Why two states are not bisimilar, as far as that is found out in time; that they are not is known."""
    weak = by is not Equivalence.STRONG
    found = Found(Traces.UNKNOWN, None, ())
    formulas: list[Formula] = []
    patience.begin()

    def search() -> None:
        nonlocal found
        # Of traces there can be exponentially many: a formula is the better part of the reasons.
        brief = patience.part(SHARE_OF_TRACES)
        with suppress(OutOfTime):
            found = search_traces(
                arena, weak=weak, both=True, certain=False, most=MOST_WORK_FOR_A_TRACE, progress=brief
            )
        if found.trace is None or found.trace.ending or len(found.trace.labels) > PLAIN_ENOUGH:
            for formula in _formulas(arena, by, most, patience):
                formulas.append(formula)

    why, interrupted = as_far_as_possible(search, patience)
    claims = [*found.claims, *(Claim(formula, Side.FIRST) for formula in formulas)]
    best, why = chosen(claims, found.without_formula or why)
    return Unrelated(found.traces, found.trace, best, needs_proof=False, without_formula=why, interrupted=interrupted)


def as_far_as_possible(search: Callable[[], None], patience: Patience) -> tuple[str, bool]:
    """Runs a search for reasons; says why it ended early, if it did, and whether Ctrl-C was the reason."""
    try:
        search()
    except TooMany as limit:
        return f"the search for a formula came to {limit.what}", False
    except OutOfTime:
        return f"none was found within {patience.limit} (--explain)", False
    except KeyboardInterrupt:
        return "the search for it was interrupted", True
    return "", False


def search_traces(arena: Arena, *, weak: bool, both: bool, certain: bool, most: int, progress: Progress) -> Found:
    """A shortest trace that one of the two has (with `both`; else the first) and the other has not."""
    traces, best = Traces.SAME, None
    for side in (Side.FIRST, Side.SECOND) if both else (Side.FIRST,):
        one, other = (arena.left, arena.right) if side is Side.FIRST else (arena.right, arena.left)
        try:
            only = missing(arena, one, other, weak=weak, certain=certain, most=most, progress=progress)
        except TooMany:
            traces = Traces.UNKNOWN
            continue
        except OutOfTime:
            if best is None:
                raise
            break
        if only is not None and (best is None or len(only.letters) < len(best[1].letters)):
            best = side, only
    if best is None:
        return Found(traces, None, ())
    side, only = best
    claims, why = chosen(as_claims(arena, side, only, weak=weak), "")
    return Found(Traces.DIFFER, as_trace(arena, side, only, weak=weak), claims, why)


def as_trace(arena: Arena, side: Side, only: Missing, *, weak: bool) -> Trace:
    refused = None if only.refused is None else tuple(arena.labels[label] for label in only.refused)
    labels = tuple(arena.labels[label] for label, _ in only.letters)
    ending = (
        ""
        if only.refused is not None or _is_plain(arena, side, only, weak=weak)
        else in_english(_last_look(arena, side, only))
    )
    return Trace(side, labels, ending, refused)


def as_claims(arena: Arena, side: Side, only: Missing, *, weak: bool) -> list[Claim]:
    """An observation as formulas, the plainest first: what is seen of the states in between is seldom needed."""
    last = _refusal(arena, only.refused, None)
    ending = conjunction([_last_look(arena, side, only), last])
    labels = [label for label, _ in only.letters]
    plain = [
        _along(arena, labels, inner, weak=weak) for inner in ((last, ending) if arena.colour_count > 1 else (last,))
    ]
    exact: list[Formula] = []
    if arena.colour_count > 1:
        seen = _last_look(arena, side, only)
        last = conjunction([seen, _refusal(arena, only.refused, seen)])
        exact.append(_along_letters(arena, side, only, last, weak=weak))
    return [Claim(formula, side) for formula in (*plain, *exact)]


def _refusal(arena: Arena, refused: Sequence[int] | None, seen: Formula | None) -> Formula:
    """No silent step, and none with these labels. A `tau` that changes what is seen of the state is not silent."""
    if refused is None:
        return TRUE
    stable = [Necessary((Do(TAU),), FALSE if seen is None else negation(seen))] if arena.tau >= 0 else []
    refusals = [Necessary((Do(arena.labels[x]),), FALSE if seen is None or x != arena.tau else seen) for x in refused]
    return conjunction([*stable, *refusals])


def _along(arena: Arena, labels: Sequence[int], last: Formula, *, weak: bool) -> Formula:
    formula = possible((SILENTLY,), last) if weak and last != TRUE else last
    for label in reversed(labels):
        path: tuple[Piece, ...] = (Do(arena.labels[label]),)
        formula = possible((SILENTLY, *path) if weak else path, formula)
    return formula


def _along_letters(arena: Arena, side: Side, only: Missing, last: Formula, *, weak: bool) -> Formula:
    """The formula of a trace that also says what is seen of every state on the way."""
    start = arena.left if side is Side.FIRST else arena.right
    states = [start, *(_state_of(arena, colour) for _, colour in only.letters)]
    formula = Reaching(look(arena, states[-1]), last) if weak else last
    for (label, _), source, target in reversed(list(zip(only.letters, states, states[1:], strict=False))):
        if weak:
            formula = weak_step(arena, source, label, target, formula, Looking.ALWAYS)
        else:
            formula = possible((Do(arena.labels[label]),), conjunction([look(arena, target), formula]))
    return formula


def _last_look(arena: Arena, side: Side, only: Missing) -> Formula:
    if only.letters:
        return look(arena, _state_of(arena, only.letters[-1][1]))
    one, other = (arena.left, arena.right) if side is Side.FIRST else (arena.right, arena.left)
    return look(arena, one) if only.refused is not None else seen_difference(arena, one, other)


def _state_of(arena: Arena, colour: int) -> int:
    return int(np.flatnonzero(arena.colours == colour)[0])


def _is_plain(arena: Arena, side: Side, only: Missing, *, weak: bool) -> bool:
    """Whether the other model cannot even do the actions, whatever is seen in between."""
    if arena.colour_count == 1:
        return True
    quiet = arena.actions == arena.tau
    onward = Adjacency.of(arena.sources[quiet], arena.targets[quiet], arena.states)
    states = np.array([arena.right if side is Side.FIRST else arena.left])
    for label, _ in only.letters:
        if weak:
            near: Flags = np.zeros(arena.states, dtype=np.bool_)
            near[states] = True
            states = np.flatnonzero(onward.reach(near))
        edges = arena.edges(states)
        states = distinct(arena.targets[edges[arena.actions[edges] == label]].astype(np.int64))
    return not len(states)


def chosen(claims: Sequence[Claim], why: str) -> tuple[tuple[Claim, ...], str]:
    """The claims worth showing, the shortest first, each as a thing that can be done rather than one that cannot."""
    small = [claim for claim in claims if size(claim.formula) <= MOST_SIZE]
    if claims and not small:
        least = min(size(claim.formula) for claim in claims)
        why = f"the shortest one found has {least:,} operators"
    return tuple(map(_turned, sorted(small, key=lambda claim: size(claim.formula)))), why if not small else ""


def _turned(claim: Claim) -> Claim:
    if isinstance(claim.formula, Necessary | Not | Or):
        return Claim(negation(claim.formula), Side.SECOND if claim.true_of is Side.FIRST else Side.FIRST)
    return claim


def _formulas(arena: Arena, by: Equivalence, most: int, progress: Progress) -> Iterator[Formula]:
    """Formulas that are true of the first state and false of the second; they may be wrong and are to be checked."""
    if by in (Equivalence.BRANCHING, Equivalence.DPBRANCHING):
        divergence = by is Equivalence.DPBRANCHING
        rounds = branching_rounds(arena, divergence, most, progress)
        if rounds.apart(arena.left, arena.right) >= 0:
            for short in (True, False):
                yield from_branching_rounds(arena, rounds, divergence, short=short, progress=progress)
        return
    weak, divergence = by is not Equivalence.STRONG, by is Equivalence.DPWEAK
    rounds = weak_rounds(arena, divergence, most, progress) if weak else strong_rounds(arena, most, progress)
    if rounds.apart(arena.left, arena.right) >= 0:
        yield from from_rounds(arena, rounds, weak=weak, divergence=divergence, progress=progress)
