"""The runs of small models, one by one: each goes round in the end, or stays where nothing can follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from stateglass.evidence import Path
from stateglass.model import Model

Position = tuple[int, str | None, int]  # where, what happens, where to


@final
@dataclass(frozen=True, slots=True)
class WholeRun:
    """A run: its loop is there several times, so that what comes after any of the first positions can be seen."""

    positions: tuple[Position, ...]
    first: int  # as many positions as there are up to the end of the first round
    loop: tuple[Position, ...]

    def times(self) -> range:
        """The positions that differ in what comes before and after them."""
        return range(self.first)


def runs_of(model: Model, uses: int) -> list[WholeRun]:
    """The runs that take no transition more than so many times before they go round."""
    return list(_runs(model, uses))


def run_along(path: Path) -> WholeRun:
    """A run as evidence has it; after a finite one nothing is taken to happen."""
    steps: list[Position] = [(step.source, step.action, step.target) for step in path.steps]
    if path.loop_start is not None:
        return _round(steps[: path.loop_start], steps[path.loop_start :])
    last = path.steps[-1].target if path.steps else path.start
    return _round(steps, [(last, None, last)])


def _runs(model: Model, uses: int) -> Iterator[WholeRun]:
    leaving: dict[int, list[Position]] = {state: [] for state in range(model.states)}
    for source, action, target in zip(
        model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True
    ):
        leaving[source].append((source, model.labels[action], target))
    path: list[Position] = []
    used: Counter[Position] = Counter()

    def from_here(state: int) -> Iterator[WholeRun]:
        if not leaving[state]:
            yield _round(path, [(state, None, state)])
            return
        for number, position in enumerate(path):
            if position[0] == state:
                yield _round(path[:number], path[number:])
        for step in leaving[state]:
            if used[step] < uses:
                used[step] += 1
                path.append(step)
                yield from from_here(step[2])
                path.pop()
                used[step] -= 1

    yield from from_here(model.initial)


def _round(prefix: list[Position], loop: list[Position]) -> WholeRun:
    return WholeRun((*prefix, *loop, *loop, *loop), len(prefix) + len(loop), tuple(loop))
