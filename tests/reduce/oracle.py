"""What the equivalences are, word for word from their definitions: naive fixed points over pairs of states.

Nothing here is shared with the package but the model. A step is silent if it is `tau` and changes nothing that tells
states apart (ends, unexplored marks, kept propositions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from stateglass.model import Model

Pair = tuple[int, int]
Looks = list[tuple[object, ...]]


class Steps:
    """The steps of a model, strong and weak."""

    def __init__(self, model: Model, keep: Sequence[str] = ()) -> None:
        self.states = range(model.states)
        self.looks: Looks = [
            (
                model.is_terminal(s),
                model.is_unexplored(s),
                *(p.text(s) for name in keep for p in model.propositions if p.name == name),
            )
            for s in self.states
        ]
        rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
        self.visible: dict[int, set[tuple[str, int]]] = {s: set() for s in self.states}
        self.silent: dict[int, set[int]] = {s: set() for s in self.states}
        for s, a, t in rows:
            if model.labels[a] == "tau" and self.looks[s] == self.looks[t]:
                self.silent[s].add(t)
            else:
                self.visible[s].add((model.labels[a], t))
        self.every = {s: self.visible[s] | {("tau", t) for t in self.silent[s]} for s in self.states}
        self.silently = {s: self._closure(s) for s in self.states}
        self.cyclic = {s for s in self.states if any(s in self.silently[t] for t in self.silent[s])}
        self.weakly = {
            s: {(a, v) for r in self.silently[s] for a, t in self.visible[r] for v in self.silently[t]}
            for s in self.states
        }

    def _closure(self, state: int) -> set[int]:
        seen, waiting = {state}, [state]
        while waiting:
            fresh = self.silent[waiting.pop()] - seen
            seen |= fresh
            waiting += fresh
        return seen

    def diverges_within(self, state: int, region: set[int]) -> bool:
        """Whether an endless silent path from the state stays in the region."""
        alive = set(region)
        while dead := {s for s in alive if not self.silent[s] & alive}:
            alive -= dead
        return state in alive


def _greatest(steps: Steps, keeps: Callable[[int, int, set[Pair]], bool]) -> set[Pair]:
    """The greatest symmetric relation in which every pair keeps the condition."""
    related = {(s, t) for s in steps.states for t in steps.states if steps.looks[s] == steps.looks[t]}
    while bad := {(s, t) for s, t in related if not (keeps(s, t, related) and keeps(t, s, related))}:
        related -= bad
    return related


def strong(steps: Steps) -> set[Pair]:
    return _greatest(
        steps,
        lambda s, t, related: all(
            any(a == b and (s2, t2) in related for b, t2 in steps.every[t]) for a, s2 in steps.every[s]
        ),
    )


def branching(steps: Steps, *, divergence: bool) -> set[Pair]:
    def keeps(s: int, t: int, related: set[Pair]) -> bool:
        near = _near(steps, s, t, related)
        for a, s2 in steps.every[s]:
            if a == "tau" and s2 in steps.silent[s] and (s2, t) in related:
                continue
            if not any(a == b and (s2, t2) in related for r in near for b, t2 in steps.every[r]):
                return False
        return not divergence or _lasts(steps, s, near, related)

    return _with_divergence(steps, _greatest(steps, keeps), divergence)


def _near(steps: Steps, s: int, t: int, related: set[Pair]) -> set[int]:
    """Where t gets silently through states that are related to s."""
    seen, waiting = {t}, [t]
    while waiting:
        for r in steps.silent[waiting.pop()]:
            if r not in seen and (s, r) in related:
                seen.add(r)
                waiting.append(r)
    return seen


def _lasts(steps: Steps, s: int, near: set[int], related: set[Pair]) -> bool:
    """If s is on a silent cycle, one of these is on one and related to s."""
    return s not in steps.cyclic or any(r in steps.cyclic and (s, r) in related for r in near)


def _with_divergence(steps: Steps, related: set[Pair], divergence: bool) -> set[Pair]:
    """The relation, after a look at the definition of explicit divergence (van Glabbeek, Luttik, Trčka: Branching
    bisimilarity with explicit divergence, 2009).

    If s goes on for ever silently through states related to t, so does t through states related to s. This cannot be
    used to find the relation: that s does so in a relation that is too large means nothing. On finite models it is the
    same as looking at cycles, as `_lasts` does.
    """
    for s, t in related if divergence else ():
        if steps.diverges_within(s, {r for r in steps.states if (r, t) in related}):
            assert steps.diverges_within(t, {r for r in steps.states if (s, r) in related})
    return related


def weak(steps: Steps, *, divergence: bool) -> set[Pair]:
    def keeps(s: int, t: int, related: set[Pair]) -> bool:
        return (
            all(any((s2, t2) in related for t2 in steps.silently[t]) for s2 in steps.silent[s])
            and all(any(a == b and (s2, t2) in related for b, t2 in steps.weakly[t]) for a, s2 in steps.visible[s])
            and (not divergence or _lasts(steps, s, steps.silently[t], related))
        )

    return _with_divergence(steps, _greatest(steps, keeps), divergence)


def traces(steps: Steps, initial: int, length: int, *, silence: bool) -> set[tuple[object, ...]]:
    """What can be seen in at most so many steps: the look of the first state, then actions and looks."""
    start = frozenset(steps.silently[initial]) if silence else frozenset({initial})
    found: set[tuple[object, ...]] = set()
    layer: dict[tuple[object, ...], frozenset[int]] = {(steps.looks[initial],): start}
    for _ in range(length + 1):
        found |= layer.keys()
        following: dict[tuple[object, ...], set[int]] = {}
        for seen, states in layer.items():
            for a, t in (move for s in states for move in (steps.visible[s] if silence else steps.every[s])):
                after: Iterable[int] = steps.silently[t] if silence else (t,)
                following.setdefault((*seen, a, steps.looks[t]), set()).update(after)
        layer = {seen: frozenset(states) for seen, states in following.items()}
    return found


def classes_of(related: set[Pair], states: int) -> list[int]:
    """The classes of an equivalence, numbered by first states."""
    assert all((t, s) in related for s, t in related)
    numbers: dict[int, int] = {}
    found: list[int] = []
    for s in range(states):
        least = min(t for t in range(states) if (s, t) in related)
        found.append(numbers.setdefault(least, len(numbers)))
    return found
