"""Breadth-first exploration: from a system to the model of everything it can do, within budgets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from stateglass.explore.code.activations import Segment
from stateglass.explore.counting import counted
from stateglass.explore.coverage import note_anew, unreached_lines
from stateglass.explore.following import REPORT_EVERY, Following
from stateglass.explore.growth import most_values
from stateglass.explore.manner import Manner
from stateglass.explore.pauses import Ended, Stuck
from stateglass.explore.preparing import prepare
from stateglass.explore.shown.valuations import propositions
from stateglass.explore.states import Snapshot
from stateglass.model import Model, ModelBuilder, Origin, Relation
from stateglass.model.model import Flags
from stateglass.source import Assumption, Span, Topic
from stateglass.source import counted as number_of
from stateglass.system import System, leaves_out
from stateglass.work import OutOfTime, Progress, silent


@final
@dataclass(frozen=True, slots=True)
class Exploration:
    """The model that was found, and what it took."""

    model: Model
    found: int  # states, also those that are not in the model because only runs come to them that do not count
    steps: int
    seconds: float
    interrupted: bool
    rows: int  # pieces of memory that the states share
    notes: tuple[str, ...] = ()  # what is no error, but worth knowing
    unreached: tuple[Span, ...] | None = None  # lines that were never run, if somebody wanted to know
    is_cut: bool = False  # a limit was reached, or somebody did not want to wait


def explore(
    system: System,
    manner: Manner | None = None,
    *,
    coverage: bool = False,
    progress: Progress = silent,
    clock: Callable[[], float] = time.monotonic,
) -> Exploration:
    """The model of a system. Ctrl-C ends exploration like a limit does.

    With `coverage`, the lines are told that were never run.
    """
    explorer = _Explorer(system, manner or Manner(), progress, clock)
    if coverage:
        explorer.machine.ran = set()
    return explorer.run()


def _relation(system: System, partial: bool) -> Relation:
    if system.abstractions is not None:
        return Relation.OVER
    return Relation.UNDER if partial else Relation.EXACT


@final
class _Explorer:
    def __init__(self, system: System, manner: Manner, progress: Progress, clock: Callable[[], float]) -> None:
        self.system = system
        self.manner = manner
        self.progress = progress
        self.clock = clock
        self.begin = clock()
        self.end = self.begin + manner.left(clock)
        self.machine, self.environment = prepare(system, manner)
        self.machine.interrupt = self.out_of_time
        self.builder = ModelBuilder()
        self.numbers: dict[Snapshot, int] = {}
        self.states: list[Snapshot] = []
        self.unexplored: set[int] = set()
        self.stuck: dict[str, None] = {}
        self.following = Following(system, self.machine, self.environment, self.out_of_time)
        self.begun: tuple[list[Snapshot], set[Segment]] = [], set()  # where runs begin, and what was run before
        self.stopped = ""
        self.interrupted = False
        self.transitions = 0

    def out_of_time(self) -> bool:
        self.progress("exploring", states=len(self.states), transitions=self.transitions, steps=self.machine.steps)
        return 0 < self.manner.max_steps < self.machine.steps or self.clock() > self.end

    def run(self) -> Exploration:
        explored = next_look = 0
        try:
            first = self.environment.first_state()
            self.begun = [first], set(self.machine.ran or ())
            self._number(self._standing_for(first))
            while explored < len(self.states) and not self.stopped:
                # A state may have few transitions or very many.
                if explored + self.transitions >= next_look:
                    next_look = explored + self.transitions + REPORT_EVERY
                    if self.out_of_time():
                        raise OutOfTime
                self._expand(explored)
                explored += not self.stopped
        except OutOfTime:
            self.stopped = f"stopped after {self.manner.timeout:g} s (--timeout)"
            if 0 < self.manner.max_steps < self.machine.steps:
                self.stopped = f"stopped after {number_of(self.manner.max_steps, 'step')}"
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            self.interrupted = True
        if not self.states:
            # Initialisation itself did not end: all that is known is that it began.
            self.machine.stack.frames.clear()
            self._number(self.machine.snapshot(Stuck(self.stopped, self._init_span(), bound=True)))
            explored = 0
        self.unexplored.update(range(explored, len(self.states)))
        model, kept = self._counted(self._model())
        notes = tuple(self.following.notes.values())
        took, rows = self.clock() - self.begin, len(self.machine.states.store)
        unreached, missing = self._unreached(kept)
        if missing:
            model = replace(model, origin=replace(model.origin, partial=(*model.origin.partial, missing)))
        found, steps, is_cut = len(self.states), self.machine.steps, bool(self.stopped)
        return Exploration(model, found, steps, took, self.interrupted, rows, notes, unreached, is_cut)

    def _init_span(self) -> Span:
        entry = self.system.init or self.system.entries[0]
        return self.system.program.functions[entry.function].span

    def _number(self, state: Snapshot) -> int | None:
        """The number of a state, a new one if need be; None if there is no room for it."""
        number = self.numbers.get(state)
        if number is None:
            if len(self.states) >= self.manner.max_states:
                self.stopped = f"stopped at {number_of(self.manner.max_states, 'state')} (--max-states)"
                return None
            number = len(self.states)
            self.states.append(state)
            # Last: if the work is left in between, each number there is has its state.
            self.numbers[state] = number
            if isinstance(state.pause, Stuck):
                self.unexplored.add(number)
                self.stuck[self.environment.reason(state.pause)] = None
        return number

    def _expand(self, number: int) -> None:
        known = len(self.states)
        for step in self.following.steps_once(self.states[number]):
            target = self._number(self._standing_for(step.state))
            if target is None:
                return
            self.builder.add(number, step.action, target, step.span)
            self.transitions += 1
        if len(self.states) > known:
            self.following.run_ahead(self.states[-1], self.numbers)

    def _standing_for(self, state: Snapshot) -> Snapshot:
        return self.following.stand_in(state) if self.manner.compress else state

    def _model(self) -> Model:
        self.progress("building the model", states=len(self.states), transitions=self.transitions)
        columns, left_out = propositions(self.machine, self.environment.texts, self.states)
        reasons = [self.stopped + most_values(self.machine, self.states)] if self.stopped else []
        reasons += [*self.stuck, *self.system.left_out]
        system = self.system
        assumptions = list(system.assumptions)
        for name in left_out:
            assumptions.append(Assumption(Topic.VIEW, name, "its values are part of the states but not shown"))
        origin = Origin(
            relation=_relation(system, bool(reasons)),
            subject=system.subject,
            files=system.program.files,
            bounds=system.bounds,
            assumptions=tuple(assumptions),
            partial=tuple(reasons),
            history=("silent states were passed over on the way",) if self.manner.compress else (),
        )
        return self.builder.build(
            len(self.states),
            propositions=columns,
            terminal=(n for n, s in enumerate(self.states) if isinstance(s.pause, Ended)),
            unexplored=self.unexplored,
            state_spans=[self.builder.span(self.environment.span(s.pause)) for s in self.states],
            origin=origin,
        )

    def _counted(self, model: Model) -> tuple[Model, Flags]:
        """Without the states that only runs come to that do not count, and which states are left."""
        if not self.manner.counted:
            return model, np.ones(model.states, dtype=np.bool_)
        dropped = [self.numbers[state] for state in self.following.dropped if state in self.numbers]
        # What an abstraction does the code need not do: each run of it is looked for there.
        is_exact = self.system.abstractions is None
        return counted(model, dropped, drops_later=is_exact and model.partial and leaves_out(self.system))

    def _unreached(self, kept: Flags) -> tuple[tuple[Span, ...] | None, str]:
        """The lines that no run comes to that counts, if somebody wanted to know; and why there may be fewer."""
        ran = self.machine.ran
        if ran is None:
            return None, ""
        if kept.all() and not self.following.some_left_out:
            return unreached_lines(self.system, ran), ""
        # What was noted may have been run on the way to an assumption that does not hold: all of it is done once more.
        waiting, found = self.begun
        seen, missing = set(waiting), ""
        note_anew(ran)
        self.following.notes_each = True
        try:
            while waiting:
                for step in self.following.steps(waiting.pop()):
                    lately = set(ran)
                    number = self.numbers.get(self._standing_for(step.state))
                    if number is not None and kept[number]:
                        found |= lately
                        waiting += [] if step.state in seen else [step.state]
                        seen.add(step.state)
        except OutOfTime:
            missing = "there was no time to see which lines are run by runs that count"
        return unreached_lines(self.system, found), missing
