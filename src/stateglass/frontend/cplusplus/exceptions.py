"""Lowers exceptions: what is thrown is kept in a variable of the library, and looked at behind each call.

Behind a call that may throw, control goes on, or to where the objects of the open scopes are destroyed, and from
there to the handlers of the innermost `try`, or out of the function.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.classes import is_class, says_noexcept
from stateglass.frontend.cplusplus.destruction import cleanup_of, destructor_of
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.cplusplus.typeinfo import TypeInfo, class_of_library
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import Cleanup, FunctionBuilder, JumpTarget
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.types import TypeTable
from stateglass.program import (
    BOOL,
    VOID,
    AddressOf,
    Aggregate,
    Array,
    Branch,
    Call,
    Clear,
    Constant,
    Declare,
    Dereference,
    Expression,
    Fail,
    Function,
    FunctionReference,
    FunctionType,
    Global,
    Jump,
    Load,
    Local,
    Place,
    Pointer,
    Record,
    Return,
    Type,
    is_scalar,
    size_of,
)
from stateglass.program.exceptions import DROP_THROWN, NEW_EXCEPTION, RETHROW, THROW, THROWN
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

_FREE: Final = "__stateglass_free_exception"


@final
class Exceptions:
    """Lowers what has to do with exceptions in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._symbols = expressions.symbols
        self._types = expressions.symbols.types
        self._pads: dict[tuple[JumpTarget | None, tuple[str, ...]], int] = {}
        if expressions.symbols.cplusplus:
            self._builder.after_call = self._check

    # ---- throwing

    def throw(self, cursor: Cursor) -> None:
        span = span_of(cursor)
        inner = libclang.expression_children(cursor)
        if not inner:
            self._rethrow(span)
            return
        self._declare_runtime()
        self._throw_object(inner[0], span)
        self._leave(span)

    def _rethrow(self, span: Span) -> None:
        self._declare_runtime()
        self._call(RETHROW, VOID, (), span)
        self._leave(span)

    def _leave(self, span: Span) -> None:
        self._builder.finish(Jump(self._pad(span), span))
        self._builder.current = self._builder.new_block()

    def throw_of_library(self, name: str, near: Cursor, span: Span) -> None:
        """Throws an object of a class of `std` that is made without arguments.

        Where no header declares it, nobody can catch it by its name either.
        """
        self._declare_runtime()
        type = class_of_library(name, near)
        if type is None:
            info = TypeInfo(self._symbols).of_nothing(f"std::{name}", span)
            self._throw_made(None, BOOL, info, span, lambda _: None)
        else:
            construct = partial(self._lower.objects.construct_by_default, type=type, span=span)
            self._throw_made(type, self._types.convert(type), self._info(type, span), span, construct)
        self._leave(span)

    def _info(self, type: ClangType, span: Span) -> Expression:
        return TypeInfo(self._symbols).address(type, span)

    def _throw_object(self, value: Cursor, span: Span) -> None:
        type = value.type.get_canonical()
        converted = self._lower.type_of(value)
        if isinstance(converted, Array):
            converted = self._types.decayed(converted, type)

        def make(place: Place) -> None:
            if is_scalar(place.type):
                self._builder.assign(place, convert(self._lower.value(value), place.type, span), span)
            else:
                self._lower.objects.initialise(place, value, type, span)

        self._throw_made(type, converted, self._info(type, span), span, make)

    def _throw_made(
        self, type: ClangType | None, converted: Type, info: Expression, span: Span, make: Callable[[Place], None]
    ) -> None:
        pointer = Pointer(converted, self._types.pointer_size)
        anything = Pointer(VOID, self._types.pointer_size)
        size = Constant(size_of(converted, self._types.records), self._symbols.size_type, span)
        destroy = Pointer(FunctionType(VOID, (anything,)), self._types.pointer_size)
        destructor = destructor_of(self._symbols, type) if type is not None and is_class(type) else None
        known: Expression = Constant(0, destroy, span)
        if destructor is not None:
            known = convert(FunctionReference(destructor, destroy, span), destroy, span)
        made = self._call(NEW_EXCEPTION, anything, (size, info, known), span)
        assert made is not None
        start = Load(made, anything, span)
        objects = self._lower.objects
        with objects.partly():
            self._symbols.runtime_function(_FREE, VOID, (anything,))
            objects.on_throw(_FREE, (start,), span)
            make(Dereference(convert(start, pointer, span), converted, 1, span))
        self._call(THROW, VOID, (start,), span)

    # ---- catching

    def attempt(
        self, cursor: Cursor, statement: Callable[[Cursor], None], whole: Callable[[Cursor], None] | None = None
    ) -> None:
        """`try` with its handlers; `whole` is more than a body: what goes wrong in making an object is thrown on."""
        builder, span = self._builder, span_of(cursor)
        body, *handlers = libclang.children(cursor)
        dispatch, after = builder.new_block(), builder.new_block()
        builder.handlers.append(JumpTarget(dispatch, len(builder.scopes)))
        (whole or statement)(body)
        builder.handlers.pop()
        builder.start(after, span)
        builder.current = dispatch
        for handler in handlers:
            self._handler(handler, after, statement, throws_on=whole is not None)
        builder.finish(Jump(self._pad(span), span))
        builder.current = after

    def _handler(self, handler: Cursor, after: int, statement: Callable[[Cursor], None], throws_on: bool) -> None:
        builder, span = self._builder, span_of(handler)
        *declared, body = libclang.children(handler)
        anything = Pointer(VOID, self._types.pointer_size)
        object = builder.temporary(anything, span)
        following = builder.new_block()
        if declared:
            caught = declared[0].type.get_canonical()
            wanted = caught.get_pointee() if is_reference(caught) else caught
            info = TypeInfo(self._symbols).address(wanted.get_canonical(), span)
            where = AddressOf(object, Pointer(anything, self._types.pointer_size), span)
            fits = self._call("__stateglass_catches", self._symbols.int_type, (info, where), span)
            assert fits is not None
            inside = builder.new_block()
            builder.branch(Load(fits, self._symbols.int_type, span), inside, following, span)
            builder.current = inside
        builder.open_scope()
        self._call("__stateglass_begin_handler", VOID, (), span)
        self._end_handler_with_scope(span)
        if declared and declared[0].spelling:
            self._declare(declared[0], Load(object, anything, span), span)
        statement(body)
        if throws_on:
            self._rethrow(span)
        builder.close_scope()
        builder.start(after, span)
        builder.current = following

    def _end_handler_with_scope(self, span: Span) -> None:
        """However a handler is left, the exception is over then."""
        marker = self._builder.temporary(self._symbols.int_type, span)
        self._builder.cleanups[marker.name] = Cleanup(
            self._symbols.made("end of a handler", lambda name: _end_of_handler(self._symbols, name))
        )
        self._builder.scopes[-1].append(marker)

    def _declare(self, cursor: Cursor, object: Expression, span: Span) -> None:
        type = cursor.type.get_canonical()
        key = libclang.declaration_key(cursor)
        converted = self._types.convert(type)
        local = self._builder.add_local(cursor.spelling, converted, span, key)
        self._builder.emit(Declare(local, span))
        if is_reference(type):
            assert isinstance(converted, Pointer)
            self._builder.behind.add(local.name)
            self._builder.assign(local, convert(object, converted, span), span)
            self._builder.scopes[-1].append(local)
            return
        pointer = Pointer(converted, self._types.pointer_size)
        source = Dereference(convert(object, pointer, span), converted, 1, span)
        self._lower.objects.copy(local, source, type, False, span)
        cleanup = cleanup_of(self._symbols, type)
        if cleanup is not None:
            self._builder.cleanups[local.name] = cleanup
        self._builder.scopes[-1].append(local)

    # ---- unwinding

    def _check(self, span: Span) -> None:
        """Behind a call: if something was thrown, control does not go on here."""
        builder = self._builder
        following = builder.new_block()
        builder.finish(Branch(self._thrown(span), self._pad(span), following, span))
        builder.current = following

    def _thrown(self, span: Span) -> Load:
        """What is on its way to a handler; null if nothing is."""
        variable = self._declare_runtime()
        assert isinstance(variable.type, Pointer)
        return Load(Global(variable.name, variable.type, span), variable.type, span)

    def _declare_runtime(self) -> Global:
        """The variable with what is thrown, and the functions that others will need as well.

        They are for whoever calls from outside, and for functions without a body that throw.
        """
        anything = Pointer(VOID, self._types.pointer_size)
        variable = self._symbols.runtime_variable(THROWN, anything)
        self._symbols.runtime_function(DROP_THROWN, VOID, ())
        self._symbols.runtime_function(NEW_EXCEPTION, anything, (self._symbols.size_type, anything, anything))
        self._symbols.runtime_function(THROW, VOID, (anything,))
        return variable

    def _pad(self, span: Span) -> int:
        """The block where an exception goes on from here: what the open scopes have is destroyed first."""
        builder = self._builder
        target = builder.handlers[-1] if builder.handlers else None
        depth = 0 if target is None else target.depth
        alive = tuple(local.name for scope in builder.scopes[depth:] for local in scope)
        key = (target, alive)
        if key not in self._pads:
            here = builder.current
            self._pads[key] = builder.current = builder.new_block()
            self._unwind(target, depth, span)
            builder.current = here
        return self._pads[key]

    def _unwind(self, target: JumpTarget | None, depth: int, span: Span) -> None:
        builder = self._builder
        ends = builder.ends_of_scopes(depth, span, ())
        if any(isinstance(s, Call) for s in ends):
            # What destructors call must not be taken for what has thrown.
            thrown = self._thrown(span)
            kept = builder.kept(thrown, span)
            builder.assign(thrown.place, Constant(0, thrown.type, span), span)
            for statement in ends:
                builder.emit_quietly(statement)
            if builder.may_throw_at_end(depth):
                ended, going_on = builder.new_block(), builder.new_block()
                builder.finish(Branch(self._thrown(span), ended, going_on, span))
                builder.current = ended
                builder.finish(Fail("abort", span))  # `std::terminate`: two exceptions at once
                builder.current = going_on
            builder.assign(thrown.place, kept, span)
        else:
            for statement in ends:
                builder.emit_quietly(statement)
        if target is not None:
            builder.finish(Jump(target.block, span))
        elif builder.never_throws:
            builder.finish(Fail("abort", span))  # `std::terminate`
        else:
            builder.finish(Return(self._any_result(span), span))

    def _any_result(self, span: Span) -> Expression | Aggregate | None:
        """What a function returns that throws: nobody looks at it."""
        result = self._builder.result_type
        if is_scalar(result):
            return Constant(0, result, span)
        if isinstance(result, Record):
            nothing = self._builder.temporary(result, span)
            self._builder.emit(Clear(nothing, span))
            return Aggregate(nothing, result, span)
        return None

    def _call(self, name: str, result: Type, values: tuple[Expression, ...], span: Span) -> Local | None:
        self._symbols.runtime_function(name, result, tuple(v.type for v in values))
        kept = None if result == VOID else self._builder.temporary(result, span)
        self._builder.emit_quietly(Call(kept, name, values, span))
        return kept


def never_throws(function: Cursor, types: TypeTable) -> bool:
    """Whether an exception that leaves a function ends the program."""
    if function.spelling == "main":
        return True
    if function.kind is CursorKind.DESTRUCTOR:
        return not types.classes.of(function.semantic_parent.type).may_throw_at_end
    return says_noexcept(function)


def _end_of_handler(symbols: Symbols, name: str) -> Function:
    builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
    symbols.runtime_function("__stateglass_end_handler", VOID, ())
    builder.emit(Call(None, "__stateglass_end_handler", ()))
    builder.finish(Return(None))
    marker = Local("marker", Pointer(symbols.int_type, symbols.types.pointer_size))
    return Function(name, VOID, (marker,), (), builder.blocks())
