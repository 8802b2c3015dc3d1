"""Lowers calls: by name, through a pointer, and of functions that end the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import Hidden, hidden_kind
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.clang.units import FUNCTIONS, METHODS
from stateglass.frontend.cplusplus.allocation import is_about_memory
from stateglass.frontend.cplusplus.classes import inherited_from
from stateglass.frontend.cplusplus.memberpointers import called_type, member_callee
from stateglass.frontend.cplusplus.signatures import is_passed_by_address, is_reference
from stateglass.frontend.linking.library_index import plain_name
from stateglass.frontend.lowering.builder import Mark, NotSupported
from stateglass.frontend.lowering.builtins import Builtins
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.initialisers import text_of
from stateglass.program import (
    VARIADIC_SLOT,
    VOID,
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Array,
    Assign,
    Bool,
    Call,
    Constant,
    Copy,
    CopyBytes,
    Dereference,
    Drop,
    Element,
    Exit,
    Expression,
    Fail,
    Float,
    Int,
    Load,
    Local,
    Member,
    Opaque,
    Place,
    Pointer,
    PointerAdd,
    Record,
    Release,
    Unsupported,
    VariadicArguments,
    is_scalar,
    representation,
    size_of,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

# Functions that never return; calling one ends the program whatever the code around it does.
FAILURES: Final = {
    "abort": "abort",
    "__assert_fail": "assertion",
    "__assert": "assertion",
    "__builtin_abort": "abort",
    "__builtin_unreachable": "unreachable",
    "__builtin_trap": "abort",
    "__stateglass_fail_bounds": "bounds",
    "__stateglass_fail_null": "null",
    "__stateglass_fail_assertion": "assertion",
}
# In verification competitions every program defines this function, and what is aborted there does not count.
ASSUMING: Final = "assume_abort_if_not"
EXITS: Final = {"exit", "_exit", "_Exit", "quick_exit", "__builtin_exit"}
FRAME_MEMORY: Final = {"alloca", "__builtin_alloca", "__builtin_alloca_with_align"}
# Operators by what is evaluated first, be they functions or not; of all others C++ leaves that open.
LEFT_FIRST: Final = frozenset({"<<", ">>", "->*", "&&", "||", ","})
ASSIGNING: Final = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
CASTS_BY_NAME: Final = {"move", "forward", "as_const", "move_if_noexcept"}
# What the library is written with.
INTRINSICS: Final = {
    "__stateglass_copy",
    "__stateglass_copy_apart",
    "__stateglass_apart",
    "__stateglass_allocate",
    "__stateglass_allocate_for",
    "__stateglass_allocated",
    "__stateglass_release",
    "__stateglass_assume",
    "__stateglass_refuse",
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
        self._builtins = Builtins(expressions)

    def value(self, cursor: Cursor, before: Callable[[], None] | None = None) -> Expression:
        """The value of a call.

        `before` is run when the arguments are known, unless the function is built in.
        """
        name, span = _name_of(cursor), span_of(cursor)
        known = self._constant(name, cursor)
        if known is not None:
            return known
        if self._builtins.knows(name):
            value = self._builtins.lower(name, cursor)
            return Constant(0, self._lower.scalar_type(cursor), span) if value is None else value
        if returns_reference(cursor):
            return self._lower.load(self.returned_place(cursor), cursor)
        result = self.call(cursor, wanted=True, before=before)
        type = self._lower.scalar_type(cursor)
        return Constant(0, type, span) if result is None else Load(result, type, span)

    def _constant(self, name: str, cursor: Cursor) -> Constant | None:
        """`NAN`, `INFINITY`, `__builtin_constant_p` and all that is known beforehand."""
        type = self._lower.type_of(cursor)
        if not name.startswith(("__builtin_", "__atomic_")) or not is_scalar(type):
            return None
        value = libclang.floating_bits(cursor, type) if isinstance(type, Float) else libclang.evaluate(cursor)
        # What clang leaves to its optimiser is not known to gcc without one.
        if value is None and name == "__builtin_constant_p":
            value = 0
        if value is None and name in ("__builtin_object_size", "__builtin_dynamic_object_size"):
            least = libclang.evaluate(libclang.children(cursor)[-1]) in (2, 3)
            value = 0 if least else representation(type).high
        return None if value is None else Constant(value, type, span_of(cursor))

    def call(
        self, cursor: Cursor, wanted: bool, before: Callable[[], None] | None = None, into: Place | None = None
    ) -> Local | None:
        """Emit a call; the temporary that holds its result, or None if there is none or nobody wants it.

        A function that returns an object makes it in `into`, if that is given.
        """
        called = function_called(cursor)
        if called is not None and called.kind in METHODS:
            return self._lower.methods.call(cursor, wanted, into)
        callee, arguments = parts_of_call(cursor)
        span = span_of(cursor)
        if (member := member_callee(cursor)) is not None:
            return self._lower.member_pointers.call(member, arguments, span, wanted, into)
        if is_cast_by_name(cursor):
            self._lower.discard(arguments[0])
            return None
        target = strip(callee)
        if target.kind is CursorKind.MEMBER_REF_EXPR and target.referenced is None:
            # `p->~T()` where T is a number, in a template.
            for inner in libclang.expression_children(target):
                self._lower.discard(inner)
            return None
        named = target.kind is CursorKind.DECL_REF_EXPR and target.referenced.kind is CursorKind.FUNCTION_DECL
        known = named and not self._lower.symbols.is_defined(target.referenced)
        if known and self._ends_program(target.spelling, arguments, span):
            return None
        if named and target.spelling in INTRINSICS:
            return self._intrinsic(target.spelling, arguments, cursor, span)
        if known and target.spelling in REFUSED and not self._ignores_signal(target.spelling, arguments):
            raise NotSupported(REFUSED[target.spelling], span)
        if named and target.spelling in ("__builtin_va_start", "__builtin_va_copy", "__builtin_va_end"):
            self._variadic(target.spelling, arguments, span)
            return None
        if known and is_about_memory(target.referenced):
            return self._lower.heap.call(target.referenced, arguments, span)
        if known and target.spelling in FRAME_MEMORY:
            return self._take_from_frame(arguments, cursor, span)
        if named and self._constant(target.spelling, cursor) is not None:
            return None
        if named and self._builtins.knows(target.spelling):
            self._builtins.lower(target.spelling, cursor)
            return None
        if named and plain_name(target.spelling).startswith("__builtin_"):
            raise NotSupported(f"the function {target.spelling}", span)
        if named and (refusal := self._lower.symbols.refusal(target.referenced)):
            raise NotSupported(refusal, span)
        function, values = self._called_with(cursor, target.referenced if named else None, before)
        returned = target.referenced.result_type if named else _function_type(callee.type).get_result()
        return self.with_result(function, values, returned, span, wanted, into)

    def _called_with(
        self, cursor: Cursor, named: Cursor | None, before: Callable[[], None] | None
    ) -> tuple[str | Expression, tuple[Expression | Aggregate, ...]]:
        """What is called, the function that is named or what a pointer leads to, and with what."""
        callee, arguments = parts_of_call(cursor)
        function: str | Expression
        if named is not None and not self._lower.symbols.is_absent(named):
            function = self._lower.symbols.function(named)
        else:
            function = self._lower.value(callee)
        mark = self._builder.mark()
        left_first = self._lower.symbols.cplusplus and _operator(cursor) in LEFT_FIRST
        values = self.arguments(arguments, named, callee.type, left_first)
        if not isinstance(function, str):
            function = self._lower.settled(function, mark)
        if before is not None:
            mark = self._builder.mark()
            before()
            values = tuple(self.still(v, mark) for v in values)
            function = function if isinstance(function, str) else self._lower.settled(function, mark)
        return function, values

    def with_result(
        self,
        function: str | Expression,
        values: tuple[Expression | Aggregate, ...],
        returned: ClangType,
        span: Span,
        wanted: bool,
        into: Place | None,
        hidden: int = 0,
    ) -> Local | None:
        """Emit a call with its arguments; `hidden` of them come before the place for an object that is returned."""
        types = self._lower.symbols.types
        type = types.convert(returned)
        if isinstance(type, Opaque):
            raise NotSupported(f"values of type {returned.spelling}", span)
        if is_passed_by_address(returned, types):

            def fill(place: Place) -> None:
                all_values = (*values[:hidden], self._lower.objects.address(place, span), *values[hidden:])
                self._builder.emit(Call(None, function, all_values, span))

            if into is None:
                return self._lower.objects.temporary(returned, span, fill)
            fill(into)
            return None
        result = self._builder.temporary(type, span) if (wanted or into is not None) and type != VOID else None
        self._builder.emit(Call(result, function, values, span))
        if into is not None and result is not None:
            self._builder.emit(Copy(into, result, span))
        return result

    def returned_place(self, cursor: Cursor) -> Place:
        """What a call gives that has an address: what a reference refers to, or an object for the time being."""
        if is_cast_by_name(cursor):
            return self._lower.place(next(iter(cursor.get_arguments())))
        result = self.call(cursor, wanted=True)
        span = span_of(cursor)
        assert result is not None
        if returns_reference(cursor):
            assert isinstance(result.type, Pointer)
            return Dereference(Load(result, result.type, span), result.type.target, 1, span)
        return result

    def _intrinsic(self, name: str, arguments: list[Cursor], cursor: Cursor, span: Span) -> Local | None:
        builder = self._builder
        if name == "__stateglass_refuse":
            builder.emit(Unsupported(bytes(text_of(strip(arguments[0]))).decode(), span))
            return None
        values = [self._lower.value(a) for a in arguments]
        match name:
            case "__stateglass_copy" | "__stateglass_copy_apart":
                apart = name == "__stateglass_copy_apart"
                builder.emit(CopyBytes(values[0], values[1], values[2], apart, span))
            case "__stateglass_apart":
                builder.emit(Apart(values[0], values[1], values[2], values[3], span))
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
                node = AllocatedSize if name == "__stateglass_allocated" else Allocate
                builder.emit(node(result, values[0], span))
                return result
        return None

    def _ignores_signal(self, name: str, arguments: list[Cursor]) -> bool:
        """Whether a call is `signal(SIGPIPE, SIG_IGN)` or the like: no handler is installed, so it is a plain call."""
        return name == "signal" and len(arguments) == 2 and isinstance(self._lower.value(arguments[1]), Constant)

    def _take_from_frame(self, arguments: list[Cursor], cursor: Cursor, span: Span) -> Local:
        """`alloca`: memory that the function has until it returns; one piece for each place in the code."""
        builder = self._builder
        type = self._lower.scalar_type(cursor)
        size = self._lower.value(arguments[0])
        kept = builder.temporary(type, span)
        builder.frame_objects.append(kept)
        again, first = builder.new_block(), builder.new_block()
        builder.branch(Load(kept, type, span), again, first, span)
        builder.current = again
        builder.emit(Unsupported("`alloca` in a loop", span))
        builder.start(first, span)
        builder.emit(Allocate(kept, size, span))
        return kept

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
        """The place, in a va_list of this target, that holds the address of the next argument."""
        span = span_of(cursor)
        type = self._lower.type_of(cursor)
        if isinstance(type, Pointer) and isinstance(type.target, Record):
            whole: Place = Dereference(self._lower.value(cursor), type.target, 1, span)
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
        place = self._next_argument(libclang.operand(cursor))
        type = place.type
        assert isinstance(type, Pointer)
        wanted = self._lower.type_of(cursor)
        here = self._builder.temporary(type, span)
        self._builder.emit(Assign(here, Load(place, type, span), span))
        size = size_of(wanted, self._lower.symbols.types.records)
        step = Constant(-(-size // VARIADIC_SLOT) * VARIADIC_SLOT, self._lower.symbols.ptrdiff_type, span)
        self._builder.emit(Assign(place, PointerAdd(Load(here, type, span), step, 1, type, span), span))
        return Dereference(convert(Load(here, type, span), Pointer(wanted, type.size), span), wanted, 1, span)

    def arguments(
        self,
        cursors: list[Cursor],
        function: Cursor | None,
        called: ClangType | None = None,
        in_order: bool = False,
        first: int = 0,
    ) -> tuple[Expression | Aggregate, ...]:
        """The arguments of a call, evaluated from the last to the first, as gcc does, if C leaves their order open.

        What they are passed as is told by the function, or by the type of what is called. They may be given for its
        parameters from the `first` on.
        """
        parameters = _parameter_types(function, called)[first:]
        missing = [None] * (len(cursors) - len(parameters))
        values: list[Expression | Aggregate] = []
        start = self._builder.mark()
        marks: list[Mark] = []
        passed = list(enumerate(zip(cursors, (*parameters, *missing), strict=False)))
        for number, (cursor, type) in passed if in_order else reversed(passed):
            values.append(self._argument(self._given(cursor, function, first + number), type))
            before = marks[-1] if marks else start
            marks.append(self._builder.mark())
            if not in_order:
                self._builder.leave_open(values[-1], start, before, (before, marks[-1]))
        # The last marks first: what is kept there does not move the earlier ones.
        for position in reversed(range(len(values))):
            values[position] = self.still(values[position], marks[position])
        return tuple(values if in_order else reversed(values))

    def still(self, value: Expression | Aggregate, mark: Mark) -> Expression | Aggregate:
        """An argument as it was at an earlier point, if a later one may have changed it."""
        if isinstance(value, Aggregate):
            return replace(value, place=self._lower.settled_place(value.place, mark))
        return self._lower.settled(value, mark)

    def _given(self, cursor: Cursor, function: Cursor | None, number: int) -> Cursor:
        """An argument, or what its parameter has for those who leave it out."""
        if cursor.kind is not CursorKind.UNEXPOSED_EXPR or hidden_kind(cursor) is not Hidden.DEFAULT_ARGUMENT:
            return cursor
        default = None if function is None else default_argument(function, number)
        if default is None:
            raise NotSupported("this default argument", span_of(cursor))
        return default

    def default_arguments(self, function: Cursor, first: int = 0) -> tuple[Expression | Aggregate, ...]:
        """What is passed for parameters that nobody gives arguments for."""
        values = []
        for number, parameter in enumerate(function.get_arguments()):
            if number >= first:
                default = default_argument(function, number)
                if default is None:
                    raise NotSupported(f"the default of `{parameter.spelling}`", span_of(function))
                values.append(self._argument(default, parameter.type))
        return tuple(values)

    def _argument(self, cursor: Cursor, passed: ClangType | None) -> Expression | Aggregate:
        if passed is not None and is_reference(passed):
            pointer = self._lower.symbols.types.convert(passed)
            assert isinstance(pointer, Pointer)
            return self._lower.objects.reference(cursor, pointer, span_of(cursor))
        if passed is not None and is_passed_by_address(passed, self._lower.symbols.types):
            objects, span = self._lower.objects, span_of(cursor)
            made = objects.temporary(passed, span, lambda place: objects.construct(place, cursor, span))
            return objects.address(made, span)
        type = self._lower.type_of(cursor)
        if isinstance(type, Record):
            return Aggregate(self._lower.record(cursor), type, span_of(cursor))
        value = self._lower.value(cursor)
        # A condition is an `int` to us, and a `bool` to C++.
        return convert(value, type, span_of(cursor)) if isinstance(type, Int | Bool) else value

    def _ends_program(self, name: str, arguments: list[Cursor], span: Span) -> bool:
        if name in FAILURES:
            for argument in arguments:
                if not isinstance(self._lower.type_of(argument), Pointer):
                    self._lower.discard(argument)
            is_assumed = FAILURES[name] == "abort" and self._builder.name == ASSUMING
            self._builder.finish(Drop(span) if is_assumed else Fail(FAILURES[name], span))
        elif name in EXITS and len(arguments) == 1:
            status = convert(self._lower.value(arguments[0]), self._lower.int_type, span)
            if name in ("exit", "__builtin_exit") and (end := self._lower.symbols.end_of_program()) is not None:
                mark = self._builder.mark()
                self._builder.emit_quietly(Call(None, end, (), span))
                status = self._lower.settled(status, mark)
            self._builder.finish(Exit(status, span))
        else:
            return False
        self._builder.current = self._builder.new_block()
        return True


def _name_of(cursor: Cursor) -> str:
    """The function that is called by its name; empty if a pointer is called."""
    target = strip(parts_of_call(cursor)[0])
    return str(target.spelling) if target.kind is CursorKind.DECL_REF_EXPR else ""


def _operator(cursor: Cursor) -> str:
    """The operator that stands for a call of a function; empty for a call that is written as one."""
    target = function_called(cursor)
    name = "" if target is None else str(target.spelling)
    callee = parts_of_call(cursor)[0]
    written = libclang.children(cursor)[0] == callee  # the function's name stands before its arguments
    return name.removeprefix("operator") if name.startswith("operator") and not written else ""


def function_called(cursor: Cursor) -> Cursor | None:
    """The function that a call names; libclang gives the one that made the pointer, too, where a pointer is called."""
    inner = libclang.children(cursor)
    first = strip(inner[0]) if inner else None
    through_pointer = first is not None and first.kind is CursorKind.CALL_EXPR
    if first is not None and through_pointer and _function_type(first.type).kind is TypeKind.FUNCTIONPROTO:
        return None
    target: Cursor | None = cursor.referenced
    return target


def is_cast_by_name(cursor: Cursor) -> bool:
    """Whether a call is `std::move(x)` or the like: clang knows what it gives and makes no body for it."""
    target = function_called(cursor)
    return (
        target is not None
        and target.kind is CursorKind.FUNCTION_DECL
        and target.spelling in CASTS_BY_NAME
        and target.semantic_parent.spelling == "std"
        and len(list(target.get_arguments())) == 1
    )


def returns_reference(cursor: Cursor) -> bool:
    """Whether what a call gives is a reference, and so has an address that outlives it."""
    target = function_called(cursor)
    if target is not None and target.kind in FUNCTIONS:
        return target.kind is not CursorKind.CONSTRUCTOR and is_reference(target.result_type)
    if (member := member_callee(cursor)) is not None:
        return is_reference(called_type(member).get_result())
    inner = libclang.children(cursor)
    return bool(inner) and is_reference(_function_type(inner[0].type).get_result())


def parts_of_call(cursor: Cursor) -> tuple[Cursor, list[Cursor]]:
    """What is called, and with what; an operator stands between its operands."""
    callee, *arguments = libclang.children(cursor)
    target = function_called(cursor)
    if target is None or target.kind is not CursorKind.FUNCTION_DECL or not target.spelling.startswith("operator"):
        return callee, arguments
    operands = list(cursor.get_arguments())
    operator = next((c for c in (callee, *arguments) if strip(c).referenced == target and c not in operands), callee)
    return operator, operands


def default_argument(function: Cursor, number: int) -> Cursor | None:
    """What a parameter has for those who leave its argument out; any of the declarations may say it."""
    if function.kind is CursorKind.CONSTRUCTOR and (inherited := inherited_from(function)) is not None:
        return default_argument(inherited[1], number)
    for declaration in (function, function.canonical, function.get_definition()):
        if declaration is not None:
            values = libclang.expression_children(list(declaration.get_arguments())[number])
            if values:
                value = values[-1]
                # Temporaries in it live as long as those of the call.
                is_whole = value.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(value) is Hidden.WHOLE
                return libclang.operand(value) if is_whole else value
    return None


def _function_type(type: ClangType) -> ClangType:
    """The function that a pointer or reference leads to."""
    type = type.get_canonical()
    while type.kind in (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
        type = type.get_pointee().get_canonical()
    return type


def _parameter_types(function: Cursor | None, called: ClangType | None) -> list[ClangType]:
    if function is not None and function.kind in FUNCTIONS:
        return [p.type for p in function.get_arguments()]
    type = None if called is None else _function_type(called)
    return list(type.argument_types()) if type is not None and type.kind is TypeKind.FUNCTIONPROTO else []
