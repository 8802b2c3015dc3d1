"""The exact condition under which each transition is taken, over the comparisons that the code itself makes.

A condition is a disjunction of prime implicants: a call that takes the transition gives a conjunction of comparisons,
of which as many are left out as known calls that do not take it allow. The solver says whether the rest is enough, or
gives one more such call; and whether there is a call that the conjunctions so far do not cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.evidence import Condition
from stateglass.reflexion.chance import Pair, Valuation
from stateglass.reflexion.comparisons import comparisons_in
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.formula import Formula
from stateglass.reflexion.samples import Samples, Truths
from stateglass.reflexion.working import Clock, Workers, shares
from stateglass.smt import Answer, Operator, Packed, Solver, Term, evaluated, needed

MOST_CASES: Final = 24
"""A condition with more alternatives than this is not one that a person reads."""
LEAST_TOGETHER: Final = 16
"""Transitions of one task."""
MOST_TOGETHER: Final = 128
HARD: Final = 25
"""A question counts once more for each time that it costs so much effort."""

Wanted = tuple[int, tuple[int, ...]]
"""A transition: the number of its source, and of all that count as its target."""
Literal = tuple[int, bool]
"""A comparison by its place, and whether it holds."""
Case = tuple[Literal, ...]
"""All of these hold."""


@final
@dataclass(frozen=True, slots=True)
class ConditionTask:
    """What another process needs to know."""

    data: Packed
    states: int
    events: int
    words: tuple[tuple[str, str], ...]  # for each comparison that was packed with the formula, and its opposite
    wanted: tuple[Wanted, ...]
    examples: tuple[tuple[Pair, tuple[int, ...]], ...]  # of transitions: the values of the formula's variables
    questions: int  # that may be asked
    effort: int
    seconds: float | None


def find_conditions(
    encoding: Encoding,
    wanted: Sequence[Wanted],
    examples: Mapping[Pair, Valuation],
    questions: int,
    effort: int,
    clock: Clock,
    workers: Workers,
) -> Iterator[Condition | None]:
    """The condition of each transition; None where so many questions did not find it, or the solver gave up."""
    if not wanted:
        return
    solver = Solver(effort, clock.left, total=effort)
    solver.add(encoding.counts)
    comparisons = comparisons_in(encoding, solver)
    formula = encoding.formula
    data = formula.packed([t for c in comparisons for t in (c.term, c.opposite)])
    words = tuple((c.text, c.opposite_text) for c in comparisons)
    size = len(formula.inside), len(formula.events)
    variables = formula.variables
    known: dict[int, list[tuple[Pair, tuple[int, ...]]]] = {}
    for pair, valuation in examples.items():
        known.setdefault(pair[0], []).append((pair, tuple(valuation.get(v, 0) for v in variables)))
    tasks = []
    for part in shares(wanted, LEAST_TOGETHER, MOST_TOGETHER):
        allowed = -(-questions * len(part) // len(wanted))
        near = tuple(e for source in dict.fromkeys(s for s, _ in part) for e in known.get(source, ()))
        tasks.append(ConditionTask(data, *size, words, part, near, allowed, effort, clock.left))
    for found, late in workers.map(conditions, tasks):
        clock.note(late=late)
        yield from found


def conditions(task: ConditionTask) -> tuple[list[Condition | None], bool]:
    """What was found, and whether there was too little time."""
    formula, more = Formula.unpacked(task.data, task.states, task.events)
    finding = _Finding(formula, list(zip(more[::2], more[1::2], task.words, strict=True)), task)
    found = [finding.of(source, targets) for source, targets in task.wanted]
    return found, finding.late


@final
class _GivenUp(Exception):
    """There are no questions left, or one is too hard."""


@final
@dataclass(frozen=True, slots=True)
class _Edge:
    """A transition as what the solver is asked."""

    source: int
    targets: tuple[int, ...]
    here: Term
    there: Term
    elsewhere: Term


@final
class _Finding:
    """Works on one task."""

    def __init__(
        self, formula: Formula, comparisons: Sequence[tuple[Term, Term, tuple[str, str]]], task: ConditionTask
    ) -> None:
        self._formula = formula
        self._terms = formula.terms
        self._solver = Solver(task.effort, task.seconds)
        self._solver.add(formula.counts)
        self._left = task.questions
        self._atoms = [(atom, opposite) for atom, opposite, _ in comparisons]
        self._words: dict[Term, str] = {}
        for atom, opposite, (text, opposite_text) in comparisons:
            self._words[atom], self._words[opposite] = text, opposite_text
        every = [atom for atom, _ in self._atoms]
        self._variables = [t for t in needed(every) if t.operator is Operator.VARIABLE]
        variables = formula.variables
        examples = {pair: dict(zip(variables, values, strict=True)) for pair, values in task.examples}
        self._samples = Samples(formula, every, examples)
        self._targets: dict[int, dict[int, None]] = {}  # of each source, all that anybody asks for
        for source, targets in task.wanted:
            self._targets.setdefault(source, {}).update(dict.fromkeys(targets))

    @property
    def late(self) -> bool:
        return self._solver.late

    def of(self, source: int, targets: tuple[int, ...]) -> Condition | None:
        there = self._terms.either(*(self._formula.leads_to(t) for t in targets))
        edge = _Edge(source, targets, self._formula.here(source), there, self._terms.negation(there))
        try:
            return self._condition(edge)
        except _GivenUp:
            return None

    def _check(self, facts: Iterable[Term]) -> Answer:
        if self._left <= 0:
            raise _GivenUp
        answer = self._solver.check(facts)
        self._left -= 1 + self._solver.spent // HARD
        return answer

    def _is_none(self, edge: _Edge, *facts: Term) -> bool:
        """Whether there is no such call from the source; one that there is becomes known."""
        answer = self._check([edge.here, *facts])
        if answer is Answer.UNKNOWN:
            raise _GivenUp
        if answer is Answer.YES:
            self._keep(edge)
        return answer is Answer.NO

    def _keep(self, edge: _Edge) -> None:
        """The call that the solver has found."""
        value, ends = self._solver.value, self._targets[edge.source]
        target = next((t for t in ends if value(self._formula.leads_to(t))), -1)
        truths = evaluated([atom for atom, _ in self._atoms], {v: value(v) for v in self._variables})
        self._samples.add(edge.source, target, np.array(truths, np.bool_))

    def _condition(self, edge: _Edge) -> Condition | None:
        if not len(self._others(edge)) and self._is_none(edge, edge.elsewhere):
            return Condition("always", exact=True)
        cases: list[Case] = []
        while len(cases) < MOST_CASES:
            calls = self._uncovered(edge, cases)
            if not len(calls):
                return Condition(self._text(self._in_order(self._needed(edge, cases))), exact=True)
            case = self._best(edge, calls)
            if case is None:
                break
            cases.append(case)
        return self._too_narrow(self._in_order(cases))

    def _in_order(self, cases: Iterable[Case]) -> list[tuple[Term, ...]]:
        """In that of the comparisons in the code."""
        return [self._said(c) for c in sorted(tuple(sorted(case)) for case in cases)]

    def _said(self, case: Case) -> tuple[Term, ...]:
        return tuple(self._atoms[place][0 if holds else 1] for place, holds in case)

    def _not(self, case: Case) -> Term:
        return self._terms.negation(self._terms.both(*self._said(case)))

    # ---- calls that are known

    def _others(self, edge: _Edge) -> Truths:
        """What holds before calls from the source that do not take the transition."""
        targets, truths = self._samples.of(edge.source)
        return truths[~np.isin(targets, edge.targets)]

    def _uncovered(self, edge: _Edge, cases: Sequence[Case]) -> Truths:
        """What holds before calls that take the transition and are in none of some cases; nothing if there are none."""
        while True:
            targets, truths = self._samples.of(edge.source)
            mine = truths[np.isin(targets, edge.targets)]
            left: Truths = mine[~self._in_any(cases, mine)]
            if len(left) or self._is_none(edge, edge.there, *map(self._not, cases)):
                return left

    def _in_any(self, cases: Iterable[Case], truths: Truths) -> Truths:
        """Of which calls all of a case holds."""
        found = np.zeros(len(truths), np.bool_)
        for case in cases:
            found |= np.logical_and.reduce([truths[:, place] == holds for place, holds in case], axis=0)
        return found

    # ---- what is enough

    def _best(self, edge: _Edge, calls: Truths) -> Case | None:
        """What of all that holds before the first of some calls is enough: the widest there is; of equally wide ones,
        what a person reads best. A value says more than a range, and a range more than what a value is not. None:
        nothing is."""
        call = calls[0]
        words = self._words_of(call)
        held, told = (calls == call).sum(axis=0), (self._others(edge) != call).sum(axis=0)
        order = sorted(range(len(call)), key=lambda n: (held[n], told[n], -len(words[n]), -n))
        best: Case | None = None
        for unwanted in ((" != ", " < ", " > ", " <= ", " >= "), (" != ",), ()):
            some = tuple((n, bool(call[n])) for n in order if not any(u in words[n] for u in unwanted))
            found = self._smallest(edge, some, best)
            if found is not None and (best is None or self._is_wider(edge, found, best)):
                best = found
        return best

    def _words_of(self, call: Truths) -> list[str]:
        return [self._words[self._atoms[n][0 if holds else 1]] for n, holds in enumerate(call)]

    def _smallest(self, edge: _Edge, case: Case, known: Case | None) -> Case | None:
        """A case without what is not needed, the first parts first; None if all of it is not enough.

        `known` is one that is enough.
        """
        places, holds = [place for place, _ in case], [holds for _, holds in case]
        while True:
            refuting = self._others(edge)[:, places] != holds
            counts = refuting.sum(axis=1)
            if not counts.all():
                return None
            kept = []
            for number, literal in enumerate(case):
                by_it = refuting[:, number]
                if (counts[by_it] > 1).all():
                    counts -= by_it
                else:
                    kept.append(literal)
            found = tuple(kept)
            if (known and set(known) <= set(found)) or self._is_none(edge, edge.elsewhere, *self._said(found)):
                return found

    def _is_wider(self, edge: _Edge, one: Case, other: Case) -> bool:
        return self._implies(edge, other, one) and not self._implies(edge, one, other)

    def _implies(self, edge: _Edge, one: Case, other: Case) -> bool:
        if set(other) <= set(one):
            return True
        _, truths = self._samples.of(edge.source)
        if (self._in_any([one], truths) & ~self._in_any([other], truths)).any():
            return False
        return self._is_none(edge, *self._said(one), self._not(other))

    def _needed(self, edge: _Edge, cases: list[Case]) -> list[Case]:
        """Without those that the others cover."""
        left = list(cases)
        _, truths = self._samples.of(edge.source)
        for case in cases:
            others = [c for c in left if c is not case]
            if not others or (self._in_any([case], truths) & ~self._in_any(others, truths)).any():
                continue
            if self._is_none(edge, *self._said(case), *map(self._not, others)):
                left.remove(case)
        return left

    # ---- words

    def _too_narrow(self, cases: list[tuple[Term, ...]]) -> Condition | None:
        if not cases:
            return None
        return Condition(
            self._text(cases), exact=False, note="and in other cases that the code's comparisons do not tell"
        )

    def _text(self, cases: list[tuple[Term, ...]]) -> str:
        """What all cases have in common comes first."""
        common = [c for c in cases[0] if all(c in case for case in cases)]
        rests = [[c for c in case if c not in common] for case in cases]
        parts = [self._all(common)] if common else []
        if len(cases) > 1:
            texts = [self._all(rest) for rest in rests]
            either = " || ".join(f"({t})" if " && " in t else t for t in texts)
            parts.append(f"({either})" if common else either)
        elif rests[0]:
            parts.append(self._all(rests[0]))
        return " && ".join(parts) or "always"

    def _all(self, case: Iterable[Term]) -> str:
        words = [self._words[c] for c in sorted(case, key=lambda c: c.number)]
        return " && ".join(f"({w})" if " || " in w and len(words) > 1 else w for w in words)
