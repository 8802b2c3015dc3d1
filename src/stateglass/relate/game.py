"""Simulation as a game on pairs of states, solved backwards; also bisimulation where open states may do anything.

In a pair, each step of one state is a challenge, and the steps of the other with the same label are the answers to it.
A pair is lost if some challenge has no answer, or only answers that lead to lost pairs: a least fixed point, found in
time linear in the answers (after Henzinger, Henzinger and Kopke, Computing simulations on finite and infinite graphs,
1995). Only pairs that can be reached from the initial one are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from stateglass.graphs.adjacency import Adjacency, Indices, distinct, spread
from stateglass.model.model import Flags
from stateglass.relate.interning import Interner
from stateglass.relate.saturation import MORE, Steps, TooMany
from stateglass.work import Progress


@final
@dataclass(frozen=True)
class Rules:
    """What the game is about.

    The left state challenges with `challenges`, the right answers with `answers`; with `both` also the other way round.
    A pair of states with different colours is lost at once. An `excused` state is never challenged: what it can do is
    not known.
    """

    challenges: Steps
    answers: Steps
    both: bool
    colours: Indices
    excused: Flags


@final
@dataclass(frozen=True)
class Challenge:
    """A step that has no answer in a lost pair: all the pairs to which answers lead are lost."""

    from_left: bool
    label: int
    target: int
    answers: tuple[int, ...]


@final
class Game:
    """The pairs that can be reached, and which of them are lost.

    `rank` has for each pair the round in which it is lost, 0 if at once, -1 if never: a pair that is lost in round k
    has a challenge whose answers all lead to pairs of lower rank, which is what a formula of depth k says.
    """

    def __init__(self, rules: Rules, left: int, right: int, most: int, progress: Progress) -> None:
        self._rules = rules
        self._most = most
        self._progress = progress
        self._n = rules.challenges.states
        self._kinds = 1 + max(int(steps.labels.max(initial=0)) for steps in (rules.challenges, rules.answers))
        keys = rules.answers.sources * self._kinds + rules.answers.labels
        order = np.argsort(keys, kind="stable")
        self._answer_keys, self._answer_targets = keys[order], rules.answers.targets[order]
        self._challenges = Adjacency.of(rules.challenges.sources, rules.challenges.targets, self._n)
        self._explore(left, right)
        self._solve()

    @property
    def lost(self) -> bool:
        """Whether the initial pair is lost."""
        return bool(self.rank[0] >= 0)

    def pair(self, number: int) -> tuple[int, int]:
        code = int(self._codes[number])
        return code // self._n, code % self._n

    def clashes(self, number: int) -> bool:
        return bool(self.rank[number] == 0)

    def unanswered(self, number: int) -> list[Challenge]:
        """The challenges that lose this pair as early as possible; answers are numbers of pairs."""
        found = []
        for challenge in range(*np.searchsorted(self._owners, [number, number + 1])):
            chosen = self._option_pairs[self._option_first[challenge] : self._option_first[challenge + 1]]
            ranks = self.rank[chosen]
            if (ranks >= 0).all() and ranks.max(initial=-1) < self.rank[number]:
                edge = int(self._edges[challenge])
                steps = self._rules.challenges
                label, target = int(steps.labels[edge]), int(steps.targets[edge])
                found.append(Challenge(bool(self._from_left[challenge]), label, target, tuple(chosen.tolist())))
        return found

    def _explore(self, left: int, right: int) -> None:
        interner = Interner()
        frontier = np.array([left * self._n + right], dtype=np.int64)
        interner.intern(frontier)
        owners, edges, sides, counts, options = [], [], [], [], []
        base = total = 0
        while len(frontier):
            self._progress("comparing pairs", pairs=interner.count, steps=total)
            owner, edge, from_left, count, option = self._layer(frontier, self._most - total)
            owners.append(base + owner)
            edges.append(edge)
            sides.append(from_left)
            counts.append(count)
            options.append(interner.intern(option))
            total += len(option) + len(owner)
            base += len(frontier)
            frontier = interner.newest()
        self._codes = interner.words()
        self._owners, self._edges = np.concatenate(owners), np.concatenate(edges)
        self._from_left, self._counts = np.concatenate(sides), np.concatenate(counts)
        self._option_pairs = np.concatenate(options)
        self._option_first = np.concatenate([[0], np.cumsum(self._counts)])

    def _layer(self, frontier: Indices, most: int) -> tuple[Indices, Indices, Flags, Indices, Indices]:
        """The challenges of these pairs in the order of the pairs, and the codes of the pairs that answers lead to."""
        left, right = frontier // self._n, frontier % self._n
        clash = self._clash(left, right)
        parts = [self._side(left, right, clash, most, from_left=True)]
        if self._rules.both:
            parts.append(self._side(right, left, clash, most - len(parts[0][0]) - len(parts[0][3]), from_left=False))
        owner, edge, count = (np.concatenate([part[i] for part in parts]) for i in range(3))
        option = np.concatenate([part[3] for part in parts])
        from_left = np.repeat([True, False][: len(parts)], [len(part[0]) for part in parts])
        order = np.argsort(owner, kind="stable")
        starts = (np.cumsum(count) - count)[order]
        count = count[order]
        return owner[order], edge[order], from_left[order], count, option[spread(starts, count)]

    def _side(
        self, active: Indices, passive: Indices, clash: Flags, most: int, *, from_left: bool
    ) -> tuple[Indices, Indices, Indices, Indices]:
        challenged = np.flatnonzero(~clash & ~self._rules.excused[passive])
        at, which = self._challenges.positions(active[challenged])
        edge, owner = self._challenges.edges[at], challenged[which]
        wanted = passive[owner] * self._kinds + self._rules.challenges.labels[edge]
        starts = np.searchsorted(self._answer_keys, wanted, side="left")
        count = np.searchsorted(self._answer_keys, wanted, side="right") - starts
        if len(owner) + int(count.sum()) > most:
            raise TooMany(f"more than {self._most:,} steps in pairs of states", MORE)
        answer = self._answer_targets[spread(starts, count)]
        ahead = np.repeat(self._rules.challenges.targets[edge], count)
        return owner, edge, count, ahead * self._n + answer if from_left else answer * self._n + ahead

    def _clash(self, left: Indices, right: Indices) -> Flags:
        """Pairs that are lost at once: the two states look different."""
        differ: Flags = self._rules.colours[left] != self._rules.colours[right]
        return differ

    def _solve(self) -> None:
        pairs = len(self._codes)
        self.rank = np.full(pairs, -1, dtype=np.int64)
        # How many answers each challenge has left. It is unanswered when there are none, and each answer is crossed out
        # once, when the pair it leads to is lost: linear in all answers.
        left_over = self._counts.copy()
        into = Adjacency.of(
            self._option_pairs, np.repeat(np.arange(len(self._counts)), self._counts), pairs
        )  # from a pair to the challenges that it answers
        lost = np.flatnonzero(self._clash(self._codes // self._n, self._codes % self._n))
        self.rank[lost] = 0
        hopeless = np.flatnonzero(self._counts == 0)
        level = 0
        while len(lost) or len(hopeless):
            level += 1
            self._progress("solving pairs", rounds=level)
            unanswered = into.after(lost)
            np.subtract.at(left_over, unanswered, 1)
            unanswered = distinct(unanswered)
            unanswered = np.concatenate([hopeless, unanswered[left_over[unanswered] == 0]])
            hopeless = np.zeros(0, dtype=np.int64)
            lost = distinct(self._owners[unanswered])
            lost = lost[self.rank[lost] < 0]
            self.rank[lost] = level
