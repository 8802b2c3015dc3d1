"""The abstract model of one thread: all abstract states of its flow, made smaller before threads are put together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from stateglass.model import TAU, Model, ModelBuilder, Origin, Proposition, Sort
from stateglass.reduce import Equivalence, Reduction, reduce
from stateglass.smt import Term
from stateglass.unbounded.abstraction.abstracting import STATE, Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.abstraction.refining import Refined, Refiner, Stuck
from stateglass.unbounded.abstraction.seeding import seeded
from stateglass.unbounded.given import Posed
from stateglass.unbounded.results import Walk
from stateglass.unbounded.temporal.ranking import Ranking, Ranks
from stateglass.unbounded.threads.asking import Conditions
from stateglass.unbounded.threads.flows import ThreadFlow
from stateglass.unbounded.threads.marks import Mark, Marks
from stateglass.unbounded.threads.parts import Part, Row
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import along, row_walk, same
from stateglass.work import OutOfTime, Progress

MOST_STATES: Final = 200_000
MOST_RANKINGS: Final = 6
"""So many reasons are looked for why loops of a thread end; each makes more states of one."""
_OVER: Final = "%over"  # states in which the whole program has ended are no others


@final
@dataclass(frozen=True, slots=True)
class AbstractRun:
    """A run of an abstract model: one more state than stretches."""

    states: tuple[State, ...]
    stretches: tuple[int, ...]
    marks: tuple[int, ...] = ()  # how many stretches there are before each step of the reduced model, and at the end


@final
@dataclass(frozen=True)
class Round:
    """One abstract model of a thread, and what became of its states when it was reduced."""

    states: tuple[State, ...]
    model: Model
    stretches: dict[Row, int]
    reduction: Reduction

    @cached_property
    def _leaving(self) -> list[list[Row]]:
        found: list[list[Row]] = [[] for _ in self.states]
        for row in self.stretches:
            found[row[0]].append(row)
        return found

    @cached_property
    def _classes(self) -> list[int]:
        assert self.reduction.classes is not None
        return list(map(int, self.reduction.classes))

    def along(self, rows: Iterable[Row], *, to_rest: bool) -> AbstractRun:
        """A run of the abstract model that does what one of the reduced model does.

        With `to_rest` it goes on to where no silent step is left, if the reduced model has none there either: where
        another thread has ended the program, this one may be anywhere.
        """
        classes = self._classes
        taken: list[Row] = []
        marks = [0]
        at = self.model.initial
        for source, label, target in rows:
            assert classes[at] == source, "a run of the reduced model goes from class to class"
            taken += self._silently(at, lambda row: row[1] == label and classes[row[2]] == target)  # noqa: B023
            at = taken[-1][2]
            marks.append(len(taken))
        if to_rest and self._is_restless(at) and not self._moves_on(classes[at]):
            taken += self._silently(at, lambda row: row[1] == TAU and not self._is_restless(row[2]))
        states = [self.states[self.model.initial], *(self.states[row[2]] for row in taken)]
        return AbstractRun(tuple(states), tuple(self.stretches[row] for row in taken), tuple(marks))

    def _moves_on(self, state: int) -> bool:
        """Whether a state of the reduced model has a silent step."""
        model = self.reduction.model
        leaving = range(int(model.first[state]), int(model.first[state + 1]))
        return any(model.labels[model.actions[transition]] == TAU for transition in leaving)

    def _is_restless(self, state: int) -> bool:
        return any(row[1] == TAU for row in self._leaving[state])

    def _silently(self, start: int, wanted: Callable[[Row], bool]) -> list[Row]:
        """Silent steps within a class, and a last step as it is wanted."""
        before: dict[int, Row | None] = {start: None}
        waiting = deque([start])
        while waiting:
            state = waiting.popleft()
            for row in self._leaving[state]:
                if wanted(row):
                    return [*reversed(list(_back(before, state))), row]
                if row[1] == TAU and row[2] not in before and self._classes[row[2]] == self._classes[start]:
                    before[row[2]] = row
                    waiting.append(row[2])
        raise AssertionError("states of one class can do the same")


def _back(before: dict[int, Row | None], state: int) -> Iterator[Row]:
    row = before[state]
    while row is not None:
        yield row
        row = before[row[0]]


@final
class AbstractThread:
    """A thread whose abstract states are told apart more and more."""

    def __init__(
        self,
        number: int,
        thread: ThreadFlow,
        origin: Origin,
        time: Deadline,
        atoms: Sequence[Conditions] = (),
        posed: Sequence[Posed] = (),
    ) -> None:
        """`atoms` are what a claim asks about the data of this thread, as names and conditions at each rest; `posed`
        is what the user asks."""
        self.number = number
        self.posed = posed
        self._atoms = atoms
        seeds = [(rest, term) for _, terms in atoms for rest, term in enumerate(terms) if term.value is None]
        seeds += [one.seed for one in posed]
        self._origin = origin
        self.thread = thread
        self.abstraction = Abstraction(thread.flow, seeded(thread.flow, seeds), time)
        self._refiner = Refiner(self.abstraction, time)
        self._time = time
        self.rankings: list[Ranking] = []
        """Why loops end that a claim asks about."""

    def round(self, progress: Progress) -> Round:
        """All abstract states."""
        start = self.abstraction.start, tuple(Mark.LEFT for _ in self.rankings)
        numbers = {start: 0}
        states, marks = [start[0]], [start[1]]
        builder = ModelBuilder()
        stretches: dict[Row, int] = {}
        at = 0
        while at < len(states):
            for step in self.abstraction.successors(states[at]):
                target = step.target, self._marked(step.stretch, marks[at])
                if target not in numbers:
                    numbers[target] = len(states)
                    states.append(target[0])
                    marks.append(target[1])
                label = self.thread.labels[step.stretch]
                builder.add(at, label, numbers[target])
                stretches.setdefault((at, label, numbers[target]), step.stretch)
            at += 1
            self._time.spend(STATE)
            if self._time.is_over() or len(states) > MOST_STATES:
                raise OutOfTime
            progress("abstracting", states=len(states), predicates=len(self.abstraction.predicates))
        ends = [n for n, s in enumerate(states) if s.rest in self.thread.ended or s.rest in self.thread.over]
        columns = [self._column(name, conditions, states) for name, conditions in self._atoms]
        over = np.array([state.rest in self.thread.over for state in states], dtype=np.int64)
        columns.append(Proposition(_OVER, Sort.BOOL, over))
        columns += self._mark_columns(marks)
        model = builder.build(len(states), propositions=columns, terminal=ends, origin=self._origin)
        reduced = reduce(model, Equivalence.DPBRANCHING, [column.name for column in columns], progress)
        return Round(tuple(states), model, stretches, reduced)

    def _marked(self, stretch: int, marks: Marks) -> Marks:
        """What is marked after one more stretch."""
        return tuple(
            Mark.LEFT if stretch not in of.kept else mark.turned if stretch in of.smaller else mark.stayed
            for of, mark in zip(self.rankings, marks, strict=True)
        )

    def _mark_columns(self, marks: Sequence[Marks]) -> list[Proposition]:
        pairs = [(number, mark) for number in range(len(self.rankings)) for mark in (Mark.LEFT, Mark.ODD)]
        values = [np.array([own[number] is mark for own in marks], dtype=np.int64) for number, mark in pairs]
        names = [mark.column(number) for number, mark in pairs]
        return [Proposition(name, Sort.BOOL, column) for name, column in zip(names, values, strict=True)]

    def _column(self, name: str, conditions: Sequence[Term], states: Sequence[State]) -> Proposition:
        values = np.zeros(len(states), dtype=np.int64)
        for number, state in enumerate(states):
            values[number] = self._holds(state, conditions[state.rest])
        return Proposition(name, Sort.BOOL, values)

    def _holds(self, state: State, condition: Term) -> bool:
        predicates = self.abstraction.predicates
        if condition.value is not None:
            return bool(condition.value)
        holds = predicates.holds(state, condition)
        assert holds is not None, "what claims ask about is asked in every state"
        return holds

    def _wanted(self, states: Sequence[State]) -> list[Term]:
        """What a claim sees in the states of a run."""
        terms = self.thread.flow.terms
        found = []
        for state in states:
            conditions = [atom[state.rest] for _, atom in self._atoms]
            found.append(terms.both(*(c if self._holds(state, c) else terms.negation(c) for c in conditions)))
        return found

    def part(self, found: Round) -> Part:
        """The reduced model as a part of the whole."""
        model = found.reduction.model
        over = next(p.values for p in model.propositions if p.name == _OVER) != 0
        asked = tuple(p for p in model.propositions if p.name != _OVER)
        return Part(self.number, replace(model, propositions=asked), True, over if over.any() else None)

    def refine(self, run: AbstractRun) -> Refined | Walk | Stuck:
        """Whether the code can do a run; if it cannot, its states are told apart so that it is no run any more."""
        return self._refiner.refine(run.states, run.stretches, self._wanted(run.states))

    def ranked(self, found: Round, loop: Sequence[int]) -> bool:
        """Whether some stretches are known from now on not to be repeated for ever."""
        if not loop or len(self.rankings) >= MOST_RANKINGS:
            return False
        ranking = self._ranks(found).ranking(loop, len(self.rankings))
        if ranking is not None:
            self.rankings.append(ranking)
        return ranking is not None

    def confirms(self, found: Round) -> bool:
        """Whether loops end for the reasons that were found, given all abstract states."""
        ranks = self._ranks(found)
        return all(map(ranks.is_right, self.rankings))

    def _ranks(self, found: Round) -> Ranks:
        states: dict[int, dict[State, None]] = {}
        for state in found.states:
            states.setdefault(state.rest, {})[state] = None
        terms, condition = self.thread.flow.terms, self.abstraction.predicates.condition
        invariants = {rest: terms.either(*map(condition, own)) for rest, own in states.items()}
        return Ranks(self.thread.flow, invariants, self._time)

    def closed(self, run: AbstractRun, start: int) -> Walk | None:
        """A run that comes back to the values that it had before a stretch; None if none is known."""
        flow = self.thread.flow
        row = along(flow, run.stretches)
        if run.states[start].rest != run.states[-1].rest:
            return None
        held = [*(step.slots for step in row.steps), row.slots]
        facts = []
        for state, wanted, slots in zip(run.states, self._wanted(run.states), held, strict=True):
            values = {slot.term: term for slot, term in zip(flow.rests[state.rest].slots, slots, strict=True)}
            facts.append(flow.terms.substituted(wanted, values))
        closing = [same(flow.terms, a, b) for a, b in zip(held[start], held[-1], strict=True)]
        found = row_walk(flow, row, [*facts, *closing], self._time, "predicate")
        return found if isinstance(found, Walk) else None
