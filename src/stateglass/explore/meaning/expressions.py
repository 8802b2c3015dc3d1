"""What expressions mean: the one walk over their nodes, for whatever values are and however computations are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, assert_never, final

from stateglass.program import (
    AddressOf,
    Aggregate,
    Binary,
    Compare,
    Comparison,
    Constant,
    Convert,
    Enum,
    Expression,
    FunctionReference,
    Int,
    Load,
    Place,
    Pointer,
    PointerAdd,
    PointerDifference,
    Scalar,
    Unary,
    VariadicArguments,
)
from stateglass.source import Span
from stateglass.values import Domain

V = TypeVar("V")
"""A value."""
R = TypeVar("R")
"""A computation that gives one: a function of the cells, or at once the value."""
A = TypeVar("A")
"""One that gives the contents of a record."""
R_co = TypeVar("R_co", covariant=True)
A_co = TypeVar("A_co", covariant=True)


class Combining(Protocol[V, R]):
    """How operators are applied to computations, operands from left to right."""

    def constant(self, value: V) -> R: ...

    def one(self, apply: Callable[[V], V], a: R, span: Span) -> R: ...

    def two(self, apply: Callable[[V, V], V], a: R, b: R, span: Span) -> R: ...

    def with_constant(self, apply: Callable[[V, V], V], a: R, b: V, span: Span) -> R: ...


class Pointers(Protocol[V, R]):
    """What addresses are, and what can be done with them."""

    def fixed(self, number: int, type: Pointer, span: Span) -> R:
        """A number used as an address: it means something to the machine that the program is for."""

    def function(self, name: str, type: Pointer, span: Span) -> R: ...

    def variadic(self, type: Pointer) -> R:
        """Where the further arguments of the function at hand lie."""

    def add(self, node: PointerAdd, pointer: R, index: R) -> R: ...

    def difference(self, node: PointerDifference, left: R, right: R) -> R: ...

    def comparison(self, compare: Callable[[V, V], V], ordered: bool, span: Span) -> Callable[[V, V], V]:
        """`compare` for addresses; if it is `ordered`, they must be somewhere."""

    def number(self, convert: Callable[[V], V] | None, pointer: R, span: Span) -> R:
        """An address as an integer, which it must be."""

    def converted(self, convert: Callable[[V], V] | None, value: R, span: Span) -> R:
        """An integer as an address, or an address as something else than an integer."""


class Places(Protocol[R_co, A_co]):
    """What places hold and where they are."""

    def load(self, place: Place, type: Scalar, span: Span) -> R_co: ...

    def load_copied(self, place: Place, type: Scalar, span: Span) -> R_co:
        """The same of a part of what is copied: if it was never written, what follows is not known."""

    def load_all(self, place: Place, span: Span) -> A_co:
        """The contents of all cells of a record or array."""

    def address(self, place: Place, type: Pointer, span: Span) -> R_co: ...


@final
class Expressions(Generic[V, R, A]):
    """Computations of the functions of a program."""

    def __init__(
        self, domain: Domain[V], combining: Combining[V, R], pointers: Pointers[V, R], places: Places[R, A]
    ) -> None:
        self._domain = domain
        self._combining = combining
        self._pointers = pointers
        self._places = places

    def argument(self, node: Expression | Aggregate) -> R | A:
        """What is passed or returned: a scalar, or the contents of a record."""
        return self._places.load_all(node.place, node.span) if isinstance(node, Aggregate) else self.value(node)

    def value(self, node: Expression) -> R:
        domain = self._domain
        match node:
            case Constant(number, Pointer() as type, span) | Convert(Constant(number), Pointer() as type, span) if (
                number
            ):
                return self._pointers.fixed(number, type, span)
            case Constant(number, type):
                return self._combining.constant(domain.constant(number, type))
            case Load(place, type, span, copied):
                return (self._places.load_copied if copied else self._places.load)(place, type, span)
            case AddressOf(place, type, span):
                return self._places.address(place, type, span)
            case FunctionReference(name, type, span):
                return self._pointers.function(name, type, span)
            case VariadicArguments(type):
                return self._pointers.variadic(type)
            case Unary(operator, operand, type, span):
                return self._combining.one(domain.unary(operator, type, span), self.value(operand), span)
            case Binary(operator, left, right, type, span):
                return self._both(domain.binary(operator, type, span, right.type), left, right, span)
            case Compare():
                return self._compare(node)
            case Convert():
                return self._convert(node)
            case PointerAdd(pointer, index):
                return self._pointers.add(node, self.value(pointer), self.value(index))
            case PointerDifference(left, right):
                return self._pointers.difference(node, self.value(left), self.value(right))
            case _:
                assert_never(node)

    def _compare(self, node: Compare) -> R:
        compare = self._domain.compare(node.operator, node.left.type, node.type)
        if isinstance(node.left.type, Pointer):
            ordered = node.operator not in (Comparison.EQUAL, Comparison.UNEQUAL)
            compare = self._pointers.comparison(compare, ordered, node.span)
        return self._both(compare, node.left, node.right, node.span)

    def _convert(self, node: Convert) -> R:
        source, target = node.operand.type, node.type
        change, value = self._domain.convert(source, target, node.span), self.value(node.operand)
        if isinstance(source, Pointer) and isinstance(target, Int | Enum):
            return self._pointers.number(change, value, node.span)
        if isinstance(source, Pointer) != isinstance(target, Pointer):
            return self._pointers.converted(change, value, node.span)
        return value if change is None else self._combining.one(change, value, node.span)

    def _both(self, apply: Callable[[V, V], V], left: Expression, right: Expression, span: Span) -> R:
        a = self.value(left)
        if isinstance(right, Constant) and not (isinstance(right.type, Pointer) and right.value):
            return self._combining.with_constant(apply, a, self._domain.constant(right.value, right.type), span)
        return self._combining.two(apply, a, self.value(right), span)
