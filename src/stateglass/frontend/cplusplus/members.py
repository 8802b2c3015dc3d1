"""Lowers what C++ adds around the bodies of constructors, destructors and assignments: bases and members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import final

from clang.cindex import CursorKind, StorageClass

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.fields import default_of_member
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.cplusplus.classes import inherited_from, is_class, is_inherited, is_left_to_compiler
from stateglass.frontend.cplusplus.destruction import destroy_parts
from stateglass.frontend.cplusplus.lambdas import whole_of
from stateglass.frontend.cplusplus.signatures import is_passed_by_address
from stateglass.frontend.lowering.builder import JumpTarget, NotSupported
from stateglass.frontend.lowering.expressions import Expressions
from stateglass.frontend.lowering.types import TypeTable, base_name, field_name, is_padding
from stateglass.program import Call, Dereference, Load, Place, Pointer, Return
from stateglass.source import Span

Maker = Callable[[Place], None]
"""Makes a part of an object."""
BODIES = (CursorKind.COMPOUND_STMT, CursorKind.CXX_TRY_STMT)


@final
class Members:
    """Lowers the special member functions of one class."""

    def __init__(self, lower: Expressions, statement: Callable[[Cursor], None]) -> None:
        self._lower = lower
        self._builder = lower.builder
        self._objects = lower.objects
        self._statement = statement

    def construct(self, constructor: Cursor) -> None:
        span = span_of(constructor)
        if is_left_to_compiler(constructor) and list(constructor.get_arguments()):
            self._copy(constructor, span)
            return
        if is_inherited(constructor):
            self._construct_as_base(constructor, span)
            return
        body = next((c for c in constructor.get_children() if c.kind in BODIES), None)
        if body is not None and body.kind is CursorKind.CXX_TRY_STMT:
            make = partial(self._construct_with, constructor)
            self._lower.exceptions.attempt(body, self._statement, make)
        else:
            self._construct_with(constructor, body)

    def _construct_with(self, constructor: Cursor, body: Cursor | None) -> None:
        """The bases and members, and then the body."""
        span = span_of(constructor)
        type = constructor.semantic_parent.type.get_canonical()
        delegated, bases, members = _written_initialisers(constructor, type)
        this = self._objects.this_place(span)
        self._builder.open_scope()  # of what is destroyed if the rest fails
        if delegated is not None:
            self._objects.construct(this, delegated, span_of(delegated))
            self._objects.guard(this, type, span)
        else:
            self._begin(this, type, {k: self._maker(c, span) for k, c in bases.items()}, members, span)
        if body is not None:
            self._statement(body)
        self._builder.close_scope()

    def _maker(self, written: Cursor, span: Span) -> Maker:
        return lambda part: self._objects.initialise(part, written, written.type, span)

    def _construct_as_base(self, constructor: Cursor, span: Span) -> None:
        """A constructor that is inherited: its base gets what it was given, all others begin by default."""
        found = inherited_from(constructor)
        if found is None or constructor.type.is_function_variadic():
            raise NotSupported("this constructor that is inherited (`using`)", span)
        base, method = found
        given = [self._builder.local(libclang.declaration_key(p)) for p in constructor.get_arguments()]
        values = tuple(whole_of(p) for p in given if p is not None)
        name = self._lower.symbols.function(method)

        def make(part: Place) -> None:
            self._builder.emit(Call(None, name, (self._objects.address(part, span), *values), span))

        self._builder.open_scope()
        type = constructor.semantic_parent.type.get_canonical()
        key = libclang.declaration_key(base.get_declaration())
        self._begin(self._objects.this_place(span), type, {key: make}, {}, span)
        self._builder.close_scope()

    def begin(self, type: ClangType, span: Span) -> None:
        """What a constructor does that nobody wrote."""
        self._builder.open_scope()  # of what is destroyed if the rest fails
        self._begin(self._objects.this_place(span), type, {}, {}, span)
        self._builder.close_scope()

    def _begin(
        self, this: Place, type: ClangType, bases: dict[int, Maker], members: dict[int, Cursor], span: Span
    ) -> None:
        """The bases and members of an object in the order in which the class has them."""
        facts = self._lower.symbols.types.classes.of(type)
        self._refuse_virtual_bases(type, span)
        for base in facts.bases:
            part = self._objects.part(this, base_name(base.type), span)
            written = bases.get(libclang.declaration_key(base.type.get_declaration()))
            if written is not None:
                written(part)
            else:
                self._objects.construct_by_default(part, base.type, span)
            self._objects.guard(part, base.type, span)
        self._lower.tables.set_tables(this, type, span)
        self._begin_members(this, facts.type, members, span)

    def _begin_members(self, this: Place, type: ClangType, members: dict[int, Cursor], span: Span) -> None:
        """The members of an object; those of an unnamed union or struct are members of what is around it."""
        fields = [field for field in type.get_canonical().get_fields() if not is_padding(field)]
        is_union = type.get_declaration().kind is CursorKind.UNION_DECL
        # Of a union, one member has a value at most: the one that the constructor names goes before a default.
        named = is_union and any(libclang.declaration_key(field) in members for field in fields)
        for number, field in enumerate(fields):
            value = members.get(libclang.declaration_key(field))
            if value is None and not named:
                value = default_of_member(field)
            name = field_name(field, number)
            if not name:
                self._begin_members(self._objects.member(this, field, span), field.type, members, span)
                continue
            part = self._objects.member(this, field, span, number)
            if value is not None:
                self._objects.initialise(part, value, field.type, span_of(value))
            elif not is_union:
                self._objects.construct_by_default(part, field.type, span)
            if not is_union:
                self._objects.guard(part, field.type, span)

    def _refuse_virtual_bases(self, type: ClangType, span: Span) -> None:
        if any(b.is_virtual for b in self._lower.symbols.types.classes.of(type).bases):
            raise NotSupported("virtual bases", span)

    def _copy(self, constructor: Cursor, span: Span) -> None:
        """A constructor that is left to the compiler: each part is made of the other object's."""
        type = constructor.semantic_parent.type.get_canonical()
        moving = bool(constructor.is_move_constructor())
        this, other = self._objects.this_place(span), self._other(constructor, span)
        self._builder.open_scope()
        for part, mine, theirs in self._pairs(type, this, other, span):
            self._objects.copy(mine, theirs, part, moving, span)
            self._objects.guard(mine, part, span)
        self._builder.close_scope()
        self._lower.tables.set_tables(this, type, span)

    def assign(self, method: Cursor) -> None:
        """An assignment that is left to the compiler."""
        span = span_of(method)
        type = method.semantic_parent.type.get_canonical()
        moving = bool(method.is_move_assignment_operator_method())
        this, other = self._objects.this_place(span), self._other(method, span)
        for part, mine, theirs in self._pairs(type, this, other, span):
            self._objects.assign(mine, theirs, part, moving, span)
        self._builder.finish(Return(self._objects.this(span), span))

    def _pairs(
        self, type: ClangType, this: Place, other: Place, span: Span
    ) -> Iterator[tuple[ClangType, Place, Place]]:
        """The parts of two objects of a class: bases, and then members."""
        facts, objects = self._lower.symbols.types.classes.of(type), self._objects
        for base in facts.bases:
            name = base_name(base.type)
            yield base.type, objects.part(this, name, span), objects.part(other, name, span)
        for number, field in enumerate(facts.type.get_fields()):
            if not is_padding(field):
                mine, theirs = (objects.member(place, field, span, number) for place in (this, other))
                yield field.type, mine, theirs

    def _other(self, function: Cursor, span: Span) -> Place:
        (parameter,) = function.get_arguments()
        local = self._builder.local(libclang.declaration_key(parameter))
        assert local is not None and isinstance(local.type, Pointer)
        return Dereference(Load(local, local.type, span), local.type.target, 1, span)

    def destroy(self, destructor: Cursor) -> None:
        """The body, and then the members and bases in the reverse order of their making."""
        span = span_of(destructor)
        type = destructor.semantic_parent.type.get_canonical()
        this = self._objects.this_place(span)
        self._lower.tables.set_tables(this, type, span)
        after = self._builder.new_block()
        self._builder.end_of_body = JumpTarget(after, 0)
        for body in destructor.get_children():
            if body.kind is CursorKind.CXX_TRY_STMT:
                self._lower.exceptions.attempt(body, self._statement, self._statement)
            elif body.kind is CursorKind.COMPOUND_STMT:
                self._statement(body)
        self._builder.end_of_body = None
        self._builder.start(after, span)
        destroy_parts(self._lower.symbols, self._builder, this, type, span)


def _written_initialisers(
    constructor: Cursor, type: ClangType
) -> tuple[Cursor | None, dict[int, Cursor], dict[int, Cursor]]:
    """Another constructor that is called instead, and what is written for bases and for members, by declaration."""
    bases: dict[int, Cursor] = {}
    members: dict[int, Cursor] = {}
    named: Cursor | None = None
    own = libclang.declaration_key(type.get_declaration())
    delegated: Cursor | None = None
    for child in constructor.get_children():
        if child.kind is CursorKind.MEMBER_REF:
            named = child.referenced
        elif child.kind.is_expression() and named is not None:
            members[libclang.declaration_key(named)] = child
            named = None
        elif child.kind.is_expression() and is_class(child.type):  # not a number in the name of a base
            key = libclang.declaration_key(child.type.get_canonical().get_declaration())
            if key == own:
                delegated = child
            else:
                bases[key] = child
    return delegated, bases, members


def only_returned(function: Cursor, types: TypeTable) -> int | None:
    """The variable that each `return` of a function names, if there is one: compilers make it where it is wanted."""
    if not is_passed_by_address(function.result_type, types):
        return None
    found: set[int | None] = set()
    for statement in _returns(function):
        inner = libclang.children(statement)
        call = strip(inner[0]) if inner else None
        if call is None or call.kind is not CursorKind.CALL_EXPR or call.referenced is None:
            return None
        arguments = list(call.get_arguments())
        is_copy = call.referenced.kind is CursorKind.CONSTRUCTOR and (
            call.referenced.is_copy_constructor() or call.referenced.is_move_constructor()
        )
        named = strip(arguments[0]) if is_copy and arguments else None
        if named is None or named.kind is not CursorKind.DECL_REF_EXPR:
            return None
        variable = named.referenced
        same = variable.type.get_canonical().get_declaration() == function.result_type.get_canonical().get_declaration()
        plain = variable.kind is CursorKind.VAR_DECL and variable.storage_class is not StorageClass.STATIC
        if not same or not plain or variable.semantic_parent != function:
            return None
        found.add(libclang.declaration_key(variable))
    return found.pop() if len(found) == 1 else None


def _returns(cursor: Cursor) -> list[Cursor]:
    """The `return` statements of a function, but for those of lambdas and classes in it."""
    found = []
    for child in cursor.get_children():
        if child.kind is CursorKind.RETURN_STMT:
            found.append(child)
        elif child.kind not in (CursorKind.LAMBDA_EXPR, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL):
            found += _returns(child)
    return found
