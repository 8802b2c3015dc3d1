"""Whether a step reads or writes a variable that a label map names: at once, by an index or through a pointer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.memory import Object
from stateglass.explore.cells.vague import targets
from stateglass.explore.code.activations import Activation
from stateglass.explore.code.evaluator import Evaluator
from stateglass.program import (
    Aggregate,
    Call,
    Dereference,
    Expression,
    Global,
    Load,
    Statement,
    Terminator,
    is_scalar,
    representation,
    size_of,
)
from stateglass.program.outside import may_write_through
from stateglass.program.walk import Bytes, Stretch, base_of, copied_by, nodes_in
from stateglass.system.maps import Target, VariableName
from stateglass.values import Fault

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine

Bits = tuple[int, int]
"""From a bit of the memory up to another, which is not meant."""
Touched = Callable[[Cells], bool | None]
Found = Callable[[Cells], "list[Bits] | None"]
"""All stretches of bits that a place may be; None if it may be anywhere."""
PointedTo = Callable[[VariableName], bool]
"""Whether there may be a pointer to a variable."""


@final
class Whole:
    """The object that a pointer leads to, when a function outside is given it to write."""

    def __init__(self, pointer: Expression) -> None:
        self.pointer = pointer


Accessed = Stretch | Whole


def places_read(node: Statement | Terminator) -> Iterator[Accessed]:
    """Everything that a step reads."""
    yield from copied_by(node)
    for inner in nodes_in(node):
        if isinstance(inner, Load | Aggregate):
            yield inner.place


def places_handed(call: Call) -> Iterator[Accessed]:
    """Everything that a function outside may write by way of its arguments."""
    for argument in call.arguments:
        if may_write_through(argument.type) and not isinstance(argument, Aggregate):
            yield Whole(argument)


def may_be(place: Accessed, target: Target, function: str, is_pointed_to: PointedTo) -> bool:
    """Whether a place in a function may be part of the variable of a target."""
    if isinstance(place, Bytes | Whole):
        return is_pointed_to(target.variable)
    base = base_of(place)
    if isinstance(base, Dereference):
        return is_pointed_to(target.variable)
    if isinstance(base, Global):
        return target.variable.function is None and base.name == target.variable.name
    return target.variable.function == function and base.name == target.variable.name


@final
class Touching:
    """Builds the tests for one activation."""

    def __init__(self, machine: Machine, activation: Activation, evaluator: Evaluator) -> None:
        self._machine = machine
        self._activation = activation
        self._evaluator = evaluator

    def any(self, places: Iterable[Accessed], named: Iterable[Target]) -> Touched | None:
        """A test whether one of some places is part of one of some variables; None if that is so whatever cells hold.

        The test gives None where it may be so and need not.
        """
        wanted, name = list(named), self._activation.function.name
        tests = []
        for place in places:
            for target in wanted:
                if not may_be(place, target, name, self._machine.is_pointed_to):
                    continue
                found, ranges = self._found(place), self._ranges(target)
                if not self._is_fixed(place):
                    tests.append((found, ranges))
                elif _overlap(found, ranges(), []):
                    return None

        def touched(cells: Cells) -> bool | None:
            answer: bool | None = False
            for found, ranges in tests:
                outcome = _overlap(found, ranges(), cells)
                if outcome is True:
                    return True
                answer = None if outcome is None else answer
            return answer

        return touched

    def _is_fixed(self, place: Accessed) -> bool:
        return not isinstance(place, Bytes | Whole) and self._evaluator.all_addresses(place)[2]

    def _found(self, place: Accessed) -> Found:
        if isinstance(place, Bytes):
            return self._bytes(place)
        if isinstance(place, Whole):
            return self._whole(place)
        where, bit, _ = self._evaluator.all_addresses(place)
        type, records = place.type, self._machine.memory.records
        width = representation(type).bits if is_scalar(type) else 8 * size_of(type, records)

        def find(cells: Cells) -> list[Bits] | None:
            addresses = where(cells)
            return None if addresses is None else [(8 * a + bit, 8 * a + bit + width) for a in addresses]

        return find

    def _bytes(self, place: Bytes) -> Found:
        pointer, count = self._evaluator.value(place.pointer), self._evaluator.value(place.count)
        memory = self._machine.memory

        def find(cells: Cells) -> list[Bits] | None:
            addresses, amount = targets(pointer(cells)), count(cells)
            if addresses is None:
                return None
            if isinstance(amount, int):
                return [(8 * a, 8 * (a + amount)) for a in addresses]
            # Perhaps up to the end of the object, perhaps nothing at all.
            objects = [(a, o) for a in addresses if (o := memory.object_at(a)) is not None]
            return [(0, 0), *((8 * a, 8 * (o.address + o.size)) for a, o in objects)]

        return find

    def _whole(self, place: Whole) -> Found:
        pointer, memory = self._evaluator.value(place.pointer), self._machine.memory

        def find(cells: Cells) -> list[Bits] | None:
            addresses = targets(pointer(cells))
            if addresses is None:
                return None
            objects = [o for a in addresses if (o := memory.object_at(a)) is not None]
            return [(8 * o.address, 8 * (o.address + o.size)) for o in objects]

        return find

    def _ranges(self, target: Target) -> Callable[[], list[Bits]]:
        """Where a target lies; a variable of another function, where that has it now."""
        name, pattern = target.variable, _pattern(target.path)
        if name.function is None:
            fixed = _parts(self._machine.globals[name.name], pattern)
            return lambda: fixed
        if name.function == self._activation.function.name:
            own = _parts(self._activation.variables[name.name], pattern)
            return lambda: own
        return lambda: [
            part
            for frame in self._machine.stack.frames
            if frame.activation.function.name == name.function
            for part in _parts(frame.activation.variables[name.name], pattern)
        ]


def _overlap(found: Found, ranges: list[Bits], cells: Cells) -> bool | None:
    try:
        places = found(cells)
    except Fault:
        return False  # the step itself will say so
    if places is None:
        return None if ranges else False
    hits = [any(first < end and begin < last for first, last in ranges) for begin, end in places]
    return True if hits and all(hits) else (None if any(hits) else False)


def _pattern(path: str) -> re.Pattern[str]:
    """What the paths of all cells in the part at a path look like."""
    return re.compile(re.escape(path).replace(r"\[\]", r"\[\d+\]") + r"(?=[.\[]|$)")


def _parts(variable: Object, pattern: re.Pattern[str]) -> list[Bits]:
    first = 8 * variable.address
    cells: list[Any] = [c for c in variable.shape if pattern.match(c.path)]
    return [(first + c.position, first + c.position + c.width) for c in cells]
