"""What the definitions of a reflexion model say of calls that are all known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stateglass.evidence import Result
from stateglass.reflexion.hypothesis import OTHER, START, Hypothesis, TransitionClaim
from tests.fuzz.reflexion_reference import Call


def expected(hypothesis: Hypothesis, calls: Sequence[Call]) -> dict[tuple[str, str], tuple[Result, ...]]:
    """The class of every edge, by RM1 to RM3 and the meaning of priorities and nesting."""
    counting = reached_from_start(hypothesis, calls)
    found: dict[tuple[str, str], tuple[Result, ...]] = {}
    parents = {s.parent for s in hypothesis.states}
    by_source: dict[str, list[Call]] = {s.name: [] for s in hypothesis.states if s.name not in parents}
    if any(t.source == OTHER for t in hypothesis.transitions):
        by_source[OTHER] = []
    for call in calls:
        by_source.setdefault(call.source, []).append(call)
    for source, here in by_source.items():
        if counting is not None and (source not in counting or not here):
            continue
        applying_here = applying(hypothesis, source)
        claims: dict[str, list[Row]] = {}
        for n, t in applying_here:
            claims.setdefault(t.target, []).append((n, t))
        allowed = {target: claimed_for(hypothesis, rows, applying_here, here) for target, rows in claims.items()}
        for target, rows in claims.items():
            # What is said of a state with others in it is said of those in which it is possible.
            is_own = source not in parents and any(t.source == source for _, t in rows)
            if not is_own and not _is_possible(allowed[target], here):
                del allowed[target]
        for target in allowed:
            found[source, target] = _results(hypothesis, target, allowed, here)
        claimed = {leaf for target in allowed for leaf in meant(hypothesis, target)}
        for call in here:
            if call.target not in claimed:
                found[source, call.target] = (Result.DIVERGENCE,)
    for pair in {(t.source, t.target) for t in hypothesis.transitions if t.source in parents} - set(found):
        rows = [(n, t) for n, t in enumerate(hypothesis.transitions) if (t.source, t.target) == pair]
        if not any(
            _is_possible(claimed_for(hypothesis, rows, applying(hypothesis, source), here), here)
            for source, here in by_source.items()
            if source in meant(hypothesis, pair[0])
        ):
            found[pair] = (Result.ABSENCE,)
    return found


Row = tuple[int, TransitionClaim]


def applying(hypothesis: Hypothesis, source: str) -> list[Row]:
    return [(n, t) for n, t in enumerate(hypothesis.transitions) if source in meant(hypothesis, t.source)]


def _is_possible(allowed: list[bool] | None, here: Sequence[Call]) -> bool:
    return bool(here) if allowed is None else any(allowed)


def meant(hypothesis: Hypothesis, name: str) -> set[str]:
    """A state and all that are inside it."""
    found = {name}
    while True:
        more = {s.name for s in hypothesis.states if s.parent in found} - found
        if not more:
            return found
        found |= more


def _goes_before(hypothesis: Hypothesis, first: TransitionClaim, second: TransitionClaim) -> bool:
    """Whether the second does not count where the first is taken; both apply to one state."""
    if hypothesis.inner_first and first.source != second.source:
        say_when = all(t.condition is not None or t.priority is not None for t in (first, second))
        return say_when and first.source in meant(hypothesis, second.source)
    return first.priority is not None and second.priority is not None and first.priority < second.priority


def claimed_for(
    hypothesis: Hypothesis, rows: Sequence[Row], applying: Sequence[Row], here: Sequence[Call]
) -> list[bool] | None:
    """For which calls one of some transitions is claimed; None if it is not said of one of them."""
    found = [False] * len(here)
    for number, row in rows:
        before = [(n, t) for n, t in applying if _goes_before(hypothesis, t, row)]
        if row.condition is None and not before:
            return None
        for position, call in enumerate(here):
            own = is_true(number, row, call)
            taken = any(is_true(n, t, call) for n, t in before)
            found[position] = found[position] or (own and not taken)
    return found


def is_true(number: int, row: TransitionClaim, call: Call) -> bool:
    return row.condition is None or f"%transition.{number}" in call.holds


def _results(
    hypothesis: Hypothesis, target: str, allowed: Mapping[str, list[bool] | None], here: Sequence[Call]
) -> tuple[Result, ...]:
    leaves, condition = meant(hypothesis, target), allowed[target]
    there = [call.target in leaves for call in here]
    if condition is None:
        return (Result.CONVERGENCE if any(there) else Result.ABSENCE,)
    claimed = [t for t, c in zip(there, condition, strict=True) if c]
    results = [Result.ABSENCE] if not any(claimed) else [Result.CONVERGENCE if all(claimed) else Result.PARTIAL]
    others = [c for name, c in allowed.items() if meant(hypothesis, name) & leaves]
    for position, leads_there in enumerate(there):
        if leads_there and not any(c is None or c[position] for c in others):
            results.append(Result.DIVERGENCE)
            break
    return tuple(results)


def reached_from_start(hypothesis: Hypothesis, calls: Sequence[Call]) -> set[str] | None:
    """The states that count, if a hypothesis says where it starts."""
    if hypothesis.start is None:
        return None
    found = {call.source for call in calls if START in call.holds}
    return closure(found, {(call.source, call.target) for call in calls})


def closure(found: set[str], pairs: set[tuple[str, str]]) -> set[str]:
    while True:
        more = {t for s, t in pairs if s in found} - found
        if not more:
            return found
        found = found | more
