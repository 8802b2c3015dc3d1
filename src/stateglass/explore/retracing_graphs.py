"""Follows a graph of runs again on the reference semantics, each of its steps once.

The same action may lead to several states of the code, so that a node may stand for more than one. Those that lack a
step of their node are struck out until nothing changes, as in a simulation relation: what is left at the first node
has every run of the graph. Time and space are linear in the graph times the states that its nodes may stand for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.explore.following import Step
from stateglass.explore.retracing import EXACTLY, Failure, Retracing
from stateglass.explore.states import Snapshot
from stateglass.work import OutOfTime


@final
@dataclass(frozen=True, slots=True)
class WantedNode:
    """A state by its values, and what can happen in it: actions with the nodes after them.

    An empty action leads to a node of the same state.
    """

    values: Mapping[str, str]
    steps: tuple[tuple[str, int], ...] = ()


_Pair = tuple[int, Snapshot]


def follow_graph(retracing: Retracing, nodes: Sequence[WantedNode]) -> Failure | None:
    """Why the code does not have all runs of a graph from its first node on; None if it has them."""
    try:
        return _Pairing(retracing, nodes).failure()
    except OutOfTime:
        return Failure(0, "there was not enough time", is_sure=False)


@final
class _Pairing:
    """Nodes with the states that they may stand for."""

    def __init__(self, retracing: Retracing, nodes: Sequence[WantedNode]) -> None:
        self._retracing = retracing
        self._nodes = nodes
        self._steps: dict[Snapshot, list[Step]] = {}

    def failure(self) -> Failure | None:
        first = (0, self._retracing.first)
        if not EXACTLY.values(self._nodes[0].values, self._retracing.values(first[1])):
            return Failure(0, "it starts with other values")
        depths: dict[_Pair, int] = {first: 0}
        waiting = deque([first])
        before: dict[_Pair, list[tuple[_Pair, int]]] = {}  # with the number of the step that leads here
        left: dict[tuple[_Pair, int], int] = {}  # in how many ways a step can be taken
        lacking: list[tuple[_Pair, int]] = []
        while waiting:
            pair = waiting.popleft()
            for number, (action, to) in enumerate(self._nodes[pair[0]].steps):
                ways = self._ways(pair[1], action, to)
                left[pair, number] = len(ways)
                if not ways:
                    lacking.append((pair, number))
                for way in ways:
                    before.setdefault(way, []).append((pair, number))
                    if way not in depths:
                        depths[way] = depths[pair] + bool(action)
                        waiting.append(way)
        if first not in _struck_out(lacking, before, left):
            return None
        (node, state), number = lacking[0]
        return Failure(depths[node, state], f"`{self._nodes[node].steps[number][0]}` cannot follow")

    def _ways(self, state: Snapshot, action: str, to: int) -> list[_Pair]:
        if not action:
            return [(to, state)]
        if state not in self._steps:
            self._retracing.look_at_the_clock()
            self._steps[state] = list(self._retracing.steps(state))
        wanted = self._nodes[to].values
        found = dict.fromkeys(step.state for step in self._steps[state] if step.action == action)
        return [(to, s) for s in found if EXACTLY.values(wanted, self._retracing.values(s))]


def _struck_out(
    lacking: Sequence[tuple[_Pair, int]],
    before: Mapping[_Pair, Sequence[tuple[_Pair, int]]],
    left: dict[tuple[_Pair, int], int],
) -> set[_Pair]:
    """The pairs that lack a step, or have one only to such pairs."""
    found = {pair for pair, _ in lacking}
    waiting = list(found)
    while waiting:
        for pair, number in before.get(waiting.pop(), ()):
            left[pair, number] -= 1
            if not left[pair, number] and pair not in found:
                found.add(pair)
                waiting.append(pair)
    return found
