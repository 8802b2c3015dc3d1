"""The order in which blocks are run so that ways meet before they go on: a weak topological order.

François Bourdoncle, "Efficient chaotic iteration strategies with widenings" (1993). Blocks of a loop stand together,
its head in front; an edge either leads onwards or back to the head of a loop that it is in. Finding it takes time in
the number of edges times the depth of nested loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.program import Function, successors

Moment = tuple[int, ...]
"""When a block is run: positions and, in between, the rounds of the loops around it. Moments compare as they are."""


@final
@dataclass(frozen=True, slots=True)
class Spot:
    """Where a block stands: its position among its neighbours, within each of the loops around it."""

    positions: tuple[int, ...]  # one for each loop around it, and its own
    heads: tuple[int, ...]  # the blocks that the loops around it begin with, outermost first


@final
class Order:
    """The order of a function's blocks."""

    def __init__(self, function: Function) -> None:
        self._edges = [successors(block.terminator) for block in function.blocks]
        self.spots: dict[int, Spot] = {}
        self._arrange(_Finder(self._edges).find(0), (), (), 0)

    def _arrange(self, parts: list[_Part], positions: tuple[int, ...], heads: tuple[int, ...], first: int) -> None:
        for position, part in enumerate(parts, first):
            if part.inside is None:
                self.spots[part.block] = Spot((*positions, position), heads)
            else:
                inner, around = (*positions, position), (*heads, part.block)
                self.spots[part.block] = Spot((*inner, 0), around)
                self._arrange(part.inside, inner, around, 1)

    def first(self, block: int) -> Moment:
        """The moment of a block that is come to from outside all loops."""
        return self._moment(self.spots[block], ())

    def following(self, source: int, moment: Moment, target: int) -> Moment:
        """When the block at the end of an edge is run."""
        here, there = self.spots[source], self.spots[target]
        rounds = moment[1::2]
        common = 0
        while common < min(len(here.heads), len(there.heads)) and here.heads[common] == there.heads[common]:
            common += 1
        kept = rounds[:common]
        if (
            common == len(there.heads)
            and there.heads
            and there.heads[-1] == target
            and here.heads[common - 1] == target
        ):
            return self._moment(there, (*kept[:-1], kept[-1] + 1))
        return self._moment(there, kept)

    def rounds(self, moment: Moment) -> int:
        """The round of the loop that has made most of them."""
        return max(moment[1::2], default=0)

    def _moment(self, spot: Spot, rounds: tuple[int, ...]) -> Moment:
        all_rounds = (*rounds, *(0 for _ in range(len(spot.heads) - len(rounds))))
        moment: list[int] = []
        for position, number in zip(spot.positions, all_rounds, strict=False):
            moment += [position, number]
        return (*moment, spot.positions[-1])


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """A block, or a loop that begins with it."""

    block: int
    inside: list[_Part] | None


@final
class _Finder:
    """Bourdoncle's algorithm, with a stack of its own instead of recursion into the depth of the graph."""

    def __init__(self, edges: list[tuple[int, ...]]) -> None:
        self._edges = edges
        self._number = [0] * len(edges)
        self._stack: list[int] = []
        self._count = 0
        self._done = 1 << 62  # greater than any number

    def find(self, start: int) -> list[_Part]:
        found: list[_Part] = []
        self._visit(start, found)
        found.reverse()
        return found

    def _visit(self, start: int, parts: list[_Part]) -> None:
        way: list[list[int]] = []  # blocks on the way here: the least number they lead back to, whether they do
        edges_left: list[list[int]] = []

        def enter(block: int) -> None:
            self._stack.append(block)
            self._count += 1
            self._number[block] = self._count
            way.append([block, self._count, 0])
            edges_left.append(list(reversed(self._edges[block])))

        enter(start)
        while way:
            block, head, loop = way[-1]
            if edges_left[-1]:
                target = edges_left[-1].pop()
                if self._number[target] == 0:
                    enter(target)
                    continue
                least = self._number[target]
                if least <= head:
                    way[-1][1], way[-1][2] = least, 1
                continue
            way.pop()
            edges_left.pop()
            if head == self._number[block]:
                self._number[block] = self._done
                top = self._stack.pop()
                if loop:
                    while top != block:
                        self._number[top] = 0
                        top = self._stack.pop()
                    parts.append(self._loop(block))
                else:
                    parts.append(_Part(block, None))
            if way and head <= way[-1][1]:
                way[-1][1], way[-1][2] = head, 1

    def _loop(self, head: int) -> _Part:
        inside: list[_Part] = []
        for target in self._edges[head]:
            if self._number[target] == 0:
                self._visit(target, inside)
        inside.reverse()
        return _Part(head, inside)
