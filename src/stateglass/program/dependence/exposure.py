"""What pointers may lead to: variables and scalars whose address is taken, and types that casts bring together.

C's own rules on types (C11 6.5p7) are relied upon where no cast is seen: memory is read as what it was written as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import AddressOf, Convert, Dereference, Element, Global, Local, Member, Place
from stateglass.program.program import Function, Program
from stateglass.program.types import (
    Array,
    Bool,
    Enum,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Void,
    innermost,
    is_scalar,
)
from stateglass.program.walk import Node, base_of, everything_below, nodes_in

_BYTE: Final = 8


@final
class Exposure:
    """Found in one walk over the functions and the initial values of variables."""

    def __init__(self, program: Program, functions: Iterable[Function]) -> None:
        self.variables: set[tuple[str, str]] = set()  # function (or empty) and name
        self.scalars: set[object] = set()  # members (record and path) and variables whose own address is taken
        self._parents: dict[object, object] = {}
        self._bytes = False
        for function in functions:
            for node in statements_of(function.blocks):
                for inner in nodes_in(node):
                    self._look(inner, function.name)
        for variable in program.variables.values():
            for initial in variable.initial:
                for inner in everything_below(initial.value):
                    self._look(inner, "")

    def is_bytes(self, type: Type) -> bool:
        """Whether a pointer to this type may lead to anything: to no type, or to bytes that something is seen as."""
        if isinstance(type, Void | Opaque | FunctionType):
            return True
        return self._bytes and isinstance(type, Int) and type.bits == _BYTE

    def groups(self, classes: Iterable[object]) -> Iterator[object]:
        """The groups of types that casts bring together, of those that have one of these types in them."""
        for one in classes:
            if one in self._parents:
                yield ("cast", self._find(one))

    def _look(self, node: Node, function: str) -> None:
        match node:
            case AddressOf(place):
                self._address(place, function)
            case Convert(operand, Pointer(target)) if isinstance(operand.type, Pointer):
                self._cast(operand.type.target, target)
            case Convert(operand, Pointer()) if not isinstance(operand.type, Pointer):
                self._bytes = True  # an address from a number may be anything's
            case _:
                pass

    def _address(self, place: Place, function: str) -> None:
        base = base_of(place)
        if isinstance(base, Global | Local):
            self.variables.add(("" if isinstance(base, Global) else function, base.name))
        type, pattern = place.type, ""
        while isinstance(type, Array):
            type, pattern = type.element, f"{pattern}[]"
        if is_scalar(type):
            self._note(place, pattern, function)

    def _note(self, place: Place, pattern: str, function: str) -> None:
        """The path from every record on the way, and from the variable."""
        while True:
            match place:
                case Member(base, field):
                    pattern = f".{field}{pattern}" if field else pattern
                    if isinstance(base.type, Record):
                        self.scalars.add((base.type.name, pattern))
                    place = base
                case Element(base, _):
                    pattern = f"[]{pattern}"
                    place = base
                case Global(name):
                    self.scalars.add(("", name, pattern))
                    return
                case Local(name):
                    self.scalars.add((function, name, pattern))
                    return
                case Dereference():
                    return

    def _cast(self, one: Type, other: Type) -> None:
        one, other = innermost(one), innermost(other)
        if one == other or isinstance(one, FunctionType) or isinstance(other, FunctionType):
            return
        bytes_seen = isinstance(other, Void) or (isinstance(other, Int) and other.bits == _BYTE)
        if bytes_seen and not isinstance(one, Void):
            self._bytes = True
            return
        if isinstance(one, Void):
            return  # the object has the type that it is seen as: C allows no other
        a, b = self._find(_class(one)), self._find(_class(other))
        self._parents.setdefault(a, a)
        self._parents.setdefault(b, b)
        self._parents[b] = a

    def _find(self, item: object) -> object:
        while (above := self._parents.get(item, item)) != item:
            item = above
        return item


def _class(type: Type) -> object:
    if isinstance(type, Record):
        return ("record", type.name)
    return scalar_class(type) if is_scalar(type) else ("other", str(type))


def scalar_class(type: Scalar) -> tuple[str, int]:
    """A key that scalars have in common if one access may reach both: signs and names of enums do not matter."""
    match type:
        case Int(bits):
            return "int", bits
        case Enum(_, representation):
            return "int", representation.bits
        case Bool():
            return "bool", 1
        case Float(digits):
            return "float", digits
        case Pointer():
            return "pointer", 0
