"""Parity games between a formula and a model, on flat arrays.

A vertex is a node of the formula in a state. The first player wants to show that the formula holds there and chooses at
disjunctions and possible steps; the second one chooses at conjunctions and necessary steps.
"""

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
    """The nodes of a formula times the states of a model; where `true` or `false`, the vertex is decided beforehand."""

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
        """The attractor: the vertices from which a player can force a play to the goal.

        Vertices in which the other player has to move and cannot belong to it, too; those `barred` never do.
        """
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
    """The vertices that the first player wins: those in which the formula holds.

    A play without end is the first player's if the highest priority that it meets again and again is even. `priorities`
    are those of the nodes. Where all fixed points have one sign, one attractor is the answer.
    """
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
    """A call of Zielonka's algorithm: the game that is left, what each player has won, and the smaller game that it
    has called itself for (None: it has not, or has the answer)."""

    inside: Flags
    won: list[Flags]
    player: int = 0
    asked: Flags | None = field(default=None)


def _zielonka(game: Game, inside: Flags, priorities: Ints, progress: Progress) -> Flags:
    """What the first player wins in a game in which every vertex has a move. Depth: the number of priorities.

    Zielonka, 1998, on a stack of its own. Let the highest priority belong to `player`, who is lured to it: what is left
    of the game without the attractor to it is solved. If the other player wins nothing there, `player` wins all; else
    what the other one is attracted to from there is lost, and the rest is solved again.
    """
    nothing: Flags = np.zeros_like(inside)
    stack = [_Frame(inside, [nothing, nothing])]
    answer = nothing
    rounds = 0
    while stack:
        frame = stack[-1]
        if frame.asked is not None:
            # Back from the smaller game, with `answer`.
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
