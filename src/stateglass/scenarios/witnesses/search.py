"""Runs through the phases of a formula: the one that costs least, and the one that is put together step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from stateglass.check.ctl import Evaluation
from stateglass.model.model import Flags
from stateglass.scenarios.witnesses.greedy import Walker
from stateglass.scenarios.witnesses.ground import Found, Ground, Longs, Turn
from stateglass.scenarios.witnesses.phases import NOTHING, Phase, Phases, Way
from stateglass.scenarios.witnesses.rounds import Arena, arena, best_round, one_after_the_other
from stateglass.scenarios.witnesses.strategies import Aim


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A run: its positions, and at each, and at its end, the way by which its phase goes on."""

    positions: tuple[int, ...]
    ways: tuple[Way, ...]
    loop: int | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """Where what goes on for ever may begin: in these states of a phase, by a way without a step if it is another."""

    phase: int
    where: Flags
    turn: Way | None


@final
@dataclass(frozen=True, eq=False)
class _Lasting:
    """A phase in which runs may stay for ever: how they do, and where they come to it."""

    staying: Way
    arena: Arena
    entries: tuple[_Entry, ...]


@final
class Search:
    """Looks for runs through the phases of the formula of an evaluation."""

    def __init__(self, evaluation: Evaluation, ground: Ground, *, sure: bool) -> None:
        self.evaluation = evaluation
        self._ground = ground
        self._start = evaluation.model.initial
        self._phases = Phases(evaluation, sure=sure).all
        states = ground.states
        self._layers = [
            [Turn(way.where, way.after if way.after != NOTHING else len(self._phases)) for way in phase.steps]
            for phase in self._phases
        ]
        self._taken = [way for phase in self._phases for way in phase.steps]
        self._ends: Flags = np.zeros((len(self._phases) + 1) * states, dtype=np.bool_)
        self._ends[len(self._phases) * states :] = True
        for number, phase in enumerate(self._phases):
            for way in phase.ends:
                self._ends[number * states : (number + 1) * states] |= way.where

    @cached_property
    def _lasting(self) -> list[_Lasting]:
        return [
            self._lasts(number, phase) for number, phase in enumerate(self._phases) if phase.is_for_ever and phase.steps
        ]

    def _lasts(self, number: int, phase: Phase) -> _Lasting:
        staying = phase.steps[0]
        around = arena(self._ground, staying.where, self.evaluation.fair)
        entries = [_Entry(number, around.can_begin, None)]
        for other, before in enumerate(self._phases):
            turns = (way for way in before.turns if way.after == number)
            entries += [_Entry(other, around.can_begin & way.where, way) for way in turns]
        return _Lasting(staying, around, tuple(entries))

    # ---- the run as a whole

    def least(self, ground: Ground | None = None) -> Candidate | None:
        """The run that costs least, by the costs of another ground if there is one; None if there is no run."""
        ground = ground or self._ground
        found = ground.least(self._layers, self._start, self._ends, all_of_them=bool(self._lasting))
        best = None
        if found.goal >= 0:
            positions, turns = found.way_to(found.goal)
            best = self._finite(positions, turns, found.goal)
        for lasting in self._lasting:
            best = self._for_ever(lasting, found, best, ground) or best
        return best

    def _for_ever(self, lasting: _Lasting, found: Found, best: Candidate | None, ground: Ground) -> Candidate | None:
        """A run that goes on for ever and costs less than the best one so far; None if there is none."""
        nodes, turns = self._entries(lasting, found)
        if not len(nodes):
            return None
        entries = (nodes % ground.states).astype(np.int32)
        reached = found.costs[nodes]

        def lasso(entry: int, taken: list[int]) -> Candidate:
            at = int(np.flatnonzero(entries == entry)[0])
            return self._lasso(lasting, *found.way_to(int(nodes[at])), turns[at], taken)

        def cost(candidate: Candidate) -> tuple[int, ...]:
            return ground.cost_of(candidate.positions)

        nearest = int(entries[np.lexsort(reached.T[::-1])[0]])
        first = lasso(nearest, one_after_the_other(ground, lasting.arena, nearest))
        better = first if best is None or cost(first) < cost(best) else None
        improved = best_round(ground, lasting.arena, entries, reached, cost(better or best or first))
        return better if improved is None else lasso(*improved)

    def _entries(self, lasting: _Lasting, found: Found) -> tuple[Longs, list[Way | None]]:
        """The nodes at which what goes on for ever may begin, the cheapest one for each state."""
        states = self._ground.states
        nodes: list[Longs] = []
        which: list[Longs] = []
        for number, entry in enumerate(lasting.entries):
            there = found.costs[entry.phase * states : (entry.phase + 1) * states, 0] >= 0
            mine = np.flatnonzero(entry.where & there)
            nodes.append(mine + entry.phase * states)
            which.append(np.full(len(mine), number))
        each, of = np.concatenate(nodes), np.concatenate(which)
        order = np.lexsort((*found.costs[each].T[::-1], each % states))
        each, of = each[order], of[order]
        kept = np.append(True, np.diff(each % states) != 0)[: len(each)]
        return each[kept], [lasting.entries[number].turn for number in of[kept].tolist()]

    # ---- step by step

    def greedy(self, aims: Sequence[Aim]) -> Candidate | None:
        """The run that takes at each step what costs least there; None if there is no run."""
        states = self._ground.states
        goal = self._ends.copy()
        for lasting in self._lasting:
            for entry in lasting.entries:
                goal[entry.phase * states : (entry.phase + 1) * states] |= entry.where
        walker = Walker(self._ground, aims)
        way = walker.walk(self._layers, self._start, goal)
        if way is None:
            return None
        positions, turns, node = way
        if self._ends[node]:
            return self._finite(positions, turns, node)
        phase, state = divmod(node, states)
        lasting, entry = next(
            (each, entry)
            for each in self._lasting
            for entry in each.entries
            if entry.phase == phase and entry.where[state]
        )
        return self._lasso(lasting, positions, turns, entry.turn, walker.round_from(lasting.arena, state))

    # ---- candidates

    def _finite(self, positions: list[int], turns: list[int], node: int) -> Candidate:
        phase, state = divmod(node, self._ground.states)
        ends = self._phases[phase].ends if phase < len(self._phases) else ()
        last = [way for way in ends if way.where[state]][:1]
        return Candidate(tuple(positions), (*(self._taken[turn] for turn in turns), *last))

    def _lasso(
        self, lasting: _Lasting, positions: list[int], turns: list[int], turn: Way | None, taken: list[int]
    ) -> Candidate:
        staying = lasting.staying
        first = staying if turn is None else replace(staying, owed=(*turn.owed, *staying.owed))
        ways = [*(self._taken[number] for number in turns), first, *[staying] * (len(taken) - 1)]
        return Candidate((*positions, *taken), tuple(ways), len(positions))
