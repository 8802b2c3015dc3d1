"""The witness that a strategy chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, final

import numpy as np

from stateglass.check.ctl import Evaluation
from stateglass.check.runs import Run, path_of
from stateglass.model import Relation
from stateglass.scenarios.language import Vocabulary
from stateglass.scenarios.validating import Reply
from stateglass.scenarios.witnesses.annotated import AnnotatedPath, Moment
from stateglass.scenarios.witnesses.ground import Ground, Longs
from stateglass.scenarios.witnesses.obligations import objection
from stateglass.scenarios.witnesses.prices import Prices
from stateglass.scenarios.witnesses.search import Candidate, Search
from stateglass.scenarios.witnesses.strategies import NO_FACTS, SHORTEST, Facts, Sense, Strategy, Visited

_TRIES: Final = 4
"""So many times a run is looked for anew that avoids what the last one visits twice."""


def witness(
    reply: Reply,
    strategy: Strategy = SHORTEST,
    vocabulary: Vocabulary | None = None,
    facts: Facts = NO_FACTS,
) -> AnnotatedPath | None:
    """A run that shows what a question asks for, chosen by a strategy; None if there is none, or none is known.

    In an abstraction no run is certain: then it is one that the code may have.
    """
    evaluation = reply.evaluation
    # What a strategy says is held against the model even where there is no run.
    prices = Prices(reply, vocabulary or Vocabulary(), facts).table(strategy)
    truth = evaluation.at_start()
    if truth is False or evaluation.is_fixed(evaluation.formula):
        return None
    abstract = evaluation.model.origin.relation is Relation.OVER
    for sure in ([True] if truth else []) + ([False] if abstract else []):
        found = _Choice(evaluation, strategy, prices, sure=sure).chosen()
        if found is not None:
            fairness = () if evaluation.fair is None else evaluation.fair.fairness
            wrong = objection(found, evaluation.formula, evaluation.model, fairness)
            assert not wrong, f"a run was found that is no witness: {wrong}"
            return found
    return None


@final
class _Choice:
    """Chooses between runs by a strategy."""

    def __init__(self, evaluation: Evaluation, strategy: Strategy, prices: Longs, *, sure: bool) -> None:
        self._evaluation = evaluation
        self._strategy = strategy
        self._sure = sure
        self._ground = Ground(evaluation.positions, evaluation.positions.existing(sure=sure), prices)
        self._search = Search(evaluation, self._ground, sure=sure)

    def chosen(self) -> AnnotatedPath | None:
        if self._strategy.greedy:
            found = self._search.greedy(self._strategy.aims)
        else:
            found = min(self._candidates(), key=self._cost, default=None)
        return None if found is None else self._annotated(found)

    def _candidates(self) -> Iterator[Candidate]:
        """One of these costs least, as far as that can be found.

        A run that visits as few states twice as possible is hard to find (to go through a given state without visiting
        any twice is NP-complete). There are several tries: step by step, and around what was visited twice.
        """
        found = self._search.least()
        if found is None:
            return
        yield found
        visits = [(number, aim.sense) for number, aim in enumerate(self._strategy.aims) if isinstance(aim, Visited)]
        if not visits:
            return
        by_steps = self._search.greedy(self._strategy.aims)
        assert by_steps is not None
        yield by_steps
        prices = self._ground.steps.copy()
        for _ in range(_TRIES):
            twice = self._visited_twice(found)
            if not twice:
                return
            again = np.isin(self._ground.targets, twice)
            for number, sense in visits:
                prices[:, number] += again if sense is Sense.AVOID else ~again
            found = self._search.least(Ground(self._ground.positions, self._ground.allowed, prices))
            assert found is not None
            yield found

    def _visited_twice(self, candidate: Candidate) -> list[int]:
        start = self._evaluation.model.initial
        states = [start, *(int(self._ground.targets[p]) for p in candidate.positions)]
        if candidate.loop is not None:
            states.pop()
        return sorted(state for state, count in Counter(states).items() if count > 1)

    def _cost(self, candidate: Candidate) -> tuple[int, ...]:
        """What a run costs: for each aim, and at last how many steps it has."""
        costs = list(self._ground.cost_of(candidate.positions))
        for number, aim in enumerate(self._strategy.aims):
            if isinstance(aim, Visited):
                costs[number] = self._visits(candidate, aim.sense)
        return tuple(costs)

    def _visits(self, candidate: Candidate, sense: Sense) -> int:
        """How many steps lead to where the run has been, or do not; that a round comes back does not count."""
        met = {self._evaluation.model.initial}
        count = 0
        for position in candidate.positions if candidate.loop is None else candidate.positions[:-1]:
            target = int(self._ground.targets[position])
            count += (target in met) is (sense is Sense.AVOID)
            met.add(target)
        return count

    def _annotated(self, candidate: Candidate) -> AnnotatedPath:
        positions = self._evaluation.positions
        start = self._evaluation.model.initial
        states = [start, *(int(positions.targets[p]) for p in candidate.positions)]
        owed = [way.owed for way in candidate.ways]
        if candidate.loop is None and len(owed) < len(states):
            owed.append(())
        moments = tuple(Moment(state, formulas) for state, formulas in zip(states, owed, strict=False))
        run = Run(candidate.positions, candidate.loop)
        return AnnotatedPath(path_of(positions, start, run), run, moments, self._sure, self._cost(candidate))
