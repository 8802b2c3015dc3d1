"""Runs that are put together step by step, each step by what it costs there.

At each place, the steps that still lead to what is to be shown are looked at, and one is taken that costs least by the
aims of the strategy; of those, one that leads nearest to the end. A step that does not come nearer is a detour. None
leads to a place of the run with the same obligations, and there are no more of them than a shortest run has steps: so
the run comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from stateglass.model.model import Flags
from stateglass.scenarios.witnesses.ground import Ground, Turn
from stateglass.scenarios.witnesses.rounds import Arena
from stateglass.scenarios.witnesses.strategies import Aim, Sense, Shortest, Visited


@final
@dataclass(slots=True)
class Walker:
    """Goes through a model step by step; it knows the states that it has been in."""

    ground: Ground
    aims: Sequence[Aim]
    visited: set[int] = field(default_factory=set)

    def walk(
        self, layers: Sequence[Sequence[Turn]], start: int, goal: Flags
    ) -> tuple[list[int], list[int], int] | None:
        """From a node to a goal: positions, the number of the turn at each, and the goal; None if it has no way."""
        ranks = self.ground.ranks(layers, goal)
        if ranks[start] < 0:
            return None
        node, met, detours = start, {start}, int(ranks[start])
        self.visited.add(start % self.ground.states)
        positions: list[int] = []
        turns: list[int] = []
        while not goal[node]:
            open_to = [
                choice
                for choice in self._choices(layers, node)
                if 0 <= ranks[choice.after] < ranks[node]
                or (ranks[choice.after] >= 0 and detours and choice.after not in met)
            ]
            chosen = min(open_to, key=lambda choice: self._order(choice, int(ranks[choice.after])))
            detours -= bool(ranks[chosen.after] >= ranks[node])
            positions.append(chosen.position)
            turns.append(chosen.turn)
            node = chosen.after
            met.add(node)
            self.visited.add(node % self.ground.states)
        return positions, turns, node

    def round_from(self, arena: Arena, entry: int) -> list[int]:
        """A round from a state: to each event that needs its turn, and back."""
        taken: list[int] = []
        at = entry
        for bit in range(arena.events):
            if arena.wanted[entry] >> bit & 1 and not any(arena.marks[p] >> bit & 1 for p in taken):
                taken += self._leg(at, arena.inside, arena.inside & (arena.marks >> bit & 1 != 0))
                at = int(self.ground.targets[taken[-1]])
        if at != entry or not taken:
            taken += self._leg(at, arena.inside, arena.inside & (self.ground.targets == entry))
        return taken

    def _leg(self, start: int, through: Flags, last: Flags) -> list[int]:
        goal: Flags = np.zeros(2 * self.ground.states, dtype=np.bool_)
        goal[self.ground.states :] = True
        way = self.walk([[Turn(last, 1), Turn(through, 0)]], start, goal)
        assert way is not None, "what is inside is connected"
        return way[0]

    def _choices(self, layers: Sequence[Sequence[Turn]], node: int) -> Iterator[_Choice]:
        phase, state = divmod(node, self.ground.states)
        before = sum(map(len, layers[:phase]))
        for number, turn in enumerate(layers[phase], before):
            for position in self.ground.leaving(state):
                if turn.where[position]:
                    after = turn.after * self.ground.states + int(self.ground.targets[position])
                    yield _Choice(number, position, after)

    def _order(self, choice: _Choice, rank: int) -> tuple[int, ...]:
        """What decides between steps, the most important first."""
        row = self.ground.steps[choice.position]
        costs = (self._cost(aim, choice, rank, int(cost)) for aim, cost in zip(self.aims, row, strict=False))
        return (*costs, rank, choice.turn, choice.position)

    def _cost(self, aim: Aim, choice: _Choice, rank: int, usual: int) -> int:
        match aim:
            case Shortest():
                return rank
            case Visited():
                return int((choice.after % self.ground.states in self.visited) is (aim.sense is Sense.AVOID))
            case _:
                return usual


@final
@dataclass(frozen=True, slots=True)
class _Choice:
    """A step that may be taken: the number of the turn, the position, and the node after it."""

    turn: int
    position: int
    after: int
