"""Lowers gcc's `__atomic` functions, to plain reads and writes: no other thread can come in between."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.program import (
    Aggregate,
    Assign,
    Binary,
    BinaryOperator,
    Bool,
    Compare,
    Comparison,
    Constant,
    Dereference,
    Expression,
    Int,
    Load,
    Place,
    Pointer,
    Scalar,
    Unary,
    UnaryOperator,
    is_scalar,
    representation,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

OPERATORS: Final = {
    "add": BinaryOperator.ADD,
    "sub": BinaryOperator.SUBTRACT,
    "and": BinaryOperator.AND,
    "or": BinaryOperator.OR,
    "xor": BinaryOperator.XOR,
    "nand": BinaryOperator.AND,
}
# Their arguments as clang orders them: the pointer, the memory order, values, and what belongs to a failure.
_ARGUMENTS: Final = {
    "load_n": "&n, 5",
    "load": "&n, &v, 5",
    "store_n": "&n, v, 5",
    "store": "&n, &v, 5",
    "exchange_n": "&n, v, 5",
    "exchange": "&n, &v, &w, 5",
    "compare_exchange_n": "&n, &v, w, 0, 5, 5",
    "compare_exchange": "&n, &v, &w, 0, 5, 5",
    **{f"fetch_{name}": "&n, v, 5" for name in OPERATORS},
    **{f"{name}_fetch": "&n, v, 5" for name in OPERATORS},
    "test_and_set": "&n, 5",
    "clear": "&n, 5",
}
_OPERATION: Final = 84  # where the expression says which function it is


def _operation(cursor: Cursor) -> int:
    return int.from_bytes(ctypes.string_at(cursor.data[1] + _OPERATION, 4), "little")


@cache
def _operations() -> dict[int, str]:
    """The functions by clang's numbers; none if the numbers are not where they are looked for."""
    calls = "".join(f"__atomic_{name}({arguments});\n" for name, arguments in _ARGUMENTS.items())
    unit, _ = libclang.parse("probe.c", [], f"void f(int n, int v, int w) {{ {calls} }}")
    body = next(c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.COMPOUND_STMT)
    found = [_operation(c) for c in libclang.children(body)]
    if len(found) != len(_ARGUMENTS) or len(set(found)) != len(found):
        return {}
    return dict(zip(found, _ARGUMENTS, strict=True))


@final
class Atomics:
    """Lowers the atomic operations in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def lower(self, cursor: Cursor) -> Expression:
        """The value of an atomic operation; 0 if it has none."""
        span = span_of(cursor)
        name = _operations().get(_operation(cursor))
        values = [
            v for v in self._lower.calls.arguments(libclang.children(cursor), None) if not isinstance(v, Aggregate)
        ]
        pointer = values[0]
        target = pointer.type.target if isinstance(pointer.type, Pointer) else None
        if name is None or target is None:
            raise NotSupported("this atomic operation", span)
        if name in ("test_and_set", "clear"):
            return self._flag(name, pointer, span)
        if not is_scalar(target):
            raise NotSupported(f"__atomic_{name} on this type", span)
        place: Place = Dereference(pointer, target, 1, span)
        nothing = Constant(0, self._lower.int_type, span)
        match name:
            case "load_n":
                return self._builder.kept(Load(place, target, span), span)
            case "load":
                self._store(self._at(values[2], target, span), Load(place, target, span), span)
                return nothing
            case "store_n":
                self._store(place, convert(values[2], target, span), span)
                return nothing
            case "store":
                self._store(place, Load(self._at(values[2], target, span), target, span), span)
                return nothing
            case "exchange_n":
                old = self._builder.kept(Load(place, target, span), span)
                self._store(place, convert(values[2], target, span), span)
                return old
            case "exchange":
                old = self._builder.kept(Load(place, target, span), span)
                self._store(place, Load(self._at(values[2], target, span), target, span), span)
                self._store(self._at(values[3], target, span), old, span)
                return nothing
            case "compare_exchange_n":
                return self._compare_exchange(place, target, values[2], convert(values[4], target, span), span)
            case "compare_exchange":
                new = Load(self._at(values[4], target, span), target, span)
                return self._compare_exchange(place, target, values[2], new, span)
            case _:
                return self._fetch(name, place, target, values[2], span)

    def _store(self, place: Place, value: Expression, span: Span) -> None:
        self._builder.emit(Assign(place, value, span))

    def _at(self, pointer: Expression, target: Scalar, span: Span) -> Place:
        size = self._lower.symbols.types.pointer_size
        return Dereference(convert(pointer, Pointer(target, size), span), target, 1, span)

    def _flag(self, name: str, pointer: Expression, span: Span) -> Expression:
        byte = Int(8, signed=False)
        place = self._at(pointer, byte, span)
        old = self._builder.kept(Load(place, byte, span), span) if name == "test_and_set" else Constant(0, byte, span)
        self._store(place, Constant(int(name == "test_and_set"), byte, span), span)
        zero = Constant(0, byte, span)
        return convert(Compare(Comparison.UNEQUAL, old, zero, self._lower.int_type, span), Bool(), span)

    def _compare_exchange(
        self, place: Place, target: Scalar, expected: Expression, new: Expression, span: Span
    ) -> Expression:
        """Store `new` if the place has the expected value, else tell which one it has."""
        wanted = self._at(expected, target, span)
        old = self._builder.kept(Load(place, target, span), span)
        compare = Compare(Comparison.EQUAL, old, Load(wanted, target, span), self._lower.int_type, span)
        same = self._builder.kept(compare, span)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self._builder.branch(same, then, other, span)
        self._builder.current = then
        self._store(place, new, span)
        self._builder.start(after, span)
        self._builder.current = other
        self._store(wanted, old, span)
        self._builder.start(after, span)
        return convert(same, Bool(), span)

    def _fetch(self, name: str, place: Place, target: Scalar, given: Expression, span: Span) -> Expression:
        operation = name.removeprefix("fetch_").removesuffix("_fetch")
        if isinstance(target, Pointer | Bool):
            raise NotSupported(f"__atomic_{name} on this type", span)
        type = Int(representation(target).bits, signed=False)  # it wraps
        old = self._builder.kept(Load(place, target, span), span)
        left, right = convert(old, type, span), convert(convert(given, target, span), type, span)
        new: Expression = Binary(OPERATORS[operation], left, right, type, span)
        if operation == "nand":
            new = Unary(UnaryOperator.COMPLEMENT, new, type, span)
        kept = self._builder.kept(convert(new, target, span), span)
        self._store(place, kept, span)
        return old if name.startswith("fetch") else kept
