"""Lowers declarations inside of functions: variables, objects, names for the parts of objects."""

from __future__ import annotations

from typing import Final, final

from clang.cindex import CursorKind, StorageClass, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.attributes import cleanup_function
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.cplusplus.bindings import Bindings
from stateglass.frontend.cplusplus.destruction import cleanup_of, destructor_of
from stateglass.frontend.cplusplus.ending import count_begun, forgetting
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.lowering.builder import Cleanup, Ending, NotSupported
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.program import (
    Array,
    Compare,
    Comparison,
    Constant,
    Declare,
    Dereference,
    Fail,
    Global,
    Load,
    Local,
    Opaque,
    Place,
    Pointer,
    Record,
    Type,
)
from stateglass.source import Span

_TAKEN_IN_WHERE_USED: Final = (
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
    CursorKind.FUNCTION_DECL,
    CursorKind.STATIC_ASSERT,
    CursorKind.UNEXPOSED_DECL,  # `__label__`
    CursorKind.CLASS_DECL,
    CursorKind.TYPE_ALIAS_DECL,
    CursorKind.USING_DECLARATION,
    CursorKind.USING_DIRECTIVE,
    CursorKind.NAMESPACE_ALIAS,
)

# What is known of a static local: nothing, at first, or that its first value is there, or is being computed.
_BEGUN: Final = 1
_BEGINNING: Final = 2


@final
class Declarations:
    """Lowers the declarations of one function."""

    def __init__(self, lower: Expressions) -> None:
        self._lower = lower
        self._builder = lower.builder
        self._symbols = lower.symbols
        self._bindings = Bindings(lower, self.declare)
        # The variable that every `return` of the function names: it is made where the result is wanted.
        self.returned: int | None = None

    def result_place(self, span: Span) -> Place | None:
        """Where the function makes the object that it returns; None if it returns something else."""
        hidden = self._builder.result
        if hidden is None:
            return None
        assert isinstance(hidden.type, Pointer)
        return Dereference(Load(hidden, hidden.type, span), hidden.type.target, 1, span)

    def _refuse_other_type(self, cursor: Cursor) -> None:
        """Refuse `typeof` and `__auto_type` if gcc makes another type of it."""
        value = libclang.initialiser(cursor)
        deduced = cursor.type.kind is TypeKind.AUTO
        if not deduced and "typeof" not in cursor.type.spelling:
            return
        for inner in libclang.expression_children(cursor):
            initial = value is not None and libclang.expression_key(inner) == libclang.expression_key(value)
            if initial == deduced:
                self._lower.widths.refuse(inner, span_of(cursor))

    def declare(self, cursor: Cursor) -> None:
        if cursor.kind is CursorKind.UNEXPOSED_DECL and self._symbols.cplusplus and libclang.children(cursor):
            self._bindings.declare(cursor)
            return
        if cursor.kind in _TAKEN_IN_WHERE_USED:
            return
        if cursor.kind is CursorKind.TYPEDEF_DECL:
            self._lower.lengths.compute(cursor.underlying_typedef_type, cursor)
            return
        if cursor.kind is not CursorKind.VAR_DECL:
            kind = cursor.kind.name.lower().replace("_", " ")
            raise NotSupported(f"this declaration ({kind})", span_of(cursor))
        if cursor.storage_class in (StorageClass.STATIC, StorageClass.EXTERN):
            self._lower.lengths.compute(cursor.type, cursor, libclang.initialiser(cursor))
            variable = self._symbols.variable(cursor)
            if variable.name in self._symbols.begun_late:
                self._begin_once(variable, cursor)
            return
        self._refuse_other_type(cursor)
        type = self._symbols.types.convert(cursor.type)
        span = span_of(cursor)
        if cursor.type.get_canonical().kind is TypeKind.VARIABLEARRAY:
            self._lower.lengths.declare(cursor, span)
            return
        self._lower.lengths.compute(cursor.type, cursor, libclang.initialiser(cursor))
        if isinstance(type, Opaque) or (isinstance(type, Array) and not _complete(type)):
            raise NotSupported(f"variables of type {cursor.type.spelling}", span)
        if isinstance(type, Record) and self._symbols.types.records[type.name].unsupported:
            reason = self._symbols.types.records[type.name].unsupported
            raise NotSupported(f"values of `{type.name}`: {reason}", span)
        if libclang.declaration_key(cursor) == self.returned:
            self._declare_result(cursor, span)
            return
        local = self._builder.add_local(cursor.spelling, type, span, libclang.declaration_key(cursor))
        if is_reference(cursor.type):
            self._builder.behind.add(local.name)
        if self._symbols.cplusplus:
            self._declare_object(local, cursor, span)
            return
        self._builder.scopes[-1].append(local)
        self._initialise(local, cursor, span)
        function = cleanup_function(cursor)
        if function is not None:
            self._builder.cleanups[local.name] = Cleanup(self._symbols.function(function))

    def _declare_object(self, local: Local, cursor: Cursor, span: Span) -> None:
        """A variable of C++: it is to be destroyed from the moment on in which it is there."""
        objects = self._lower.objects
        initialiser = libclang.initialiser(cursor)
        self._builder.emit(Declare(local, span))
        if initialiser is not None:
            objects.initialise(local, initialiser, cursor.type, span)
            self._builder.drop_useless_declaration(local)
        self._builder.scopes[-1].append(local)
        cleanup = cleanup_of(self._symbols, cursor.type) if not is_reference(cursor.type) else None
        if cleanup is not None:
            self._builder.cleanups[local.name] = cleanup

    def _begin_once(self, variable: Global, cursor: Cursor) -> None:
        """A static local whose first value is computed when control first comes to it."""
        span, builder, int_type = span_of(cursor), self._builder, self._symbols.int_type
        initialiser = libclang.initialiser(cursor)
        assert initialiser is not None
        begun = self._symbols.hidden(f"{variable.name}%begun", int_type)
        first, again, then, after = (builder.new_block() for _ in range(4))
        is_there = Compare(
            Comparison.EQUAL, Load(begun, int_type, span), Constant(_BEGUN, int_type, span), int_type, span
        )
        builder.branch(is_there, after, first, span)
        builder.current = first
        builder.branch(Load(begun, int_type, span), again, then, span)
        builder.current = again
        builder.finish(Fail("unreachable", span))  # who computes the first value must not come here again
        builder.current = then
        builder.assign(begun, Constant(_BEGINNING, int_type, span), span)
        objects = self._lower.objects
        with objects.partly(), objects.for_good(variable.name):
            objects.on_throw(forgetting(self._symbols), (objects.address(begun, span),), span)
            objects.initialise(variable, initialiser, cursor.type, span)
        count_begun(self._symbols, builder, variable, cursor.type, span)
        builder.assign(begun, Constant(_BEGUN, int_type, span), span)
        builder.start(after, span)

    def _declare_result(self, cursor: Cursor, span: Span) -> None:
        """The variable that is returned lives on as the result."""
        place = self.result_place(span)
        assert place is not None
        self._builder.bound[libclang.declaration_key(cursor)] = place
        initialiser = libclang.initialiser(cursor)
        if initialiser is not None:
            self._lower.objects.initialise(place, initialiser, cursor.type, span)
        destructor = destructor_of(self._symbols, cursor.type)
        if destructor is not None:
            marker = self._builder.temporary(self._symbols.int_type, span)
            address = (self._lower.objects.address(place, span),)
            self._builder.cleanups[marker.name] = Cleanup(destructor, None, address, Ending.UNLESS_RETURNED)
            self._builder.scopes[-1].append(marker)

    def _initialise(self, local: Local, cursor: Cursor, span: Span) -> None:
        initialiser = libclang.initialiser(cursor)
        self._builder.emit(Declare(local, span))
        if initialiser is not None:
            self._lower.updates.initialise(local, initialiser, span)
            self._builder.drop_useless_declaration(local)


def _complete(type: Type) -> bool:
    while isinstance(type, Array):
        if not type.count:
            return False
        type = type.element
    return not isinstance(type, Opaque)
