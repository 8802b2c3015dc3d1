"""Lowers calls: by name, through a pointer, and of functions that end the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind

from stateglass.frontend import clang
from stateglass.frontend.builder import NotSupported
from stateglass.frontend.clang import Cursor
from stateglass.frontend.conversions import convert
from stateglass.frontend.hidden import strip
from stateglass.frontend.library_index import plain_name
from stateglass.frontend.locations import span_of
from stateglass.program import (
    VARIADIC_SLOT,
    VOID,
    Aggregate,
    Allocate,
    AllocatedSize,
    Array,
    Assign,
    Binary,
    BinaryOperator,
    Call,
    Compare,
    Comparison,
    Constant,
    CopyBytes,
    Dereference,
    Drop,
    Element,
    Exit,
    Expression,
    Fail,
    Float,
    Load,
    Local,
    Member,
    Opaque,
    Place,
    Pointer,
    PointerAdd,
    Record,
    Release,
    VariadicArguments,
    size_of,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.expressions import Expressions

# Functions that never return; calling one ends the program whatever the code around it does.
FAILURES: Final = {
    "abort": "abort",
    "__assert_fail": "assertion",
    "__assert": "assertion",
    "__builtin_unreachable": "unreachable",
    "__builtin_trap": "abort",
}
EXITS: Final = {"exit", "_exit", "_Exit"}
# What the library is written with.
INTRINSICS: Final = {
    "__stateglass_copy",
    "__stateglass_allocate",
    "__stateglass_allocated",
    "__stateglass_release",
    "__stateglass_assume",
}
# Functions that do what no function without a body can stand for: they move control somewhere else.
REFUSED: Final = {
    **dict.fromkeys(("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"), "setjmp"),
    **dict.fromkeys(("longjmp", "_longjmp", "siglongjmp"), "longjmp"),
    **dict.fromkeys(("signal", "sigaction"), "signal handlers"),
    **dict.fromkeys(("fork", "vfork"), "fork"),
}


@final
class Calls:
    """Lowers the calls in one function's expressions."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def value(self, cursor: Cursor) -> Expression:
        if cursor.spelling == "__builtin_expect":
            arguments = clang.children(cursor)[1:]
            value = self._lower.value(arguments[0])
            self._lower.discard(arguments[1])
            return value
        constant = clang.evaluate(cursor) if cursor.spelling.startswith("__builtin_") else None
        if constant is not None:
            return Constant(constant, self._lower.scalar_type(cursor), span_of(cursor))
        special = self._floating(cursor)
        if special is not None:
            return special
        result = self.call(cursor, wanted=True)
        span = span_of(cursor)
        type = self._lower.scalar_type(cursor)
        return Constant(0, type, span) if result is None else Load(result, type, span)

    def _floating(self, cursor: Cursor) -> Expression | None:
        """What `math.h` is made of: `NAN`, `INFINITY`, and the questions `isnan`, `isinf` and `isfinite`."""
        name = cursor.spelling.removeprefix("__builtin_").removesuffix("_sign")
        if name == cursor.spelling:
            return None
        span = span_of(cursor)
        type = self._lower.type_of(cursor)
        if isinstance(type, Float):
            bits = clang.floating_bits(cursor, type)
            return None if bits is None else Constant(bits, type, span)
        arguments = clang.expression_children(cursor)[1:]
        if name not in ("isnan", "isinf", "isfinite") or len(arguments) != 1:
            return None
        value = self._lower.value(arguments[0])
        kind, int_type = value.type, self._lower.int_type
        if not isinstance(kind, Float):
            return None
        # x - x is 0 for numbers and NaN for infinities and NaNs.
        zero = Binary(BinaryOperator.SUBTRACT, value, value, kind, span)
        number = Compare(Comparison.EQUAL, zero, zero, int_type, span)
        ordered = Compare(Comparison.EQUAL, value, value, int_type, span)
        if name == "isnan":
            return Compare(Comparison.UNEQUAL, value, value, int_type, span)
        return number if name == "isfinite" else Binary(BinaryOperator.XOR, number, ordered, int_type, span)

    def call(self, cursor: Cursor, wanted: bool) -> Local | None:
        """Emit a call; the temporary that holds its result, or None if there is none or nobody wants it."""
        callee, *arguments = clang.children(cursor)
        span = span_of(cursor)
        target = strip(callee)
        named = target.kind is CursorKind.DECL_REF_EXPR and target.referenced.kind is CursorKind.FUNCTION_DECL
        known = named and not self._lower.symbols.is_defined(target.referenced)
        if known and self._ends_program(target.spelling, arguments, span):
            return None
        if named and target.spelling in INTRINSICS:
            return self._intrinsic(target.spelling, arguments, cursor, span)
        if known and target.spelling in REFUSED:
            raise NotSupported(REFUSED[target.spelling], span)
        if named and target.spelling in ("__builtin_va_start", "__builtin_va_copy", "__builtin_va_end"):
            self._variadic(target.spelling, arguments, span)
            return None
        if named and plain_name(target.spelling).startswith("__builtin_"):
            raise NotSupported(f"the function {target.spelling}", span)
        function: str | Expression
        function = self._lower.symbols.function(target.referenced) if named else self._lower.value(callee)
        values = self._arguments(arguments)
        type = self._lower.type_of(cursor)
        if isinstance(type, Opaque):
            raise NotSupported(f"values of type {cursor.type.spelling}", span)
        result = self._builder.temporary(type, span) if wanted and type != VOID else None
        self._builder.emit(Call(result, function, values, span))
        return result

    def _intrinsic(self, name: str, arguments: list[Cursor], cursor: Cursor, span: Span) -> Local | None:
        builder = self._builder
        values = [self._lower.value(a) for a in arguments]
        match name:
            case "__stateglass_copy":
                builder.emit(CopyBytes(values[0], values[1], values[2], span))
            case "__stateglass_release":
                builder.emit(Release(values[0], span))
            case "__stateglass_assume":
                going_on, dropped = builder.new_block(), builder.new_block()
                builder.branch(values[0], going_on, dropped, span)
                builder.current = dropped
                builder.finish(Drop(span))
                builder.current = going_on
            case _:
                result = builder.temporary(self._lower.scalar_type(cursor), span)
                node = Allocate if name == "__stateglass_allocate" else AllocatedSize
                builder.emit(node(result, values[0], span))
                return result
        return None

    # ---- variadic arguments: a va_list holds the address of the next one

    def _variadic(self, name: str, arguments: list[Cursor], span: Span) -> None:
        if name == "__builtin_va_end":
            return
        place = self._next_argument(arguments[0])
        type = place.type
        assert isinstance(type, Pointer)
        if name == "__builtin_va_start":
            self._builder.emit(Assign(place, VariadicArguments(type, span), span))
        else:
            source = self._next_argument(arguments[1])
            assert isinstance(source.type, Pointer)
            self._builder.emit(Assign(place, Load(source, source.type, span), span))

    def _next_argument(self, cursor: Cursor) -> Place:
        """Where a va_list, whatever the target makes of it, holds the address of the next argument."""
        span = span_of(cursor)
        type = self._lower.type_of(cursor)
        if isinstance(type, Pointer) and isinstance(type.target, Record):
            whole: Place = Dereference(self._lower.value(cursor), type.target, span)
        else:
            whole = self._lower.place(strip(cursor))
        if isinstance(whole.type, Array):
            whole = Element(whole, Constant(0, self._lower.int_type, span), whole.type.element, span)
        if isinstance(whole.type, Record):
            fields = self._lower.symbols.types.records[whole.type.name].fields
            pointer = next((f for f in fields if isinstance(f.type, Pointer)), None)
            if pointer is None:
                raise NotSupported("this kind of va_list", span)
            return Member(whole, pointer.name, pointer.offset, pointer.type, 0, span)
        if not isinstance(whole.type, Pointer):
            raise NotSupported("this kind of va_list", span)
        return whole

    def variadic_argument(self, cursor: Cursor) -> Place:
        """`va_arg`: the next argument, after moving on."""
        span = span_of(cursor)
        place = self._next_argument(clang.operand(cursor))
        type = place.type
        assert isinstance(type, Pointer)
        wanted = self._lower.type_of(cursor)
        here = self._builder.temporary(type, span)
        self._builder.emit(Assign(here, Load(place, type, span), span))
        size = size_of(wanted, self._lower.symbols.types.records)
        step = Constant(-(-size // VARIADIC_SLOT) * VARIADIC_SLOT, self._lower.symbols.ptrdiff_type, span)
        self._builder.emit(Assign(place, PointerAdd(Load(here, type, span), step, 1, type, span), span))
        return Dereference(convert(Load(here, type, span), Pointer(wanted, type.size), span), wanted, span)

    def _arguments(self, cursors: list[Cursor]) -> tuple[Expression | Aggregate, ...]:
        values: list[Expression | Aggregate] = []
        marks = []
        for cursor in cursors:
            values.append(self._argument(cursor))
            marks.append(self._builder.mark())
        for position in reversed(range(len(values))):
            value = values[position]
            if not isinstance(value, Aggregate):
                values[position] = self._lower.settled(value, cursors[position], marks[position])
        return tuple(values)

    def _argument(self, cursor: Cursor) -> Expression | Aggregate:
        type = self._lower.type_of(cursor)
        if isinstance(type, Record):
            return Aggregate(self._lower.record(cursor), type, span_of(cursor))
        return self._lower.value(cursor)

    def _ends_program(self, name: str, arguments: list[Cursor], span: Span) -> bool:
        if name in FAILURES:
            for argument in arguments:
                if not isinstance(self._lower.type_of(argument), Pointer):
                    self._lower.discard(argument)
            self._builder.finish(Fail(FAILURES[name], span))
        elif name in EXITS and len(arguments) == 1:
            self._builder.finish(Exit(convert(self._lower.value(arguments[0]), self._lower.int_type, span), span))
        else:
            return False
        self._builder.current = self._builder.new_block()
        return True
