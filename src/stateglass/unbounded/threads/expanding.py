"""A run of blocks that were put together and reduced, done by their parts, step by step."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import final

from stateglass.evidence import Path
from stateglass.model import TAU
from stateglass.unbounded.threads.following import Taken
from stateglass.unbounded.threads.joining import Block
from stateglass.unbounded.threads.parts import Row

Way = list[tuple[int, int]]
"""Rules, and the states that they lead to."""


def expanded(whole: Block, path: Path) -> Taken:
    """What parts do in a run of the whole; where it ends, they go on until none has a silent step left.

    A part that is to be repeated for ever is gone until all parts are where they were before: states of one class need
    not be the same.
    """
    position = _Position(whole)
    rows: list[dict[int, Row]] = []
    for step in path.steps[: path.loop_start]:
        rows += position.step(step.action, step.target)
    if path.loop_start is None:
        return Taken([*rows, *(position.settled() if path.ends else [])])
    known: dict[tuple[int, ...], int] = {}
    while (here := tuple(position.states())) not in known:
        known[here] = len(rows)
        for step in path.steps[path.loop_start :]:
            rows += position.step(step.action, step.target)
    return Taken(rows, known[here])


@final
class _Position:
    """Where a block and those that it was made of are in a run."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._at = 0
        self._children = [_Position(child) for child in block.children]

    def states(self) -> Iterator[int]:
        """The states of all parts."""
        for child in self._children:
            yield from child.states()
        if not self._children:
            yield int(self._block.found.states[self._at, 0])

    def step(self, label: str, target: int) -> list[dict[int, Row]]:
        """What parts do when the reduced model takes a step to another of its states: silent steps before it, too."""
        block = self._block
        return self._along(self._way(lambda rule, to: block.labels[rule] == label and block.classes[to] == target))

    def settled(self) -> list[dict[int, Row]]:
        """Silent steps to where none is left; where some part has ended the whole program, none is taken."""
        if self._block.is_over(self._at):
            return []
        rows = []
        if self._is_restless(self._at):
            rows = self._along(self._way(lambda rule, to: self._is_silent(rule) and not self._is_restless(to)))
        return rows + [row for child in self._children for row in child.settled()]

    def _is_silent(self, rule: int) -> bool:
        return self._block.labels[rule] == TAU

    def _is_restless(self, state: int) -> bool:
        return any(self._is_silent(rule) for rule, _ in self._block.leaving(state))

    def _way(self, wanted: Callable[[int, int], bool]) -> Way:
        """Silent steps within a class, and a last one as it is wanted."""
        classes, here = self._block.classes, self._block.classes[self._at]
        before: dict[int, tuple[int, int] | None] = {self._at: None}  # the state before, and the rule from there
        waiting = deque([self._at])
        while waiting:
            state = waiting.popleft()
            for rule, to in self._block.leaving(state):
                if wanted(rule, to):
                    return [*reversed(list(_back(before, state))), (rule, to)]
                if self._is_silent(rule) and to not in before and classes[to] == here:
                    before[to] = state, rule
                    waiting.append(to)
        raise AssertionError("states of one class can do the same")

    def _along(self, way: Way) -> list[dict[int, Row]]:
        rows: list[dict[int, Row]] = []
        for number, to in way:
            states, rule = self._block.found.states, self._block.rules[number]
            before, self._at = self._at, to
            if not self._children:
                rows.append({self._block.parts[0]: (int(states[before, 0]), rule.labels[0], int(states[to, 0]))})
                continue
            last: dict[int, Row] = {}
            for child, label in zip(rule.components, rule.labels, strict=True):
                *silent, own = self._children[child].step(label, int(states[to, child]))
                rows += silent
                last |= own
            rows.append(last)
        return rows


def _back(before: dict[int, tuple[int, int] | None], state: int) -> Iterator[tuple[int, int]]:
    came = before[state]
    while came is not None:
        earlier, rule = came
        yield rule, state
        state, came = earlier, before[earlier]
