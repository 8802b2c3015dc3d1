"""What a statement or terminator reads and writes, as numbered leaves of memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from stateglass.program.dependence.leaves import Memory, stripped
from stateglass.program.nodes import (
    AddressOf,
    Aggregate,
    Call,
    Expression,
    Load,
    Place,
    Statement,
    Terminator,
)
from stateglass.program.outside import may_write_through
from stateglass.program.types import FunctionType, Pointer
from stateglass.program.walk import (
    Bytes,
    Node,
    Stretch,
    copied_by,
    everything_below,
    operands,
    read_by,
    stored_by,
    written_by,
)

Writes = tuple[tuple[int, bool], ...]
"""Leaves, and whether each is certainly that one scalar: an earlier value of it is gone then."""


@final
@dataclass(frozen=True, slots=True)
class Access:
    """What one node does to memory, calls apart."""

    reads: tuple[int, ...]
    writes: Writes


@final
class Accesses:
    """Answers for the nodes of one function."""

    def __init__(self, memory: Memory, function: str) -> None:
        self._memory = memory
        self._function = function

    def of(self, node: Statement | Terminator) -> Access:
        """What a node reads and writes; of a call its arguments and its result, not what happens inside."""
        reads = dict.fromkeys(n for top in read_by(node) for n in self.reads(top))
        for place in stored_by(node):
            reads |= dict.fromkeys(self._address(place))
        for copied in copied_by(node):
            reads |= dict.fromkeys(n for n, _ in self._in(copied))
        return Access(tuple(reads), tuple(leaf for written in written_by(node) for leaf in self._in(written)))

    def reads(self, top: Node) -> list[int]:
        """The leaves whose values an expression is made of, those that say where a place is included."""
        return self._places(n.place for n in everything_below(top) if isinstance(n, Load | Aggregate))

    def handed_out(self, call: Call) -> tuple[list[int], list[int]]:
        """What a call of a function without a body may read, and may change: what its arguments point to."""
        seen: dict[int, None] = {}
        changed: dict[int, None] = {}
        for argument in call.arguments:
            type = argument.type
            if isinstance(argument, Aggregate) or not isinstance(type, Pointer):
                continue
            if not isinstance(type.target, FunctionType):
                leaves = [n for n, _ in self.pointed(argument)]
                seen |= dict.fromkeys(leaves)
                changed |= dict.fromkeys(leaves) if may_write_through(type) else {}
        return list(seen), list(changed)

    def pointed(self, pointer: Expression) -> list[tuple[int, bool]]:
        """All that a pointer leads to; of an address that is taken, the whole place."""
        inner, moved = stripped(pointer)
        if isinstance(inner, AddressOf):
            found = self._memory.below(self._memory.path(inner.place, self._function))
            return [(n, exact and not moved) for n, exact in found]
        target = inner.type.target if isinstance(inner.type, Pointer) else None
        if target is None:
            return []
        return self._memory.below(self._memory.pointed(pointer, target, self._function))

    def _in(self, stretch: Stretch) -> list[tuple[int, bool]]:
        if isinstance(stretch, Bytes):
            # So many of them may be less than a scalar.
            return [(n, False) for n, _ in self.pointed(stretch.pointer)]
        return self._stored(stretch)

    def _stored(self, place: Place) -> list[tuple[int, bool]]:
        return self._memory.below(self._memory.path(place, self._function))

    def _address(self, place: Place) -> list[int]:
        """The leaves that are read to find a place."""
        return [n for below in operands(place) for n in self.reads(below)]

    def _places(self, places: Iterable[Place]) -> list[int]:
        return [n for place in places for n, _ in self._stored(place)]
