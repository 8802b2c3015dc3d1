"""Which states of rest an event leads from and to in a model of a component by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stateglass.model import Model, Proposition

Moves = frozenset[tuple[str, str]]
"""States of rest before and after."""


def moves_of(model: Model, at: Proposition, begun: Sequence[str], pins: Collection[str], pin: str) -> Moves:
    """The moves with one pin of a reaction; `begun` says for each label which pin an interaction begins on.

    The reaction is at rest where an interaction may begin on any of its sink `pins`.
    """
    begins = [begun[int(action)] in pins for action in model.actions]
    resting = {int(source) for source, is_begun in zip(model.sources, begins, strict=True) if is_begun}
    found = set()
    for state in resting:
        entries = [target for action, target in _steps(model, state) if begun[action] == pin]
        found |= {(at.text(state), at.text(end)) for end in _next_rests(model, entries, resting)}
    return frozenset(found)


def _next_rests(model: Model, entries: Sequence[int], resting: Collection[int]) -> Iterator[int]:
    waiting, seen = list(entries), set(entries)
    while waiting:
        state = waiting.pop()
        if state in resting:
            yield state
            continue
        more = {target for _, target in _steps(model, state)} - seen
        seen |= more
        waiting += more


def _steps(model: Model, state: int) -> Iterator[tuple[int, int]]:
    for at in range(int(model.first[state]), int(model.first[state + 1])):
        yield int(model.actions[at]), int(model.targets[at])
