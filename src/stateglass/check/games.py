"""Parity games between a formula and a model, on flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from types import ModuleType
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.check.game_loops import Nodes, Steps
from stateglass.compiled.interrupts import whole
from stateglass.model import Model
from stateglass.model.model import Flags, Ints
from stateglass.work import Progress


@final
@dataclass(frozen=True, eq=False)
class Game:
    """The nodes of a formula times the states of a model; where `true` or `false`, a vertex is decided by others."""

    model: Model
    incoming: tuple[npt.NDArray[np.int64], Ints]
    loops: ModuleType
    kinds: Ints
    children: list[list[int]]
    steps: Ints
    labels: npt.NDArray[np.uint8]  # rows of flags over the labels
    true: Flags  # a row for each node
    false: Flags

    @cached_property
    def _edges(self) -> tuple[Ints, Ints, Ints, Ints]:
        into: list[list[int]] = [[] for _ in self.children]
        for node, children in enumerate(self.children):
            for child in children:
                into[child].append(node)
        return *_flat(self.children), *_flat(into)

    def attracted(self, inside: Flags, goal: Flags, barred: Flags, player: int) -> Flags:
        """The vertices from which a player can force a play to the goal; those of the other that cannot go on join."""
        joined = goal.astype(np.uint8).ravel()
        model = self.model
        steps = Steps(model.first, model.actions, model.targets, *self.incoming, model.sources)
        nodes = Nodes(self.kinds, *self._edges, self.steps, self.labels)
        within, out = inside.ravel().view(np.uint8), barred.ravel().view(np.uint8)
        whole(self.loops.attracted, steps, nodes, within, out, joined, player)
        return joined.astype(np.bool_).reshape(goal.shape)


def _flat(rows: list[list[int]]) -> tuple[Ints, Ints]:
    first = np.array([0, *accumulate(len(row) for row in rows)], dtype=np.int32)
    return first, np.array([number for row in rows for number in row], dtype=np.int32)


def solved(game: Game, priorities: list[int], progress: Progress) -> Flags:
    """The vertices that the first player wins: those in which the formula holds. Plays without end go to the first
    player if the highest priority that comes again and again is even; node by node it is given."""
    everything: Flags = np.ones(game.true.shape, dtype=np.bool_)
    signs = {priority % 2 for priority in priorities if priority}
    if signs == {0}:
        return ~game.attracted(everything, game.false, game.true, 1)
    won = game.attracted(everything, game.true, game.false, 0)
    if signs == {1}:
        return won
    lost = game.attracted(everything, game.false, game.true, 1)
    return won | _zielonka(game, ~won & ~lost, np.array(priorities), progress)


@final
@dataclass(slots=True, eq=False)
class _Frame:
    """A game that is being solved: what is left of it, what each has won, and what was asked of a smaller one."""

    inside: Flags
    won: list[Flags]
    player: int = 0
    asked: Flags | None = field(default=None)


def _zielonka(game: Game, inside: Flags, priorities: Ints, progress: Progress) -> Flags:
    """What the first player wins where every vertex has a way on. Depth: the number of priorities."""
    nothing: Flags = np.zeros_like(inside)
    stack = [_Frame(inside, [nothing, nothing])]
    answer = nothing
    rounds = 0
    while stack:
        frame = stack[-1]
        if frame.asked is not None:
            theirs = frame.asked & (answer if frame.player == 1 else ~answer)
            frame.asked = None
            if not theirs.any():
                frame.won[frame.player] = frame.won[frame.player] | frame.inside
                frame.inside = nothing
            else:
                lost = game.attracted(frame.inside, theirs, nothing, 1 - frame.player)
                frame.won[1 - frame.player] = frame.won[1 - frame.player] | lost
                frame.inside = frame.inside & ~lost
        here = frame.inside.any(axis=1)
        if not here.any():
            answer = frame.won[0]
            stack.pop()
            continue
        rounds += 1
        progress("solving a parity game", rounds=rounds)
        highest = int(priorities[here].max())
        frame.player = highest % 2
        goal = frame.inside & (priorities == highest)[:, None]
        frame.asked = frame.inside & ~game.attracted(frame.inside, goal, nothing, frame.player)
        stack.append(_Frame(frame.asked, [nothing, nothing]))
    return answer
