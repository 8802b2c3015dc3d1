"""The witness that a strategy chooses: a run that costs least, through the phases of a formula."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from stateglass.check.runs import Run, path_of
from stateglass.model import Relation
from stateglass.model.model import Flags
from stateglass.scenarios.validating import Reply
from stateglass.scenarios.witnesses.annotated import AnnotatedPath, Moment
from stateglass.scenarios.witnesses.ground import Found, Ground, Longs, Turn
from stateglass.scenarios.witnesses.phases import NOTHING, Phases, Way
from stateglass.scenarios.witnesses.rounds import arena, best_round, one_after_the_other


def witness(reply: Reply) -> AnnotatedPath | None:
    """A run that shows what a question asks for; None if there is none, or none is known.

    In an abstraction no run is certain: then it is one that the code may have.
    """
    evaluation = reply.evaluation
    truth = evaluation.at_start()
    if truth is False or evaluation.is_fixed(evaluation.formula):
        return None
    abstract = evaluation.model.origin.relation is Relation.OVER
    for sure in ([True] if truth else []) + ([False] if abstract else []):
        positions = evaluation.positions
        steps: Longs = np.ones((positions.count, 1), dtype=np.int64)
        ground = Ground(positions, positions.existing(sure=sure), steps)
        found = Search(reply, ground, sure=sure).best()
        if found is not None:
            return found
    return None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A run through the phases: its positions, and the way by which its phase goes on at each, and at its end."""

    positions: tuple[int, ...]
    ways: tuple[Way, ...]
    loop: int | None = None


@final
class Search:
    """Looks for runs through the phases of the formula of one question."""

    def __init__(self, reply: Reply, ground: Ground, *, sure: bool) -> None:
        self.evaluation = reply.evaluation
        self.ground = ground
        self.sure = sure
        self.phases = Phases(reply.evaluation, sure=sure).all
        states = ground.states
        self.layers = [
            [Turn(way.where, way.after if way.after != NOTHING else len(self.phases)) for way in phase.steps]
            for phase in self.phases
        ]
        self.goal: Flags = np.zeros((len(self.phases) + 1) * states, dtype=np.bool_)
        self.goal[len(self.phases) * states :] = True
        for number, phase in enumerate(self.phases):
            for way in phase.ends:
                self.goal[number * states : (number + 1) * states] |= way.where
        self.taken = [way for phase in self.phases for way in phase.steps]

    def best(self) -> AnnotatedPath | None:
        """The run that costs least; None if there is none."""
        lasting = [number for number, phase in enumerate(self.phases) if phase.is_for_ever]
        found = self.ground.least(self.layers, self.evaluation.model.initial, self.goal, all_of_them=bool(lasting))
        best = self._finite(found) if found.goal >= 0 else None
        for phase in lasting:
            best = self._for_ever(phase, found, best) or best
        return None if best is None else self.annotated(best)

    def cost(self, candidate: Candidate) -> tuple[int, ...]:
        return self.ground.cost_of(candidate.positions)

    def _finite(self, found: Found) -> Candidate:
        positions, numbers = found.way_to(found.goal)
        ways = [self.taken[number] for number in numbers]
        return Candidate(tuple(positions), (*ways, *self.ending(found.goal)))

    def ending(self, node: int) -> list[Way]:
        """The way without a step by which a run ends in a node."""
        phase, state = divmod(node, self.ground.states)
        return [way for way in self.phases[phase].ends if way.where[state]][:1] if phase < len(self.phases) else []

    def _for_ever(self, number: int, found: Found, best: Candidate | None) -> Candidate | None:
        """A run that stays in a phase for ever and costs less than the best one so far; None if there is none."""
        ground = self.ground
        if not self.phases[number].steps:
            return None
        around = arena(ground, self.phases[number].steps[0].where, self.evaluation.fair)
        nodes, turns = self._entries(number, found, around.can_begin)
        if not len(nodes):
            return None
        entries = (nodes % ground.states).astype(np.int32)
        reached = found.costs[nodes]

        def lasso(entry: int, taken: list[int]) -> Candidate:
            at = int(np.flatnonzero(entries == entry)[0])
            return self._lasso(number, found, int(nodes[at]), turns[at], taken)

        nearest = int(entries[np.lexsort(reached.T[::-1])[0]])
        first = lasso(nearest, one_after_the_other(ground, around, nearest))
        better = first if best is None or self.cost(first) < self.cost(best) else None
        improved = best_round(ground, around, entries, reached, self.cost(better or best or first))
        return better if improved is None else lasso(*improved)

    def _entries(self, number: int, found: Found, can_begin: Flags) -> tuple[Longs, list[Way | None]]:
        """The nodes at which a run can begin to stay in a phase, one for each state, and how the phase turns there."""
        states = self.ground.states
        sides: list[tuple[int, Way | None]] = [(number, None)]
        sides += [(q, way) for q, phase in enumerate(self.phases) for way in phase.turns if way.after == number]
        nodes: list[Longs] = []
        which: list[Longs] = []
        for side, (phase, turn) in enumerate(sides):
            there = can_begin & (found.costs[phase * states : (phase + 1) * states, 0] >= 0)
            mine = np.flatnonzero(there if turn is None else there & turn.where)
            nodes.append(mine + phase * states)
            which.append(np.full(len(mine), side))
        each, of = np.concatenate(nodes), np.concatenate(which)
        order = np.lexsort((*found.costs[each].T[::-1], each % states))
        each, of = each[order], of[order]
        kept = np.append(True, np.diff(each % states) != 0)[: len(each)]
        return each[kept], [sides[side][1] for side in of[kept].tolist()]

    def _lasso(self, number: int, found: Found, node: int, turn: Way | None, taken: list[int]) -> Candidate:
        positions, ways = found.way_to(node)
        staying = self.phases[number].steps[0]
        first = staying if turn is None else replace(staying, owed=(*turn.owed, *staying.owed))
        each = [*(self.taken[way] for way in ways), first, *[staying] * (len(taken) - 1)]
        return Candidate((*positions, *taken), tuple(each), len(positions))

    def annotated(self, candidate: Candidate) -> AnnotatedPath:
        positions = self.evaluation.positions
        start = self.evaluation.model.initial
        states = [start, *(int(positions.targets[p]) for p in candidate.positions)]
        owed = [way.owed for way in candidate.ways]
        if candidate.loop is None and len(owed) < len(states):
            owed.append(())
        moments = tuple(Moment(state, formulas) for state, formulas in zip(states, owed, strict=False))
        run = Run(candidate.positions, candidate.loop)
        return AnnotatedPath(path_of(positions, start, run), run, moments, self.sure, self.cost(candidate))
