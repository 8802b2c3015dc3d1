"""Finds the transitions that chance has missed, and proves that there are no others: for some sources at a time.

What comes out depends on the task alone, not on the process that does it nor on what was done before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.reflexion.carried import Carried
from stateglass.reflexion.chance import Chance, Ground, Pair
from stateglass.smt import Answer, Solver, Term

GROUP: Final = 24
"""Sources that one question to the solver is about.

Unsat cores do not generalise a proof any better: what rules out further targets of a state names those that were found,
which are others for each state. With one question for each core, 720 states need 719 questions (1.0 s), in groups 91
(0.5 s).
"""


@final
@dataclass(frozen=True, slots=True)
class ProofTask:
    """What another process needs to know."""

    carried: Carried
    sources: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]  # where calls are known to lead from each of them
    effort: int  # of one question to the solver
    total: int  # of all together
    seconds: float | None  # that are left for everything


@final
@dataclass(frozen=True, slots=True)
class Proved:
    """What was found. A valuation is the values of all variables of the formula, in the order of their terms."""

    found: tuple[tuple[Pair, tuple[int, ...]], ...]
    undecided: tuple[int, ...]  # sources of which not all transitions may be known
    late: bool  # there was no time left


def prove(task: ProofTask) -> Proved:
    ground, _ = task.carried.made()
    prover = _Prover(ground, task)
    prover.complete()
    chance = prover.chance
    found = tuple((pair, tuple(v.get(x, 0) for x in chance.variables)) for pair, v in chance.pairs.items())
    return Proved(found, tuple(sorted(prover.undecided)), prover.solver.late)


@final
class _Prover:
    """Works on one task."""

    def __init__(self, ground: Ground, task: ProofTask) -> None:
        self._ground = ground
        self._formula = formula = ground.formula
        self._terms = formula.terms
        self._sources = list(task.sources)
        self._known = {source: set(targets) for source, targets in zip(task.sources, task.known, strict=True)}
        self.chance = Chance(ground, seed=task.sources[0])
        self.undecided: set[int] = set()
        self.solver = Solver(task.effort, task.seconds, task.total)
        self.solver.add(formula.counts)

    def complete(self) -> None:
        """Finds every transition out of the states; those for which that was not possible are `undecided`."""
        formula = self._formula
        eventful = self._eventful()
        for start in range(0, len(self._sources), GROUP):
            group = self._sources[start : start + GROUP]
            # Most often no transition is left even if nothing ever went wrong in a call, which is easier to prove.
            if not self._complete(group, formula.would_lead_to, self._terms.true, tentative=True):
                self._complete(group, formula.leads_to, formula.returns)
            if eventful is not None:
                self._complete(group, formula.leads_to, eventful)

    def _eventful(self) -> Term | None:
        """That a call ends early, as a term; None if no call does. One question, instead of one for each event."""
        early = self._terms.negation(self._formula.returns)
        return early if self.solver.check([early]) is not Answer.NO else None

    def _complete(
        self, group: Sequence[int], leads_to: Callable[[int], Term], within: Term, *, tentative: bool = False
    ) -> bool:
        """Finds what is left, halving a group that is too hard; `tentative`: only whether nothing is left.

        True if it is proven that nothing is left.
        """
        while True:
            new = self._terms.either(*(self._unfound(s, leads_to) for s in group))
            answer = self.solver.check([new, within])
            if answer is Answer.NO:
                return True
            if answer is Answer.YES and self._note():
                continue
            assert answer is not Answer.YES or tentative
            if tentative:
                return False
            if len(group) == 1 or self.solver.late:
                self.undecided.update(group)
                return False
            middle = len(group) // 2
            first = self._complete(group[:middle], leads_to, within)
            return self._complete(group[middle:], leads_to, within) and first

    def _note(self) -> bool:
        """Keeps the valuation that the solver has found; whether its transition was not known before."""
        chance = self.chance
        valuation = {v: self.solver.value(v) for v in chance.variables}
        before = set(chance.pairs)
        pair = chance.search_near(valuation)
        if pair is None:
            pair = self._ground.placing.pair_of(valuation)
            chance.keep(pair, valuation)
        return pair not in before and pair[1] not in self._known.get(pair[0], ())

    def _unfound(self, source: int, leads_to: Callable[[int], Term]) -> Term:
        known = self._known[source] | set(self.chance.targets.get(source, ()))
        found = [leads_to(t) for t in sorted(known)]
        return self._terms.both(self._formula.here(source), self._terms.negation(self._terms.either(*found)))
