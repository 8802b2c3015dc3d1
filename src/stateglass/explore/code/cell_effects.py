"""What statements do to the cells, exact or abstract; what is not known of some values is noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.cells.contents import BEYOND, DEAD, Cells, Content, Unknown
from stateglass.explore.cells.memory import BoundReached, Memory
from stateglass.explore.cells.vague import is_vague, targets
from stateglass.explore.code.activations import Activation
from stateglass.explore.code.computations import CellPlaces, Evaluate, LoadAll, Step
from stateglass.program import Array, Local, Place, Pointer, Scalar, is_scalar, value_cells
from stateglass.source import Span
from stateglass.values import Fault, FaultKind
from stateglass.values.abstract import TOP, NotExact

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine


@final
class CellEffects:
    """Builds the functions for one activation."""

    def __init__(self, machine: Machine, activation: Activation, places: CellPlaces) -> None:
        self._machine = machine
        self._memory = machine.memory
        self._activation = activation
        self._places = places

    def nothing(self) -> Step:
        return _nothing

    def assign(self, place: Place, type: Scalar, value: Evaluate, span: Span) -> Step:
        return self._places.assign(place, type, value, span)

    def assign_all(self, place: Place, contents: LoadAll, span: Span) -> Step:
        store_all = self._places.store_all(place, span)
        return lambda cells: store_all(cells, contents(cells))

    def clear(self, place: Place, span: Span) -> Step:
        zeros: list[Content] = [0] * len(value_cells(place.type, self._memory.records))
        clear = self._places.store_all(place, span)
        return lambda cells: clear(cells, zeros)

    # ---- the heap: it has no objects of a size that is not known, and knows no others

    def allocate(self, place: Place, size: Evaluate, span: Span) -> Step:
        assert isinstance(place.type, Pointer)
        heap, element = self._machine.heap, place.type.target
        return self._from_heap(place, size, lambda amount: heap.allocate(amount, element), span)

    def allocated_size(self, place: Place, pointer: Evaluate, span: Span) -> Step:
        allocated = self._machine.heap.allocated
        return self._from_heap(place, pointer, lambda where: allocated(where, span), span, FaultKind.FREE)

    def _from_heap(
        self, place: Place, value: Evaluate, find: Callable[[Any], Any], span: Span, *wrong: FaultKind
    ) -> Step:
        assert is_scalar(place.type)
        keep, doubts = self._places.store(place, place.type, span), self._machine.doubts

        def ask(cells: Cells) -> None:
            given = value(cells)
            for kind in wrong if is_vague(given) else ():
                doubts.note(kind, span)
            keep(cells, TOP if is_vague(given) else find(given))

        return ask

    def release(self, pointer: Evaluate, span: Span) -> Step:
        heap, doubts = self._machine.heap, self._machine.doubts

        def release(cells: Cells) -> None:
            address = pointer(cells)
            if is_vague(address):
                # Of several, or of what is not known, each may be left: what uses a released one has no meaning.
                doubts.note(FaultKind.FREE, span)
            else:
                heap.release(address, span)

        return release

    # ---- variables

    def declare(self, local: Local) -> Step:
        return self._fill(local, None)

    def declare_array(self, local: Local, count: Evaluate, type: Scalar, span: Span) -> Step:
        variable = self._activation.variables[local.name]
        assert isinstance(local.type, Array)
        most = local.type.count
        size, first = len(variable.shape) // most, variable.first

        def declare(cells: Cells) -> None:
            number = count(cells)
            if is_vague(number):
                raise NotExact(number)
            if number <= 0:
                raise Fault(FaultKind.BOUNDS, span)
            if number > most:
                raise BoundReached(f"an array of {number} elements; the limit for variable lengths is {most}")
            cells[first : first + most * size] = [None] * (number * size) + [BEYOND] * ((most - number) * size)

        return declare

    def end(self, local: Local, span: Span) -> Step:
        return self._end_for_another(local) if local.name in self._activation.reborn else self._fill(local, DEAD)

    def _fill(self, local: Local, content: Content) -> Step:
        variable = self._activation.variables[local.name]
        first, last = variable.first, variable.first + len(variable.shape)
        contents = [content] * (last - first)

        def fill(cells: Cells) -> None:
            cells[first:last] = contents

        return fill

    def _end_for_another(self, local: Local) -> Step:
        """The same variable may begin anew, at the same address: old pointers must not lead to it."""
        variable, lives, fill = self._activation.variables[local.name], self._machine.lives, self._fill(local, DEAD)

        def end(cells: Cells) -> None:
            fill(cells)
            if not lives.end_for_another(variable):
                raise Unknown(f"a pointer to `{local.name}`, which has ended, may be kept in bytes")

        return end

    # ---- bytes

    def copy_bytes(self, target: Evaluate, source: Evaluate, count: Evaluate, apart: bool, span: Span) -> Step:
        memory = self._memory

        def copy(cells: Cells) -> None:
            to, start, amount = target(cells), source(cells), count(cells)
            if is_vague(to) or is_vague(start) or is_vague(amount):
                self._copy_some(cells, to, start, apart, span)
                return
            if apart and to != start:
                memory.check_apart(to, amount, start, amount, span)
            memory.copy_bytes(cells, to, start, amount, span)

        return copy

    def _copy_some(self, cells: Cells, target: Any, source: Any, apart: bool, span: Span) -> None:
        """Where it is not known how much is copied from where, whatever may be written is not known afterwards."""
        memory = self._memory
        if apart and _may_meet(memory, target, source):
            memory.doubts.note(FaultKind.OVERLAP, span)
        for kind in (FaultKind.NULL, FaultKind.BOUNDS, FaultKind.DANGLING, FaultKind.READONLY):
            memory.doubts.note(kind, span)
        addresses, origins = targets(target), targets(source)
        written = origins is not None and all(memory.blurred.is_object_written(cells, a) for a in origins)
        if addresses is None:
            memory.blurred.havoc(cells, written=written)
            return
        for address in addresses:
            found = memory.object_at(address)
            if found is not None and not found.readonly:
                run = range(found.first, found.first + len(found.shape))
                memory.blurred.forget(cells, run, perhaps=True, written=written)

    def check_apart(
        self, first: Evaluate, first_count: Evaluate, second: Evaluate, second_count: Evaluate, span: Span
    ) -> Step:
        memory = self._memory

        def check(cells: Cells) -> None:
            one, length, other, other_length = (first(cells), first_count(cells), second(cells), second_count(cells))
            if not any(is_vague(v) for v in (one, length, other, other_length)):
                memory.check_apart(one, length, other, other_length, span)
            elif _may_meet(memory, one, other):
                for kind in (FaultKind.OVERLAP, FaultKind.NULL, FaultKind.BOUNDS):
                    memory.doubts.note(kind, span)

        return check


def _nothing(cells: Cells) -> None:
    pass


def _may_meet(memory: Memory, one: Any, other: Any) -> bool:
    """Whether two pointers, whose values are not all known, may lead into one object, or both into none."""
    left, right = targets(one), targets(other)
    if left is None or right is None:
        return True
    return any(memory.together(a, b) or memory.object_at(a) is memory.object_at(b) for a in left for b in right)
