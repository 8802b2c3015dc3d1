"""The exact condition under which each transition is taken, over the comparisons that the code itself makes.

A condition is a disjunction of prime implicants: a call that takes the transition gives a conjunction of comparisons,
the solver says which of them are enough, and the next call is one that the conditions so far do not cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Condition
from stateglass.program import Scalar
from stateglass.reflexion.comparisons import comparisons_in
from stateglass.reflexion.constants import constants_for
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.formula import Formula
from stateglass.reflexion.phrases import AND, OR, in_brackets
from stateglass.reflexion.simplifying import ALWAYS, Simplifier
from stateglass.reflexion.wording import Vocabulary
from stateglass.reflexion.working import Clock, Workers, shares
from stateglass.smt import Answer, Packed, Solver, Term

MOST_CASES: Final = 24
"""A condition with more alternatives than this is not one that a person reads."""
LEAST_TOGETHER: Final = 16
"""Transitions of one task."""
MOST_TOGETHER: Final = 64

Wanted = tuple[int, tuple[int, ...]]
"""A transition: the number of its source, and of all that count as its target."""


@final
@dataclass(frozen=True, slots=True)
class ConditionTask:
    """What another process needs to know."""

    data: Packed
    states: int
    events: int
    words: tuple[tuple[str, str], ...]  # for each comparison that was packed with the formula, and its opposite
    names: tuple[tuple[str, Scalar], ...]  # of the unknowns that were packed behind them
    vocabulary: Vocabulary
    wanted: tuple[Wanted, ...]
    questions: int  # that may be asked
    effort: int
    seconds: float | None


def find_conditions(
    encoding: Encoding, wanted: Sequence[Wanted], questions: int, effort: int, clock: Clock, workers: Workers
) -> Iterator[Condition | None]:
    """The condition of each transition; None where so many questions did not find it, or the solver gave up."""
    if not wanted:
        return
    solver = Solver(effort, clock.left)
    solver.add(encoding.counts)
    formula, names = encoding.formula, encoding.names()
    program = encoding.unknowns.machine.program
    constants = constants_for(program, encoding.unknowns.function, (name for name, _ in names.values()))
    vocabulary = Vocabulary(program.enums, constants)
    comparisons = comparisons_in(encoding, vocabulary, solver)
    data = formula.packed([*(t for c in comparisons for t in (c.term, c.opposite)), *names])
    words = tuple((c.text, c.opposite_text) for c in comparisons)
    named = tuple(names.values())
    size = len(formula.inside), len(formula.events)
    tasks = []
    for part in shares(wanted, LEAST_TOGETHER, MOST_TOGETHER):
        allowed = -(-questions * len(part) // len(wanted))
        tasks.append(ConditionTask(data, *size, words, named, vocabulary, part, allowed, effort, clock.left))
    for found, late in workers.map(conditions, tasks):
        clock.note(late=late)
        yield from found


def conditions(task: ConditionTask) -> tuple[list[Condition | None], bool]:
    """What was found, and whether there was too little time."""
    formula, more = Formula.unpacked(task.data, task.states, task.events)
    unknowns = len(task.names)
    compared, named = more[: len(more) - unknowns], more[len(more) - unknowns :]
    comparisons = list(zip(compared[::2], compared[1::2], task.words, strict=True))
    finding = _Finding(formula, comparisons, dict(zip(named, task.names, strict=True)), task)
    found = [finding.of(source, targets) for source, targets in task.wanted]
    return found, finding.late


@final
class _GivenUp(Exception):
    """There are no questions left."""


@final
class _Finding:
    """Works on one task."""

    def __init__(
        self,
        formula: Formula,
        comparisons: Sequence[tuple[Term, Term, tuple[str, str]]],
        names: Mapping[Term, tuple[str, Scalar]],
        task: ConditionTask,
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
        self._simplifier = Simplifier(formula, names, task.vocabulary, self._words, (task.effort, task.seconds))

    @property
    def late(self) -> bool:
        return self._solver.late or self._simplifier.late

    def of(self, source: int, targets: Sequence[int]) -> Condition | None:
        try:
            return self._condition(source, targets)
        except _GivenUp:
            return None

    def _check(self, facts: Iterable[Term]) -> Answer:
        if self._left <= 0:
            raise _GivenUp
        self._left -= 1
        return self._solver.check(facts)

    def _condition(self, source: int, targets: Sequence[int]) -> Condition | None:
        terms, solver = self._terms, self._solver
        here = self._formula.here(source)
        there = terms.either(*(self._formula.leads_to(t) for t in targets))
        elsewhere = terms.negation(there)
        if self._check([here, elsewhere]) is Answer.NO:
            return Condition(ALWAYS, exact=True)
        cases: list[tuple[Term, ...]] = []
        uncovered = [here, there]
        while len(cases) < MOST_CASES:
            answer = self._check(uncovered)
            if answer is Answer.NO:
                return Condition(self._text(self._needed(cases, here), here), exact=True)
            if answer is Answer.UNKNOWN:
                return None
            case = [atom if solver.value(atom) else opposite for atom, opposite in self._atoms]
            if self._check([here, elsewhere, *case]) is not Answer.NO:
                return self._too_narrow(cases, here)
            case = self._best(case, here, elsewhere)
            cases.append(tuple(case))
            uncovered.append(terms.negation(terms.both(*case)))
        return self._too_narrow(cases, here)

    def _best(self, case: list[Term], here: Term, elsewhere: Term) -> list[Term]:
        """What of a conjunction is enough: the widest there is; of equally wide ones, what a person reads best.

        A value says more than a range, and a range more than what a value is not.
        """
        best: list[Term] | None = None
        for unwanted in ((" != ", " < ", " > ", " <= ", " >= "), (" != ",), ()):
            some = [c for c in case if not any(u in self._words[c] for u in unwanted)]
            if self._check([here, elsewhere, *some]) is not Answer.NO:
                continue
            enough = set(self._solver.core())
            found = self._smallest([c for c in some if c in enough], [here, elsewhere])
            if best is None or (self._implies(here, best, found) and not self._implies(here, found, best)):
                best = found
        assert best is not None
        return best

    def _implies(self, here: Term, one: list[Term], other: list[Term]) -> bool:
        return self._check([here, *one, self._terms.negation(self._terms.both(*other))]) is Answer.NO

    def _too_narrow(self, cases: list[tuple[Term, ...]], here: Term) -> Condition | None:
        if not cases:
            return None
        return Condition(
            self._text(cases, here), exact=False, note="and in other cases that the code's comparisons do not tell"
        )

    def _smallest(self, case: list[Term], context: list[Term]) -> list[Term]:
        """Leave out what is not needed, the longest words first."""
        for literal in sorted(case, key=lambda c: (-len(self._words[c]), c.number)):
            rest = [c for c in case if c is not literal]
            if self._check([*context, *rest]) is Answer.NO:
                needed = set(self._solver.core())
                case = [c for c in rest if c in needed]
        return case

    def _needed(self, cases: list[tuple[Term, ...]], here: Term) -> list[tuple[Term, ...]]:
        """Without those that the others cover."""
        terms, left = self._terms, list(cases)
        for case in cases:
            others = [terms.negation(terms.both(*c)) for c in left if c is not case]
            if len(left) > 1 and self._check([here, *case, *others]) is Answer.NO:
                left.remove(case)
        return left

    def _text(self, cases: list[tuple[Term, ...]], here: Term) -> str:
        text = self._simplifier.text(cases, here)
        return text if text is not None else OR.join(in_brackets(self._all(c), len(c) > 1) for c in cases)

    def _all(self, case: Iterable[Term]) -> str:
        words = [self._words[c] for c in sorted(case, key=lambda c: c.number)]
        return AND.join(in_brackets(w, OR in w and len(words) > 1) for w in words)
