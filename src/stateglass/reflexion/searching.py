"""Finds all transitions: random valuations find most, the solver the rest, and proves that there are no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, final

from stateglass.reflexion.carried import Carried
from stateglass.reflexion.chance import Chance, Ground, Pair, Valuation
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.proving import ProofTask, Proved, prove
from stateglass.reflexion.working import HARDEST, Clock, Workers, shares
from stateglass.smt import Answer, Solver, Term, Unanswered

LEAST_TOGETHER: Final = 4
"""Sources of one task."""
MOST_TOGETHER: Final = 48


@final
class Search:
    """One search for valuations; everything found is kept for later questions."""

    def __init__(self, encoding: Encoding, effort: int, clock: Clock, seed: int = 1) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._effort = effort
        self._clock = clock
        self._ground = Ground(encoding.formula)
        self._chance = Chance(self._ground, seed)
        self.undecided: set[int] = set()  # sources of which not all transitions may be known
        self._solver = Solver(effort, clock.left, HARDEST * effort)
        self._solver.add(encoding.counts)

    @property
    def pairs(self) -> dict[Pair, Valuation]:
        """A valuation for each transition."""
        return self._chance.pairs

    def targets(self, source: int) -> Sequence[int]:
        """Where calls lead from a state, in the order in which it was found out."""
        return self._chance.targets.get(source, ())

    def by_chance(self) -> None:
        self._chance.search()

    def complete(self, sources: Iterable[int], workers: Workers, progress: Callable[[int], None]) -> None:
        """Finds every transition out of some states; those for which that was not possible are `undecided`."""
        carried = Carried(self._encoding.formula)
        every, tasks = list(sources), []
        for some in shares(every, LEAST_TOGETHER, MOST_TOGETHER):
            known = tuple(tuple(self.targets(s)) for s in some)
            total = max(self._effort, HARDEST * self._effort * len(some) // len(every))
            tasks.append(ProofTask(carried, some, known, self._effort, total, self._clock.left))
        done = 0
        try:
            for task, proved in zip(tasks, workers.map(prove, tasks), strict=True):
                self._take(proved)
                done += len(task.sources)
                progress(done)
        except KeyboardInterrupt:
            self._clock.interrupt()
            self.undecided.update(every[done:])

    def _take(self, proved: Proved) -> None:
        variables = self._chance.variables
        self.undecided.update(proved.undecided)
        self._clock.note(late=proved.late)
        for pair, values in proved.found:
            if pair not in self.pairs:
                self._chance.keep(pair, dict(zip(variables, values, strict=True)))

    def pair_of(self, valuation: Valuation) -> Pair:
        """Where one valuation is, and where the call leads."""
        return self._ground.placing.pair_of(valuation)

    def may_be(self, *facts: Term) -> bool:
        """Whether there is a valuation for which all of some facts are true."""
        if self._clock.interrupted:
            raise Unanswered
        try:
            answer = self._solver.check(facts)
        except KeyboardInterrupt:
            self._clock.interrupt()
            raise Unanswered from None
        if answer is Answer.UNKNOWN:
            self._clock.note(late=self._solver.late)
            raise Unanswered
        return answer is Answer.YES

    def example(self, *facts: Term) -> Valuation | None:
        """A simple valuation for which all of some facts are true; None if there is none."""
        if not self.may_be(*facts):
            return None
        return self._chance.simplest(facts, {v: self._solver.value(v) for v in self._terms.variables})
