"""The exact condition under which each transition is taken, over the comparisons that the code itself makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.program import Scalar
from stateglass.reflexion.carried import Carried
from stateglass.reflexion.chance import Ground, Pair, Valuation
from stateglass.reflexion.comparisons import Comparison, comparisons_in
from stateglass.reflexion.constants import constants_for
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.implicants import Choices, GivenUp, Implicants, Transition, Unfound
from stateglass.reflexion.sentences import Case, Literal, Sentences
from stateglass.reflexion.simplifying import Simplifier
from stateglass.reflexion.wording import Vocabulary
from stateglass.reflexion.working import Clock, Workers, shares
from stateglass.smt import Answer, Solver, Term

LEAST_TOGETHER: Final = 16
"""Transitions of one task."""
MOST_TOGETHER: Final = 128

Wanted = tuple[int, tuple[int, ...]]
"""A transition: the number of its source, and of all that count as its target."""


Words = tuple[str, str, str, str, str]
"""A comparison, its opposite, both in brief, and what the first one says so that those have a meaning."""


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

    carried: Carried
    words: tuple[Words, ...]  # for each comparison that was packed with the formula
    names: tuple[tuple[str, Scalar], ...]  # of the unknowns that were packed behind them
    vocabulary: Vocabulary
    wanted: tuple[Wanted, ...]
    examples: tuple[tuple[Pair, tuple[int, ...]], ...]  # of transitions: the values of the formula's variables
    questions: int  # that may be asked
    effort: int
    seconds: float | None


def find_conditions(
    encoding: Encoding,
    comparisons: Sequence[Comparison],
    wanted: Sequence[Wanted],
    examples: Mapping[Pair, Valuation],
    questions: int,
    effort: int,
    clock: Clock,
    workers: Workers,
) -> Iterator[Found]:
    """The condition of each transition, over some comparisons."""
    formula, names = encoding.formula, encoding.names()
    packed = [t for c in comparisons for t in (c.term, c.opposite, c.undefined)]
    carried = Carried(formula, [*packed, *names])
    words = tuple((c.text, c.opposite_text, c.brief, c.opposite_brief, c.guard) for c in comparisons)
    named, vocabulary = tuple(names.values()), vocabulary_of(encoding)
    variables = formula.variables
    known: dict[int, list[tuple[Pair, tuple[int, ...]]]] = {}
    for pair, valuation in examples.items():
        known.setdefault(pair[0], []).append((pair, tuple(valuation.get(v, 0) for v in variables)))
    tasks = []
    for part in shares(wanted, LEAST_TOGETHER, MOST_TOGETHER):
        allowed = -(-questions * len(part) // len(wanted))
        near = tuple(e for source in dict.fromkeys(s for s, _ in part) for e in known.get(source, ()))
        tasks.append(ConditionTask(carried, words, named, vocabulary, part, near, allowed, effort, clock.left))
    for found, late in workers.map(conditions, tasks):
        clock.note(late=late)
        yield from found


def usable_comparisons(encoding: Encoding, effort: int, clock: Clock) -> list[Comparison]:
    """The comparisons of a function that conditions can be made of."""
    solver = Solver(effort, clock.left, total=effort)
    solver.add(encoding.counts)
    found = comparisons_in(encoding, vocabulary_of(encoding), solver)
    clock.note(late=solver.late)
    return found


def vocabulary_of(encoding: Encoding) -> Vocabulary:
    program = encoding.unknowns.machine.program
    names = (name for name, _ in encoding.names().values())
    return Vocabulary(encoding.unknowns.enums(), constants_for(program, encoding.unknowns.function, names))


def conditions(task: ConditionTask) -> tuple[list[Found], bool]:
    """The conditions that a task asks for, and whether there was too little time."""
    ground, more = task.carried.made()
    compared = 3 * len(task.words)
    finding = _Finding(ground, more[:compared], dict(zip(more[compared:], task.names, strict=True)), task)
    found = [finding.of(source, targets) for source, targets in task.wanted]
    return found, finding.late


@final
class _Finding:
    """Works on one task."""

    def __init__(
        self,
        ground: Ground,
        packed: Sequence[Term],
        names: Mapping[Term, tuple[str, Scalar]],
        task: ConditionTask,
    ) -> None:
        """For each comparison three terms were packed: it and its opposite, and where their brief words fail."""
        formula = ground.formula
        self._solver = Solver(task.effort, task.seconds)
        self._solver.add(formula.counts)
        atoms = list(zip(packed[::3], packed[1::3], strict=True))
        self._literals: dict[Term, Literal] = {}
        for number, (text, opposite_text, brief, opposite_brief, guard) in enumerate(task.words):
            atom, opposite, undefined = packed[3 * number : 3 * number + 3]
            self._literals[atom] = Literal(text, brief, undefined, guard)
            self._literals[opposite] = Literal(opposite_text, opposite_brief, undefined, is_loose=guard != "")
        examples = {pair: dict(zip(ground.variables, values, strict=True)) for pair, values in task.examples}
        ends: dict[int, dict[int, None]] = {}
        for source, targets in task.wanted:
            ends.setdefault(source, {}).update(dict.fromkeys(targets))
        self._implicants = Implicants(ground, atoms, self._literals, examples, ends, self._solver, task.questions)
        self._sentences = Sentences(formula.terms, self._literals)
        texts = {term: literal.text for term, literal in self._literals.items()}
        self._simplifier = Simplifier(formula, names, task.vocabulary, texts, (task.effort, task.seconds))

    @property
    def late(self) -> bool:
        return self._solver.late or self._simplifier.late

    def of(self, source: int, targets: tuple[int, ...]) -> Found:
        edge = self._implicants.transition(source, targets)
        cases: list[Choices] = []
        try:
            why = self._implicants.find(cases, edge)
        except GivenUp as given_up:
            why = given_up.why
        with suppress(GivenUp):
            if cases:
                cases = self._implicants.needed(edge, cases)
        if cases:
            return self._found(cases, why, edge)
        assert why is not None
        case: Choices = ()
        with suppress(GivenUp):
            case = self._implicants.necessary(edge)
        return replace(self._found([case], why, edge), is_wide=True) if case else Found(why=why)

    def _found(self, cases: list[Choices], why: Unfound | None, edge: Transition) -> Found:
        # In the order of the code.
        ordered = sorted(tuple(sorted(case)) for case in cases)
        numbers = tuple(tuple(2 * place + (not holds) for place, holds in case) for case in ordered)
        return Found(self._text([self._implicants.said(c) for c in ordered], edge), why, numbers)

    def _text(self, cases: list[Case], edge: Transition) -> str:
        """The shortest text there is: simplified, or in brief words where those have a meaning."""

        def never(fact: Term) -> bool:
            return self._solver.check([edge.here, fact]) is Answer.NO

        def simplified(some: Sequence[Case]) -> str | None:
            return self._simplifier.text(some, edge.here, self._implicants.valuations(edge))

        text = simplified(cases) or self._sentences.written(cases)
        brief = self._sentences.brief(cases, never, simplified)
        return text if brief is None else min(text, brief, key=len)
