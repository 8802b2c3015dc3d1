"""Every relation by its definition, on models of a few states: fixed points over all pairs, and nothing clever.

A model is turned into sets first. What is seen of a state itself (whether the program has ended, kept values) is its
look; a silent step is a `tau` between states of one look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import final

from stateglass.model import TAU, Model

Pair = tuple[int, int]
Step = tuple[str, int]


@final
@dataclass(frozen=True)
class Plain:
    """A model as sets: the steps of each state, its look."""

    initial: int
    steps: dict[int, frozenset[Step]]
    looks: dict[int, tuple[object, ...]]

    @staticmethod
    def of(model: Model, keep: Iterable[str] = ()) -> Plain:
        steps: dict[int, set[Step]] = {state: set() for state in range(model.states)}
        for s, a, t in zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True):
            steps[s].add((model.labels[a], t))
        names = set(keep)
        kept = [p for p in model.propositions if p.name in names]
        looks = {s: (model.is_terminal(s), *(p.text(s) for p in kept)) for s in range(model.states)}
        return Plain(model.initial, {s: frozenset(found) for s, found in steps.items()}, looks)

    def silent(self, state: int) -> set[int]:
        return {t for label, t in self.steps[state] if label == TAU and self.looks[t] == self.looks[state]}

    def visible(self, state: int) -> set[Step]:
        return {(label, t) for label, t in self.steps[state] if label != TAU or self.looks[t] != self.looks[state]}

    def silently(self, state: int) -> set[int]:
        found = {state}
        work = [state]
        while work:
            for target in self.silent(work.pop()) - found:
                found.add(target)
                work.append(target)
        return found

    def weakly(self, state: int, label: str) -> set[int]:
        return {
            end
            for near in self.silently(state)
            for found, target in self.visible(near)
            if found == label
            for end in self.silently(target)
        }

    def endless(self, within: set[int]) -> set[int]:
        """The states of a set from which silent steps within it need not end."""
        kept = set(within)
        while stuck := {s for s in kept if not self.silent(s) & kept}:
            kept -= stuck
        return kept


Good = Callable[[Plain, Plain, set[Pair], int, int], bool]


def largest(a: Plain, b: Plain, good: Good) -> set[Pair]:
    """The largest set of pairs with equal looks in which every pair is good."""
    pairs = {(s, t) for s, t in product(a.steps, b.steps) if a.looks[s] == b.looks[t]}
    while bad := {(s, t) for s, t in pairs if not good(a, b, pairs, s, t)}:
        pairs -= bad
    return pairs


def _follows(a: Plain, b: Plain, pairs: set[Pair], s: int, t: int) -> bool:
    return all(any((s2, t2) in pairs for answer, t2 in b.steps[t] if answer == label) for label, s2 in a.steps[s])


def _follows_weakly(a: Plain, b: Plain, pairs: set[Pair], s: int, t: int) -> bool:
    silent = all(any((s2, t2) in pairs for t2 in b.silently(t)) for s2 in a.silent(s))
    return silent and all(any((s2, t2) in pairs for t2 in b.weakly(t, label)) for label, s2 in a.visible(s))


def _both(follows: Good) -> Good:
    def good(a: Plain, b: Plain, pairs: set[Pair], s: int, t: int) -> bool:
        turned = {(y, x) for x, y in pairs}
        return follows(a, b, pairs, s, t) and follows(b, a, turned, t, s)

    return good


def _follows_branching(a: Plain, b: Plain, pairs: set[Pair], s: int, t: int) -> bool:
    """Silent steps of the other lead through states that are related to this one."""
    near = {t} if (s, t) in pairs else set()
    work = list(near)
    while work:
        for target in b.silent(work.pop()) - near:
            if (s, target) in pairs:
                near.add(target)
                work.append(target)
    silent = all((s2, t) in pairs or any((s2, t2) in pairs for n in near for t2 in b.silent(n)) for s2 in a.silent(s))
    return silent and all(
        any(answer == label and (s2, t2) in pairs for n in near for answer, t2 in b.visible(n))
        for label, s2 in a.visible(s)
    )


def _follows_diverging(a: Plain, b: Plain, pairs: set[Pair], s: int, t: int) -> bool:
    """If this one can be silent for ever in states that are related to the other, so can the other."""
    diverges = s in a.endless({x for x in a.steps if (x, t) in pairs})
    return not diverges or t in b.endless({y for y in b.steps if (s, y) in pairs})


def union(a: Plain, b: Plain) -> Plain:
    """Both as one, the states of the second moved up; the initial state is the first one's."""
    n = len(a.steps)
    steps = a.steps | {s + n: frozenset((label, t + n) for label, t in found) for s, found in b.steps.items()}
    return Plain(a.initial, steps, a.looks | {s + n: look for s, look in b.looks.items()})


def strong(a: Plain, b: Plain) -> bool:
    return (a.initial, b.initial) in largest(a, b, _both(_follows))


def weak(a: Plain, b: Plain) -> bool:
    return (a.initial, b.initial) in largest(a, b, _both(_follows_weakly))


def branching(a: Plain, b: Plain, *, divergence: bool = False) -> bool:
    """On the union, where relations are equivalences and the definition needs no care about sides."""
    whole = union(a, b)

    def good(x: Plain, y: Plain, pairs: set[Pair], s: int, t: int) -> bool:
        fine = _both(_follows_branching)(x, y, pairs, s, t)
        return fine and (not divergence or _both(_follows_diverging)(x, y, pairs, s, t))

    return (a.initial, b.initial + len(a.steps)) in largest(whole, whole, good)


def dpweak(a: Plain, b: Plain) -> bool:
    """Weak bisimulation of the two with a loop `divergence` on every state of a silent cycle."""
    return weak(_marked(a), _marked(b))


def _marked(a: Plain) -> Plain:
    steps = {}
    for s, found in a.steps.items():
        on_cycle = any(s in a.silently(t) for t in a.silent(s))
        steps[s] = found | ({("divergence!", s)} if on_cycle else set())
    return Plain(a.initial, steps, a.looks)


def simulation(a: Plain, b: Plain) -> bool:
    return (a.initial, b.initial) in largest(a, b, _follows)


def weak_simulation(a: Plain, b: Plain) -> bool:
    return (a.initial, b.initial) in largest(a, b, _follows_weakly)


Sets = tuple[frozenset[int], frozenset[int]]


def _set_pairs(a: Plain, b: Plain, weak: bool) -> set[Sets] | None:
    """All pairs of sets that traces of the first lead to; None if the second does not have one of them."""

    def closed(x: Plain, states: Iterable[int]) -> frozenset[int]:
        return frozenset(t for s in states for t in x.silently(s)) if weak else frozenset(states)

    def after(x: Plain, states: frozenset[int]) -> dict[tuple[object, ...], frozenset[int]]:
        found: dict[tuple[object, ...], set[int]] = {}
        for s in states:
            for label, t in x.visible(s) if weak else x.steps[s]:
                found.setdefault((label, x.looks[t]), set()).add(t)
        return {letter: closed(x, targets) for letter, targets in found.items()}

    if a.looks[a.initial] != b.looks[b.initial]:
        return None
    work = [(closed(a, {a.initial}), closed(b, {b.initial}))]
    seen = set(work)
    while work:
        x, y = work.pop()
        ours, theirs = after(a, x), after(b, y)
        for letter, states in ours.items():
            if letter not in theirs:
                return None
            pair = states, theirs[letter]
            if pair not in seen:
                seen.add(pair)
                work.append(pair)
    return seen


def trace_inclusion(a: Plain, b: Plain, *, weak: bool = False) -> bool:
    return _set_pairs(a, b, weak) is not None


def failures(a: Plain, b: Plain) -> bool:
    pairs = _set_pairs(a, b, True)

    def offers(x: Plain, states: Iterable[int]) -> list[set[str]]:
        return [{label for label, _ in x.steps[s]} for s in states if not x.silent(s)]

    return pairs is not None and all(
        any(theirs <= ours for theirs in offers(b, y)) for x, y in pairs for ours in offers(a, x)
    )


ORACLES: dict[str, Callable[[Plain, Plain], bool]] = {
    "strong": strong,
    "branching": branching,
    "dpbranching": lambda a, b: branching(a, b, divergence=True),
    "weak": weak,
    "dpweak": dpweak,
    "trace": lambda a, b: trace_inclusion(a, b) and trace_inclusion(b, a),
    "weaktrace": lambda a, b: trace_inclusion(a, b, weak=True) and trace_inclusion(b, a, weak=True),
    "simulation": simulation,
    "weaksimulation": weak_simulation,
    "traceinclusion": trace_inclusion,
    "weaktraceinclusion": lambda a, b: trace_inclusion(a, b, weak=True),
    "failures": failures,
}
