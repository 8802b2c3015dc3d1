"""What follows a state, and the state that stands for it when silent states are passed over.

The peephole compression of C Wolf, during generation: a state whose only transition is silent, and no loop, is left
out, and so is one whose transitions are silent and lead to states for which the same one stands. What is left is
divergence-preserving branching bisimilar to the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.around.environment import Environment
from stateglass.explore.around.moves import Event, Move
from stateglass.explore.coverage import note_anew
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Dropped, Ended, Exiting, Failing, Pause, Resting, Returning, Stuck
from stateglass.explore.states import Snapshot
from stateglass.model import TAU
from stateglass.program import Pointer, Record
from stateglass.source import Span
from stateglass.system import Mode, System
from stateglass.values import FaultKind
from stateglass.work import OutOfTime

REPORT_EVERY: Final = 256
MOST_PASSED: Final = 10_000
"""So many silent states in a row are passed over, then one is kept: there may be no end of them."""
MOST_REMEMBERED: Final = 1 << 16
MOST_NESTED: Final = 40
"""So many forks in a row are looked into; beyond, one is kept without asking whether its ways come together again."""


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A transition to be."""

    action: str
    span: Span | None
    state: Snapshot
    event: Event | None = None


@final
class Following:
    """Makes the moves of states; `out_of_time` is asked now and then."""

    def __init__(
        self, system: System, machine: Machine, environment: Environment, out_of_time: Callable[[], bool]
    ) -> None:
        self._system = system
        self._machine = machine
        self._environment = environment
        self._out_of_time = out_of_time
        # What an earlier call has returned may be in use by whoever called.
        results = [system.program.functions[e.function].result for e in system.entries]
        self._hands_out = system.mode is Mode.STEP and any(isinstance(r, Pointer | Record) for r in results)
        self.notes: dict[Span, str] = {}  # one for each place is enough
        self._kept: set[str] = set()  # parameters of which there is a note
        self.some_left_out = False  # some run that was looked at does not count
        self.notes_each = False  # of the lines that are run, only those of the last move are noted
        self.dropped: set[Snapshot] = set()  # states that nothing follows because every run through them is left out
        self._stand_ins: dict[Snapshot, Snapshot] = {}
        self._steps: dict[Snapshot, list[Step]] = {}  # of states that were looked at and will be looked at again
        self._looked_into: set[Snapshot] = set()  # forks whose ways are being followed
        self._looked_at = 0

    def steps(self, state: Snapshot) -> Iterator[Step]:
        """All transitions of a state."""
        machine = self._machine
        machine.restore(state)
        some_left_out, some_left = False, False
        for number_of_moves, move in enumerate(self._moves(state)):
            if number_of_moves % REPORT_EVERY == REPORT_EVERY - 1 and self._out_of_time():
                raise OutOfTime
            if number_of_moves:  # the texts of moves change nothing
                machine.restore(state)
            machine.take_change()
            if self.notes_each and machine.ran:
                note_anew(machine.ran)
            pause = self._environment.ended(move.make())
            # A silent step that somebody wants to see stands where it changes something, not where it begins.
            span = (machine.take_change() if move.action == TAU else None) or move.span
            doubts = machine.doubts.take()
            after = None if self._left_out(pause) else machine.snapshot(pause)
            some_left_out |= after is None
            some_left |= after is not None or bool(doubts)
            if after is not None:
                self._look_for_leaks(pause, move)
                self._look_for_kept(pause, move)
            for failing, variables in doubts:
                yield Step(move.action, span, machine.states.failed(failing, variables), move.event)
            if after is not None:
                yield Step(move.action, span, after, move.event)
        self.some_left_out |= some_left_out
        if some_left_out and not some_left:
            self.dropped.add(state)

    def steps_once(self, state: Snapshot) -> Iterable[Step]:
        """The same for a state that nobody asks for again."""
        known = self._steps.pop(state, None)
        return self.steps(state) if known is None else known

    def run_ahead(self, state: Snapshot, seen: Container[Snapshot]) -> None:
        """Takes the silent steps that follow a new state, for when they are asked for: the machine is there already."""
        for _ in range(REPORT_EVERY):
            if not isinstance(state.pause, Resting) or state in self._steps or len(self._steps) >= MOST_REMEMBERED:
                return
            self._steps[state] = steps = list(self.steps(state))
            if len(steps) != 1 or steps[0].state in seen:
                return
            state = steps[0].state

    def stand_in(self, state: Snapshot) -> Snapshot:
        """The first state from here on that is not passed over; of a circle of silent states always the same one."""
        way: dict[Snapshot, None] = {}
        while len(way) < MOST_PASSED:
            known = self._stand_ins.get(state)
            if known is not None:
                # What stood for others may have been passed over since.
                state = self._stand_ins.get(known, known)
                break
            if state in self._looked_into:
                self._stand_ins |= dict.fromkeys(way, state)
                return state
            if state in way:
                circle = list(way)[list(way).index(state) :]
                state = min(circle, key=repr)
                break
            following = self._only_way(state)
            if following is None:
                break
            way[state] = None
            state = following
        if len(self._stand_ins) + len(way) > MOST_REMEMBERED:
            self._stand_ins.clear()
        self._stand_ins |= dict.fromkeys((*way, state), state)
        return state

    def _only_way(self, state: Snapshot) -> Snapshot | None:
        """Where all transitions of a state lead, if they are silent, make no loop, and do not end anything."""
        self._looked_at += 1  # on all ways together: those into forks are short and many
        if self._looked_at % REPORT_EVERY == 0 and self._out_of_time():
            raise OutOfTime
        steps = list(self.steps(state))
        found = dict.fromkeys(step.state for step in steps)
        only = None
        if found and all(step.action == TAU for step in steps):
            if len(found) > 1 and len(self._looked_into) < MOST_NESTED:
                self._looked_into.add(state)
                found = dict.fromkeys(map(self.stand_in, found))
                self._looked_into.remove(state)
            only = next(iter(found)) if len(found) == 1 else None
        if only is None or only == state or isinstance(only.pause, Ended | Stuck):
            if len(self._steps) < MOST_REMEMBERED:
                self._steps[state] = steps
            return None
        return only

    def _moves(self, state: Snapshot) -> list[Move]:
        """All moves of the state the machine is in; their texts are made before the first one changes it."""
        moves: list[Move] = []
        for move in self._environment.moves(state.pause):
            moves.append(move)
            if len(moves) % REPORT_EVERY == 0 and self._out_of_time():
                raise OutOfTime
        return moves

    def _left_out(self, pause: Pause) -> bool:
        """Whether a run does not count: an assumption fails, or undefined behaviour is to be ignored."""
        if isinstance(pause, Dropped):
            return True
        return isinstance(pause, Failing) and FaultKind(pause.kind) in self._system.undefined.left_out

    def _look_for_kept(self, pause: Pause, move: Move) -> None:
        """Memory of the caller that a later call may still use."""
        if not isinstance(pause, Returning) or pause.visit.is_callback or self._system.mode is not Mode.STEP:
            return
        name = self._environment.kept()
        if name and name not in self._kept:
            self._kept.add(name)
            text = f"a pointer to what `{name}` was given is kept after {move.action}: taken to stay as it is"
            self.notes.setdefault(pause.span, f"{text} ({pause.span})")

    def _look_for_leaks(self, pause: Pause, move: Move) -> None:
        """Memory that nobody can release any more when a call returns or the program ends."""
        heap = self._machine.heap
        if heap.empty or not isinstance(pause, Returning | Exiting) or self._hands_out:
            return
        if self._machine.memory.keeping is not None:
            return  # a pointer that may lead anywhere may lead there
        value = pause.value if isinstance(pause, Returning) else None
        lost = heap.lost(value if isinstance(value, tuple) else (value,))
        if lost:
            bytes_lost = sum(o.size for o in lost)
            what = f"{len(lost)} object{'s' if len(lost) > 1 else ''} of malloc, {bytes_lost} bytes"
            self.notes.setdefault(
                pause.span, f"memory is lost after {move.action}: nothing leads to {what} ({pause.span})"
            )
