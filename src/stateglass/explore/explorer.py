"""Breadth-first exploration: from a system to the model of everything it can do, within budgets."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, final

import numpy as np

from stateglass.explore.doubts import Doubts, WaryDomain
from stateglass.explore.environment import Environment
from stateglass.explore.keeping import Keeping, abstraction_of, results_of
from stateglass.explore.labelling import Labelling
from stateglass.explore.machine import Machine, OutOfTime, Snapshot
from stateglass.explore.moves import Move
from stateglass.explore.pauses import Dropped, Ended, Exiting, Failing, Pause, Returning, Stuck
from stateglass.explore.valuations import propositions
from stateglass.model import Assumption, Model, ModelBuilder, Origin, Proposition, Relation
from stateglass.program import Pointer, Record
from stateglass.source import Span
from stateglass.system import Mode, System, UndefinedBehaviour
from stateglass.values import Concrete, FaultKind
from stateglass.values.abstract import AbstractDomain

REPORT_EVERY: Final = 256
MANY_STATES: Final = 1000
_DELIBERATE: Final = {FaultKind.ASSERTION, FaultKind.ABORT}
_UNDEFINED: Final = frozenset(k.value for k in FaultKind if k not in _DELIBERATE)


class Progress(Protocol):
    """Is told how far exploration has come."""

    def __call__(self, phase: str, /, **counts: int) -> None: ...


def silent(phase: str, /, **counts: int) -> None:
    """Progress that nobody wants to see."""


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop. What was found by then is kept and marked partial."""

    max_states: int = 1_000_000
    timeout: float = 300.0
    max_depth: int = 64


@final
@dataclass(frozen=True, slots=True)
class Exploration:
    """The model that was found, and what it took."""

    model: Model
    steps: int
    seconds: float
    interrupted: bool
    notes: tuple[str, ...] = ()  # what is no error, but worth knowing


def explore(
    system: System,
    budget: Budget | None = None,
    *,
    every_step: bool = False,
    progress: Progress = silent,
    clock: Callable[[], float] = time.monotonic,
) -> Exploration:
    """The model of a system. Ctrl-C ends exploration like a budget does."""
    return _Explorer(system, budget or Budget(), every_step, progress, clock).run()


def _wrapping(system: System) -> frozenset[FaultKind]:
    """What wraps around: all that can if the user says so, and what is not looked for."""
    can_wrap = frozenset({FaultKind.OVERFLOW, FaultKind.SHIFT})
    if system.undefined is UndefinedBehaviour.WRAP:
        return can_wrap
    wanted = system.errors
    return frozenset(k for k in can_wrap if wanted is not None and k.value not in wanted)


def _relation(system: System, partial: bool) -> Relation:
    if system.abstractions is not None:
        return Relation.OVER
    return Relation.UNDER if partial else Relation.EXACT


def _most_values(columns: Sequence[Proposition], states: int) -> str:
    """Which variables make the many states: said when a budget ends the search for more."""
    if states < MANY_STATES:
        return ""
    counts = sorted(((len(np.unique(c.values)), c.name) for c in columns), key=lambda pair: -pair[0])
    shown = [f"`{name}` ({count:,})" for count, name in counts[:3] if count > 2]
    return f"; most values so far: {', '.join(shown)}" if shown else ""


def _machine(system: System, budget: Budget, every_step: bool) -> Machine:
    program, extra, depth = system.program, system.environment, budget.max_depth
    if system.abstractions is None:
        return Machine(program, Concrete(_wrapping(system)), extra, depth, every_step)
    keeping = Keeping(abstraction_of(system.abstractions), results_of(system.abstractions))
    if system.undefined is UndefinedBehaviour.IGNORE:
        return Machine(program, AbstractDomain(), extra, depth, every_step, keeping)
    wanted = system.errors
    kinds = frozenset(k for k in FaultKind if wanted is None or k.value in wanted)
    doubts = Doubts(kinds - _wrapping(system))
    return Machine(program, WaryDomain(doubts), extra, depth, every_step, keeping, doubts)


@final
class _Explorer:
    def __init__(
        self, system: System, budget: Budget, every_step: bool, progress: Progress, clock: Callable[[], float]
    ) -> None:
        self.system = system
        self.budget = budget
        self.progress = progress
        self.clock = clock
        self.begin = clock()
        self.machine = _machine(system, budget, every_step)
        self.machine.interrupt = self.out_of_time
        self.environment = Environment(system, self.machine)
        if system.labels is not None:
            self.machine.labelling = Labelling(system.labels, self.machine.domain, self.environment.texts)
        self.builder = ModelBuilder()
        self.numbers: dict[Snapshot, int] = {}
        self.states: list[Snapshot] = []
        self.unexplored: set[int] = set()
        self.stuck: dict[str, None] = {}
        # What an earlier call has returned may be in use by whoever called.
        results = [system.program.functions[e.function].result for e in system.entries]
        self.hands_out = system.mode is Mode.STEP and any(isinstance(r, Pointer | Record) for r in results)
        self.notes: dict[Span, str] = {}  # one for each place is enough
        self.stopped = ""
        self.interrupted = False
        self.transitions = 0

    def out_of_time(self) -> bool:
        self.progress("exploring", states=len(self.states), transitions=self.transitions, steps=self.machine.steps)
        return self.clock() - self.begin > self.budget.timeout

    def run(self) -> Exploration:
        explored = 0
        try:
            self._number(self.environment.first_state())
            while explored < len(self.states) and not self.stopped:
                if explored % REPORT_EVERY == 0 and self.out_of_time():
                    raise OutOfTime
                self._expand(explored)
                explored += not self.stopped
        except OutOfTime:
            self.stopped = f"stopped after {self.budget.timeout:g} s (--timeout)"
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            self.interrupted = True
        if not self.states:
            # Initialisation itself did not end: all that is known is that it began.
            self.machine.stack.clear()
            self._number(self.machine.snapshot(Stuck(self.stopped, self._init_span(), bound=True)))
            explored = 0
        self.unexplored.update(range(explored, len(self.states)))
        model = self._model()
        notes = tuple(self.notes.values())
        return Exploration(model, self.machine.steps, self.clock() - self.begin, self.interrupted, notes)

    def _init_span(self) -> Span:
        entry = self.system.init or self.system.entries[0]
        return self.system.program.functions[entry.function].span

    def _number(self, state: Snapshot) -> int | None:
        """The number of a state, a new one if need be; None if there is no room for it."""
        number = self.numbers.get(state)
        if number is None:
            if len(self.states) >= self.budget.max_states:
                self.stopped = f"stopped at {self.budget.max_states:,} states (--max-states)"
                return None
            number = self.numbers[state] = len(self.states)
            self.states.append(state)
            if isinstance(state.pause, Stuck):
                self.unexplored.add(number)
                self.stuck[self.environment.reason(state.pause)] = None
        return number

    def _expand(self, number: int) -> None:
        state = self.states[number]
        machine = self.machine
        machine.restore(state)
        for number_of_moves, move in enumerate(self._moves(state)):
            if number_of_moves % REPORT_EVERY == REPORT_EVERY - 1 and self.out_of_time():
                raise OutOfTime
            machine.restore(state)
            pause = self.environment.ended(move.make())
            for failing, content in machine.doubts.take():
                if not self._add(number, move, Snapshot(failing, (), content)):
                    return
            if self._left_out(pause):
                continue
            self._look_for_leaks(pause, move)
            if not self._add(number, move, machine.snapshot(pause)):
                return

    def _add(self, number: int, move: Move, state: Snapshot) -> bool:
        """A transition; False if there is no room for the state it leads to."""
        target = self._number(state)
        if target is None:
            return False
        self.builder.add(number, move.action, target, move.span)
        self.transitions += 1
        return True

    def _look_for_leaks(self, pause: Pause, move: Move) -> None:
        """Memory that nobody can release any more when a call returns or the program ends."""
        if self.machine.heap.empty or not isinstance(pause, Returning | Exiting) or self.hands_out:
            return
        value = pause.value if isinstance(pause, Returning) else None
        lost = self.machine.heap.lost(value if isinstance(value, tuple) else (value,))
        if lost:
            bytes_lost = sum(o.size for o in lost)
            what = f"{len(lost)} object{'s' if len(lost) > 1 else ''} of malloc, {bytes_lost} bytes"
            self.notes.setdefault(
                pause.span, f"memory is lost after {move.action}: nothing leads to {what} ({pause.span})"
            )

    def _moves(self, state: Snapshot) -> list[Move]:
        """All moves of the state the machine is in; their texts are made before the first one changes it."""
        moves: list[Move] = []
        for move in self.environment.moves(state.pause):
            moves.append(move)
            if len(moves) % REPORT_EVERY == 0 and self.out_of_time():
                raise OutOfTime
        return moves

    def _left_out(self, pause: Pause) -> bool:
        """Whether a run ends here without a trace: an assumption fails, or undefined behaviour is to be ignored."""
        if isinstance(pause, Dropped):
            return True
        if not isinstance(pause, Failing):
            return False
        if self.system.errors is not None and pause.kind not in self.system.errors:
            return True
        return self.system.undefined is UndefinedBehaviour.IGNORE and pause.kind in _UNDEFINED

    def _model(self) -> Model:
        self.progress("building the model", states=len(self.states), transitions=self.transitions)
        columns, left_out = propositions(self.machine, self.environment.texts, self.states)
        reasons = [self.stopped + _most_values(columns, len(self.states))] if self.stopped else []
        reasons += self.stuck
        system = self.system
        assumptions = list(system.assumptions)
        for name in left_out:
            assumptions.append(Assumption("view", name, "its values are part of the states but not shown"))
        origin = Origin(
            relation=_relation(system, bool(reasons)),
            subject=system.subject,
            files=system.program.files,
            bounds=system.bounds,
            assumptions=tuple(assumptions),
            partial=tuple(reasons),
        )
        return self.builder.build(
            len(self.states),
            propositions=columns,
            terminal=(n for n, s in enumerate(self.states) if isinstance(s.pause, Ended)),
            unexplored=self.unexplored,
            state_spans=[self.builder.span(self.environment.span(s.pause)) for s in self.states],
            origin=origin,
        )
