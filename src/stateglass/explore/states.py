"""States of a machine: everything that matters at a pause, as a few numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.heap import Heap
from stateglass.explore.cells.pieces import NOTHING, Numbering, Region, Store, Stretch, stretches
from stateglass.explore.code.activations import Activation, Runs, Segment
from stateglass.explore.pauses import (
    Asking,
    CallingOut,
    Choosing,
    Ended,
    Exiting,
    Failing,
    Looping,
    Outside,
    Pause,
    Resting,
    Returning,
    Stable,
    Stuck,
)
from stateglass.explore.stacks import Frame, Stack

# Pauses after which only the variables matter.
_LAST: Final = (Failing, Exiting, Stuck, Ended)


@final
@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state: where control rests, and the numbers of everything that matters, which mean something to its machine."""

    pause: Pause = field(compare=False)
    place: int  # the number of the pause
    variables: int
    stack: int = 0
    others: int = NOTHING  # the cells of the functions that are running, and of the heap
    heap: int = 0  # which objects there are


@final
class States:
    """Takes states of a machine and puts it into them; `segments` and `activations` are those that it has made."""

    def __init__(
        self,
        cells: Cells,
        variables: range,
        stack: Stack,
        heap: Heap,
        segments: Sequence[Segment],
        activations: Sequence[Activation],
    ) -> None:
        self._cells = cells
        self._stack = stack
        self._heap = heap
        self._segments = segments
        self._activations = activations
        self.store = Store()
        self._variables = Region(self.store, cells, variables.start, variables.stop)
        self._others = Region(self.store, cells, variables.stop)
        self._heaps: Numbering[tuple[int, ...]] = Numbering(())
        self._pauses: Numbering[Pause] = Numbering(Ended())
        self._waited: list[Frame] = []  # at the last snapshot

    def variables(self) -> int:
        """The number of what the variables hold now."""
        return self._variables.number()

    def snapshot(self, pause: Pause) -> Snapshot:
        """The state at a pause, with everything left out that can no longer matter."""
        place = self._pauses.number(pause)
        if isinstance(pause, _LAST):
            return Snapshot(pause, place, self._variables.number())
        if not isinstance(pause, Returning):  # which are equal without being the same
            pause = self._pauses[place]
        if self._stack.frames:
            self._clear_the_dead(pause)
        if isinstance(pause, Stable | Returning):
            self._heap.settle(pause.value if isinstance(pause, Returning) else None)
        heap = 0 if self._heap.empty else self._heaps.number(self._heap.addresses())
        return Snapshot(pause, place, self._variables.number(), self._stack.number, self._others.number(), heap)

    def failed(self, failing: Failing, variables: int) -> Snapshot:
        """The state of a run that ends with an error, when the variables had this number."""
        return Snapshot(failing, self._pauses.number(failing), variables)

    def _clear_the_dead(self, pause: Pause) -> None:
        """States that differ only in what nobody looks at any more are equal."""
        cells = self._cells
        # Whoever waited at the last snapshot and still does has nothing new.
        frames = self._stack.frames
        known = 0
        for frame, waited in zip(frames, self._waited, strict=False):
            if frame is not waited:
                break
            known += 1
        self._waited = frames.copy()
        waiting = [segment.dead_while_waiting() for segment in self._waiting(frames[known:])]
        for dead in (*waiting, self._dead_at(pause)):
            for first, zeros in dead:
                end = first + len(zeros)
                if cells[first:end] != zeros:
                    cells[first:end] = zeros

    def _waiting(self, frames: Iterable[Frame]) -> Iterator[Segment]:
        """The calls that are under way, those of functions without a body included that call back."""
        for frame in frames:
            if frame.caller is not None:
                yield frame.caller
            elif frame.visit is not None and isinstance(frame.visit.after, Outside):
                yield self._segments[frame.visit.after.segment]

    def _dead_at(self, pause: Pause) -> Runs:
        match pause:
            case CallingOut(number) | Outside(number) | Asking(number):
                return self._segments[number].dead_while_waiting()
            case Looping(number) | Resting(number):
                return self._segments[number].dead_at_start()
            case Choosing(number):
                return self._segments[number].dead_at_end()
            case _:
                return ()

    def restore(self, state: Snapshot) -> None:
        """Put the machine into a state."""
        if state.stack != self._stack.number:
            self._stack.restore(state.stack, self._activations, self._segments)
        self._variables.restore(state.variables)
        self._others.restore(state.others)
        self._heap.restore(self._heaps[state.heap])

    def stretches_of_variables(self, states: Sequence[Snapshot]) -> Iterator[Stretch]:
        """What the variables hold in some states; cells are counted from the first variable."""
        return stretches(self.store, [s.variables for s in states], self._variables.height)

    def stretches_of_others(self, states: Sequence[Snapshot]) -> Iterator[Stretch]:
        """The same for the functions that are running and the heap, counted from behind the last variable."""
        return stretches(self.store, [s.others for s in states], self._others.height)

    def running(self, stack: int) -> Iterator[str]:
        """The functions on the stack with this number, the innermost first."""
        return (self._activations[number].function.name for number in self._stack.numbers_of(stack))

    def on_heap(self, state: Snapshot) -> int:
        """How many objects there are on the heap."""
        return len(self._heaps[state.heap])
