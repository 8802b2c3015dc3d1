"""Lowers lambdas: what they capture becomes members of an object, their body a member function of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.parts import captured_values
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.cplusplus.signatures import is_reference, signature_of
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.builder import FunctionBuilder, NotSupported
from stateglass.frontend.lowering.types import field_name
from stateglass.program import (
    VOID,
    AddressOf,
    Aggregate,
    Call,
    Dereference,
    Expression,
    Function,
    Load,
    Local,
    Place,
    Pointer,
    Record,
    Return,
    is_scalar,
)
from stateglass.source import NOWHERE, Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
@dataclass(frozen=True, slots=True)
class Capture:
    """A member of a lambda, and what it stands for: a variable, or the object around (None)."""

    member: str
    declaration: int | None
    by_reference: bool
    around: ClangType | None = None  # the class of that object


@final
class Lambdas:
    """Lowers the lambdas of one function, and what a lambda's own body captured."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder

    def construct(self, place: Place, cursor: Cursor, span: Span) -> None:
        """Make the object that a lambda expression stands for."""
        fields = list(cursor.type.get_canonical().get_fields())
        values = captured_values(cursor, len(fields))
        if values is None:
            raise NotSupported("what this lambda captures", span)
        named = [c.referenced for c in cursor.get_children() if c.kind is CursorKind.VARIABLE_REF]
        captures: list[Capture] = []
        objects = self._lower.objects
        with objects.partly():
            for number, (field, value) in enumerate(zip(fields, values, strict=True)):
                name = field_name(field, number)
                part = objects.part(place, name, span)
                variable = _variable(value, named)
                key = None if variable is None else libclang.declaration_key(variable)
                around = objects.this_type() if variable is None else None
                captures.append(Capture(name, key, is_reference(field.type), around))
                objects.initialise(part, value, field.type, span)
                objects.guard(part, field.type, span)
        self._lower.symbols.captures[libclang.declaration_key(cursor.type.get_canonical().get_declaration())] = captures

    def captured(self, declaration: Cursor, span: Span) -> Place | None:
        """Where the body of a lambda finds a variable of the function around it; None if it has not captured it."""
        capture = self._builder.captures.get(libclang.declaration_key(declaration))
        return None if capture is None else self._member(capture, span)

    def captured_this(self, span: Span) -> Place | None:
        """The member that holds the address of the object around."""
        capture = self._builder.captures.get(None)
        if capture is None:
            return None
        assert self._builder.this is not None
        return self._lower.objects.part(self._closure(span), capture.member, span)

    def _member(self, capture: Capture, span: Span) -> Place:
        place = self._lower.objects.part(self._closure(span), capture.member, span)
        if not capture.by_reference:
            return place
        assert isinstance(place.type, Pointer)
        return Dereference(Load(place, place.type, span), place.type.target, 1, span)

    def _closure(self, span: Span) -> Place:
        this = self._builder.this
        assert this is not None and isinstance(this.type, Pointer)
        return Dereference(Load(this, this.type, span), this.type.target, 1, span)


def _variable(value: Cursor, named: list[Cursor]) -> Cursor | None:
    """The variable that a member stands for, by its first value; None for the object around.

    `named` are those that the lambda names and that no member stands for yet.
    """
    inner = strip(value)
    if named and _first_value(named[0]) == value.data[1]:
        return named.pop(0)  # it is one that the lambda itself declares: `[n = 3]`
    if inner.kind is CursorKind.CXX_THIS_EXPR or _is_whole_object(inner):
        return None
    if named:
        return named.pop(0)
    used = (c.referenced for c in value.walk_preorder() if c.kind is CursorKind.DECL_REF_EXPR)
    return next(variable for variable in used if variable is not None)


def _first_value(variable: Cursor) -> int | None:
    value = libclang.initialiser(variable) if variable.kind is CursorKind.VAR_DECL else None
    return None if value is None else int(value.data[1])


def _is_whole_object(cursor: Cursor) -> bool:
    """`*this`, or a copy of it."""
    if cursor.kind is CursorKind.CALL_EXPR:
        arguments = list(cursor.get_arguments())
        return len(arguments) == 1 and _is_whole_object(strip(arguments[0]))
    if cursor.kind is not CursorKind.UNARY_OPERATOR:
        return False
    return bool(strip(libclang.children(cursor)[0]).kind is CursorKind.CXX_THIS_EXPR)


def is_lambda(declaration: Cursor) -> bool:
    """Whether a class is that of a lambda."""
    return "(lambda at" in str(declaration.spelling)


def whole_of(local: Local) -> Expression | Aggregate:
    """What a variable holds."""
    if is_scalar(local.type):
        return Load(local, local.type)
    assert isinstance(local.type, Record)
    return Aggregate(local, local.type)


def invoker(symbols: Symbols, closure: Cursor) -> str:
    """A function that does what a lambda without captures does."""
    method = next(m for m in closure.type.get_methods() if m.spelling == "operator()")
    called = symbols.function(method)

    def make(name: str) -> Function:
        signature = signature_of(method, symbols.types)
        this, *others = signature.parameters
        assert isinstance(this.type, Pointer)
        builder = FunctionBuilder(name, symbols.int_type, symbols.types.pointer_size)
        nothing = builder.temporary(this.type.target, NOWHERE)
        values = tuple(whole_of(p) for p in others)
        result = None if signature.result == VOID else builder.temporary(signature.result, NOWHERE)
        builder.emit(Call(result, called, (AddressOf(nothing, this.type), *values)))
        builder.finish(Return(None if result is None else whole_of(result)))
        return Function(name, signature.result, tuple(others), tuple(builder.locals), builder.blocks())

    return symbols.made(f"{called} as a function", make)
