"""Lowers lambdas: what they capture becomes members of an object, their body a member function of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind, StorageClass

from stateglass.frontend import libclang
from stateglass.frontend.builder import FunctionBuilder, NotSupported
from stateglass.frontend.libclang import ClangType, Cursor
from stateglass.frontend.signatures import is_reference, signature_of
from stateglass.frontend.symbols import Symbols
from stateglass.frontend.types import field_name
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
    from stateglass.frontend.expressions import Expressions


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
        variables = list(_captured_by(cursor, len(fields)))
        if len(variables) != len(fields):
            raise NotSupported("what this lambda captures", span)
        captures: list[Capture] = []
        objects = self._lower.objects
        for number, (field, variable) in enumerate(zip(fields, variables, strict=True)):
            name = field_name(field, number)
            part = objects.part(place, name, span)
            key = None if variable is None else libclang.declaration_key(variable)
            around = objects.this_type() if variable is None else None
            captures.append(Capture(name, key, is_reference(field.type), around))
            if variable is None:
                if is_reference(field.type) or not isinstance(part.type, Pointer):
                    objects.copy(part, objects.this_place(span), field.type, False, span)  # `*this`
                else:
                    self._builder.assign(part, objects.this(span), span)
                continue
            value = libclang.initialiser(variable) if _is_made_for(variable, cursor) else None
            if value is not None:
                objects.initialise(part, value, field.type, span)
            elif is_reference(field.type):
                there = self._lower.variable_place(variable, span)
                assert isinstance(part.type, Pointer)
                self._builder.assign(part, self._lower.retyped(objects.address(there, span), part.type, span), span)
            else:
                objects.copy(part, self._lower.variable_place(variable, span), field.type, False, span)
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


def _captured_by(cursor: Cursor, count: int) -> Iterator[Cursor | None]:
    """The variables that a lambda captures, in the order of its members; None for the object around it."""
    found: dict[int | None, Cursor | None] = {}
    for child in cursor.get_children():
        if child.kind is CursorKind.VARIABLE_REF:
            found[libclang.declaration_key(child.referenced)] = child.referenced
        elif child.kind is CursorKind.CXX_THIS_EXPR:
            found[None] = None
    body = next((c for c in cursor.get_children() if c.kind is CursorKind.COMPOUND_STMT), None)
    if body is not None and len(found) < count:
        inner = {libclang.declaration_key(c) for c in cursor.walk_preorder() if c.kind in _VARIABLES}
        for used in body.walk_preorder():
            if _is_about_this(used):
                found.setdefault(None, None)
            elif (
                used.kind is CursorKind.DECL_REF_EXPR
                and used.referenced is not None
                and used.referenced.kind in _VARIABLES
            ):
                variable = used.referenced
                key = libclang.declaration_key(variable)
                if key not in inner and _is_automatic(variable) and not _is_constant(variable):
                    found.setdefault(key, variable)
    yield from found.values()


_VARIABLES = (CursorKind.VAR_DECL, CursorKind.PARM_DECL)


def _is_about_this(cursor: Cursor) -> bool:
    if cursor.kind is CursorKind.CXX_THIS_EXPR:
        return True
    implicit = cursor.kind is CursorKind.MEMBER_REF_EXPR and not libclang.expression_children(cursor)
    return implicit and cursor.referenced.kind is not CursorKind.VAR_DECL


def _is_automatic(variable: Cursor) -> bool:
    in_function = variable.semantic_parent.kind not in (CursorKind.TRANSLATION_UNIT, CursorKind.NAMESPACE)
    return in_function and variable.storage_class not in (StorageClass.STATIC, StorageClass.EXTERN)


def _is_constant(variable: Cursor) -> bool:
    """Whether nothing but a variable's value is needed, which is known."""
    value = libclang.initialiser(variable) if variable.kind is CursorKind.VAR_DECL else None
    constant = variable.type.get_canonical().is_const_qualified() and not is_reference(variable.type)
    return value is not None and bool(constant) and libclang.evaluate(value) is not None


def _is_made_for(variable: Cursor, cursor: Cursor) -> bool:
    """Whether a variable is one that the lambda itself declares: `[n = 3]`."""
    own, around = variable.location.offset, cursor.extent
    return variable.kind is CursorKind.VAR_DECL and around.start.offset <= own < around.end.offset


def is_lambda(declaration: Cursor) -> bool:
    """Whether a class is that of a lambda."""
    return "(lambda at" in str(declaration.spelling)


def _whole(local: Local) -> Expression | Aggregate:
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
        values = tuple(_whole(p) for p in others)
        result = None if signature.result == VOID else builder.temporary(signature.result, NOWHERE)
        builder.emit(Call(result, called, (AddressOf(nothing, this.type), *values)))
        builder.finish(Return(None if result is None else _whole(result)))
        return Function(name, signature.result, tuple(others), tuple(builder.locals), builder.blocks())

    return symbols.made(f"{called} as a function", make)
