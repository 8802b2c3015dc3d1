"""The exact condition under which each transition is taken, over the comparisons that the code itself makes.

A condition is a disjunction of prime implicants: a call that takes the transition gives a conjunction of comparisons,
the solver says which of them are enough, and the next call is one that the conditions so far do not cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

from stateglass.program import Scalar
from stateglass.reflexion.comparisons import Comparison, comparisons_in
from stateglass.reflexion.constants import constants_for
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.formula import Formula
from stateglass.reflexion.sentences import Case, Literal, Sentences
from stateglass.reflexion.simplifying import Simplifier
from stateglass.reflexion.wording import Vocabulary
from stateglass.reflexion.working import Clock, Workers, shares
from stateglass.smt import Answer, Operator, Packed, Solver, Term, needed

MOST_CASES: Final = 24
"""A condition with more alternatives than this is not one that a person reads."""
MOST_UNTOLD: Final = 8
"""After so many calls that no comparison tells from others, no more of them are looked at."""
MOST_NECESSARY: Final = 40
"""So many comparisons that hold whenever a transition is taken are looked at."""
LEAST_TOGETHER: Final = 16
"""Transitions of one task."""
MOST_TOGETHER: Final = 64

PLACE: Final = " == &"
"""What a pointer is compared with."""
_HARD: Final = frozenset(
    {
        Operator.MULTIPLY,
        Operator.DIVIDE,
        Operator.REMAINDER,
        Operator.SIGNED_DIVIDE,
        Operator.SIGNED_REMAINDER,
        Operator.MULTIPLY_OVERFLOWS,
    }
)

Wanted = tuple[int, tuple[int, ...]]
"""A transition: the number of its source, and of all that count as its target."""


Words = tuple[str, str, str, str, str]
"""A comparison, its opposite, both in brief, and what the first one says so that those have a meaning."""


@final
@unique
class Unfound(Enum):
    """Why a condition is not exact, or not there."""

    UNTOLD = "the comparisons that there are words for do not tell it"
    MANY = "it has too many cases"
    QUESTIONS = "there are no questions left (--conditions)"
    UNANSWERED = ""  # the clock knows


@final
@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one transition. Comparisons are numbered: each, and behind it its opposite."""

    text: str = ""
    why: Unfound | None = None  # None: it is exact
    cases: tuple[tuple[int, ...], ...] = ()
    is_wide: bool = False  # it always holds when the transition is taken, and not only then


@final
@dataclass(frozen=True, slots=True)
class ConditionTask:
    """What another process needs to know."""

    data: Packed
    states: int
    events: int
    words: tuple[Words, ...]  # for each comparison that was packed with the formula
    names: tuple[tuple[str, Scalar], ...]  # of the unknowns that were packed behind them
    vocabulary: Vocabulary
    wanted: tuple[Wanted, ...]
    questions: int  # that may be asked
    effort: int
    seconds: float | None


def find_conditions(
    encoding: Encoding,
    comparisons: Sequence[Comparison],
    wanted: Sequence[Wanted],
    questions: int,
    effort: int,
    clock: Clock,
    workers: Workers,
) -> Iterator[Found]:
    """The condition of each transition, over some comparisons."""
    formula, names = encoding.formula, encoding.names()
    packed = [t for c in comparisons for t in (c.term, c.opposite, c.undefined)]
    data = formula.packed([*packed, *names])
    words = tuple((c.text, c.opposite_text, c.brief, c.opposite_brief, c.guard) for c in comparisons)
    named, vocabulary = tuple(names.values()), vocabulary_of(encoding)
    size = len(formula.inside), len(formula.events)
    tasks = []
    for part in shares(wanted, LEAST_TOGETHER, MOST_TOGETHER):
        allowed = -(-questions * len(part) // len(wanted))
        tasks.append(ConditionTask(data, *size, words, named, vocabulary, part, allowed, effort, clock.left))
    for found, late in workers.map(conditions, tasks):
        clock.note(late=late)
        yield from found


def usable_comparisons(encoding: Encoding, effort: int, clock: Clock) -> list[Comparison]:
    """Those that conditions can be made of."""
    solver = Solver(effort, clock.left)
    solver.add(encoding.counts)
    found = comparisons_in(encoding, vocabulary_of(encoding), solver)
    clock.note(late=solver.late)
    return found


def vocabulary_of(encoding: Encoding) -> Vocabulary:
    program = encoding.unknowns.machine.program
    names = (name for name, _ in encoding.names().values())
    return Vocabulary(program.enums, constants_for(program, encoding.unknowns.function, names))


def conditions(task: ConditionTask) -> tuple[list[Found], bool]:
    """What was found, and whether there was too little time."""
    formula, more = Formula.unpacked(task.data, task.states, task.events)
    compared = 3 * len(task.words)
    finding = _Finding(formula, more[:compared], dict(zip(more[compared:], task.names, strict=True)), task)
    found = [finding.of(source, targets) for source, targets in task.wanted]
    return found, finding.late


@final
class _GivenUp(Exception):
    """There are no questions left, or one was not answered."""

    def __init__(self, why: Unfound) -> None:
        super().__init__(why)
        self.why = why


@final
class _Finding:
    """Works on one task."""

    def __init__(
        self,
        formula: Formula,
        packed: Sequence[Term],
        names: Mapping[Term, tuple[str, Scalar]],
        task: ConditionTask,
    ) -> None:
        """For each comparison three terms were packed: it and its opposite, and where their brief words fail."""
        self._formula = formula
        self._terms = formula.terms
        self._solver = Solver(task.effort, task.seconds)
        self._solver.add(formula.counts)
        self._left = task.questions
        self._atoms = list(zip(packed[::3], packed[1::3], strict=True))
        self._literals: dict[Term, Literal] = {}
        self._numbers: dict[Term, int] = {}
        for number, (text, opposite_text, brief, opposite_brief, guard) in enumerate(task.words):
            atom, opposite, undefined = packed[3 * number : 3 * number + 3]
            self._literals[atom] = Literal(text, brief, undefined, guard)
            self._literals[opposite] = Literal(opposite_text, opposite_brief, undefined, is_loose=guard != "")
            self._numbers[atom], self._numbers[opposite] = 2 * number, 2 * number + 1
        self._sentences = Sentences(formula.terms, self._literals)
        texts = {term: literal.text for term, literal in self._literals.items()}
        self._simplifier = Simplifier(formula, names, task.vocabulary, texts, (task.effort, task.seconds))

    @property
    def late(self) -> bool:
        return self._solver.late or self._simplifier.late

    def of(self, source: int, targets: Sequence[int]) -> Found:
        here = self._formula.here(source)
        there = self._terms.either(*(self._formula.leads_to(t) for t in targets))
        cases: list[Case] = []
        try:
            why = self._find(cases, here, there)
            if cases or why is None:
                return self._found(self._needed(cases, here), why, here)
            return self._wide(here, there, why)
        except _GivenUp as given_up:
            return self._found(cases, given_up.why, here) if cases else Found(why=given_up.why)

    def _ask(self, facts: Iterable[Term]) -> Answer:
        if self._left <= 0:
            raise _GivenUp(Unfound.QUESTIONS)
        self._left -= 1
        return self._solver.check(facts)

    def _check(self, facts: Iterable[Term]) -> bool:
        """Whether there is a valuation."""
        answer = self._ask(facts)
        if answer is Answer.UNKNOWN:
            raise _GivenUp(Unfound.UNANSWERED)
        return answer is Answer.YES

    def _find(self, cases: list[Case], here: Term, there: Term) -> Unfound | None:
        """Find cases in which a transition is taken; why there are others, if there are."""
        terms, solver = self._terms, self._solver
        elsewhere = terms.negation(there)
        if not self._check([here, elsewhere]):
            cases.append(())
            return None
        uncovered = [here, there]
        untold = 0
        while len(cases) < MOST_CASES and untold < MOST_UNTOLD:
            if not self._check(uncovered):
                return Unfound.UNTOLD if untold else None
            case = [atom if solver.value(atom) else opposite for atom, opposite in self._atoms]
            enough = self._enough(case, here, elsewhere)
            if enough is None:
                untold += 1
            else:
                case = self._best(enough, here, elsewhere)
                cases.append(tuple(case))
            uncovered.append(terms.negation(terms.both(*case)))
        return Unfound.UNTOLD if untold else Unfound.MANY

    def _enough(self, case: list[Term], here: Term, elsewhere: Term) -> list[Term] | None:
        """Comparisons of a call that tell it from those that lead elsewhere, simple ones if these will do."""
        plain = [c for c in case if not self._literals[c].is_loose]
        easy = [c for c in plain if not self._is_hard(c)]
        answers = []
        for some in {len(some): some for some in (easy, plain, case)}.values():
            answers.append(self._ask([here, elsewhere, *some]))
            if answers[-1] is Answer.NO:
                return some
        if Answer.UNKNOWN in answers:
            raise _GivenUp(Unfound.UNANSWERED)
        return None

    def _is_hard(self, literal: Term) -> bool:
        """Whether a comparison is of what solvers find hard to compute."""
        return any(
            t.operator in _HARD and all(o.operator is not Operator.VALUE for o in t.operands) for t in needed([literal])
        )

    def _found(self, cases: list[Case], why: Unfound | None, here: Term) -> Found:
        # In the order of the code.
        cases = sorted(cases, key=lambda case: sorted(self._numbers[c] for c in case))
        return Found(self._text(cases, here), why, tuple(tuple(self._numbers[c] for c in case) for case in cases))

    def _text(self, cases: list[Case], here: Term) -> str:
        """In as few words as there are."""

        def never(fact: Term) -> bool:
            return self._solver.check([here, fact]) is Answer.NO

        def simplified(some: Sequence[Case]) -> str | None:
            return self._simplifier.text(some, here)

        text = simplified(cases) or self._sentences.written(cases)
        brief = self._sentences.brief(cases, never, simplified)
        return text if brief is None else min(text, brief, key=len)

    def _wide(self, here: Term, there: Term, why: Unfound) -> Found:
        """What always holds when a transition is taken, though not only then."""
        try:
            case = self._necessary(here, there)
        except _GivenUp:
            case = []
        if not case:
            return Found(why=why)
        found = self._found([tuple(case)], why, here)
        return Found(found.text, why, found.cases, is_wide=True)

    def _necessary(self, here: Term, there: Term) -> list[Term]:
        terms, solver = self._terms, self._solver
        self._check([here, there])
        case = [atom if solver.value(atom) else opposite for atom, opposite in self._atoms]
        while case and self._check([here, there, terms.negation(terms.both(*case))]):
            case = [c for c in case if solver.value(c)]
        case = sorted(case, key=lambda c: len(self._literals[c].text))[:MOST_NECESSARY]
        for literal in reversed(case):
            rest = [c for c in case if c is not literal]
            if not self._check([here, *rest, terms.negation(literal)]):
                case = rest
        return case

    def _best(self, case: list[Term], here: Term, elsewhere: Term) -> list[Term]:
        """What of a conjunction is enough: the widest there is; of equally wide ones, what a person reads best.

        A value says more than a range, and a range more than what a value is not.
        """
        best: list[Term] | None = None
        for unwanted in ((" != ", " < ", " > ", " <= ", " >= "), (" != ",), ()):
            some = [c for c in case if not any(u in self._literals[c].text for u in unwanted)]
            if self._ask([here, elsewhere, *some]) is not Answer.NO:
                continue
            enough = set(self._solver.core())
            found = self._smallest([c for c in some if c in enough], [here, elsewhere])
            if best is None or (self._implies(here, best, found) and not self._implies(here, found, best)):
                best = found
        if best is None:  # the solver does not always give the same answer at the same cost
            raise _GivenUp(Unfound.UNANSWERED)
        return self._without_places(best, case, here, elsewhere)

    def _without_places(self, best: list[Term], case: list[Term], here: Term, elsewhere: Term) -> list[Term]:
        """To lead anywhere but to null is wider than to lead to one of many places, if that is enough."""
        for place in [c for c in best if PLACE in self._literals[c].text]:
            others = [c for c in case if c in best or PLACE not in self._literals[c].text]
            others.remove(place)
            if self._ask([here, elsewhere, *others]) is Answer.NO:
                enough = set(self._solver.core())
                found = self._smallest([c for c in others if c in enough], [here, elsewhere])
                if self._implies(here, best, found) and not self._implies(here, found, best):
                    best = found
        return best

    def _implies(self, here: Term, one: list[Term], other: list[Term]) -> bool:
        return self._ask([here, *one, self._terms.negation(self._terms.both(*other))]) is Answer.NO

    def _smallest(self, case: list[Term], context: list[Term]) -> list[Term]:
        """Leave out what is not needed, the longest words first."""
        for literal in sorted(case, key=lambda c: (-len(self._literals[c].text), c.number)):
            rest = [c for c in case if c is not literal]
            if self._ask([*context, *rest]) is Answer.NO:
                needed = set(self._solver.core())
                case = [c for c in rest if c in needed]
        return case

    def _needed(self, cases: list[Case], here: Term) -> list[Case]:
        """Without those that the others cover."""
        terms, left = self._terms, list(cases)
        for case in cases if len(cases) <= self._left else ():
            others = [terms.negation(terms.both(*c)) for c in left if c is not case]
            if len(left) > 1 and self._ask([here, *case, *others]) is Answer.NO:
                left.remove(case)
        return left
