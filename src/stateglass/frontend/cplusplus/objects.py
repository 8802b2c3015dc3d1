"""Lowers objects: how they are constructed, copied and destroyed, and how long temporaries live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.fields import default_of_member
from stateglass.frontend.clang.hidden import (
    Hidden,
    extended_temporaries,
    hidden_kind,
    is_in_braces,
    zero_first,
)
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.parts import is_left_out, listed_member, listed_values
from stateglass.frontend.clang.peeling import is_throw
from stateglass.frontend.cplusplus.classes import Class, element_type, is_class, is_left_to_compiler
from stateglass.frontend.cplusplus.destruction import destructor_if, destructor_of
from stateglass.frontend.cplusplus.ending import count_begun
from stateglass.frontend.cplusplus.signatures import is_reference
from stateglass.frontend.lowering.builder import Cleanup, Ending, NotSupported
from stateglass.frontend.lowering.calls import returns_reference
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.initialisers import is_text
from stateglass.frontend.lowering.types import base_name, field_in, is_padding
from stateglass.program import (
    AddressOf,
    Array,
    Assign,
    Call,
    Clear,
    Constant,
    Copy,
    Declare,
    Dereference,
    Element,
    Expression,
    Field,
    FunctionType,
    Int,
    Load,
    Local,
    Member,
    Place,
    Pointer,
    Record,
    RecordLayout,
    is_scalar,
)
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions


@final
class Objects:
    """Lowers what concerns objects in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._symbols = expressions.symbols
        self._types = expressions.symbols.types
        self._extended: dict[int, int] = {}  # temporaries that a scope around their expression keeps
        self._keeping: dict[int, int] = {}  # lists in braces that begin a variable: what members refer to lives as long
        self._lasting = ""  # the variable that is begun and lives as long as the program, with what it refers to
        self._kept: dict[int, str] = {}  # temporaries that do, too, by the variable
        self._begun: tuple[Place, ClangType] | None = None  # the aggregate whose members have their defaults

    # ---- the object at hand

    def this(self, span: Span) -> Expression:
        if self._begun is not None:
            return self.address(self._begun[0], span)
        captured = self._lower.lambdas.captured_this(span)
        if captured is not None:
            if isinstance(captured.type, Pointer):
                return Load(captured, captured.type, span)
            return self.address(captured, span)
        local = self._builder.this
        if local is None:
            raise NotSupported("`this` outside of a member function", span)
        assert isinstance(local.type, Pointer)
        return Load(local, local.type, span)

    def this_type(self) -> ClangType:
        """The class of the object at hand."""
        if self._begun is not None:
            return self._begun[1]
        owner = self._builder.owner
        assert owner is not None
        capture = self._builder.captures.get(None)
        return owner if capture is None else capture.around

    def this_place(self, span: Span) -> Place:
        pointer = self.this(span)
        assert isinstance(pointer.type, Pointer)
        return Dereference(pointer, pointer.type.target, 1, span)

    def address(self, place: Place, span: Span) -> Expression:
        """A pointer to a place; what a reference to it holds."""
        if isinstance(place, Dereference):
            return place.pointer
        return AddressOf(place, Pointer(place.type, self._types.pointer_size), span)

    # ---- construction

    def construct(self, place: Place, cursor: Cursor, span: Span) -> None:
        """Make an object in a place that has none yet."""
        match cursor.kind:
            case CursorKind.PAREN_EXPR:
                return self.construct(place, libclang.children(cursor)[0], span)
            case CursorKind.UNEXPOSED_EXPR:
                return self._construct_unexposed(place, cursor, span)
            case kind if kind in libclang.CASTS:
                return self.construct(place, libclang.operand(cursor), span)
            case CursorKind.CALL_EXPR:
                target = cursor.referenced
                if target is not None and target.kind is CursorKind.CONSTRUCTOR:
                    return self._construct_by(place, target, cursor, span)
                if returns_reference(cursor):
                    self._builder.emit(Copy(place, self._lower.place(cursor), span))
                else:
                    self._lower.calls.call(cursor, wanted=True, into=place)
                return None
            case CursorKind.INIT_LIST_EXPR | CursorKind.CXX_PAREN_LIST_INIT_EXPR:
                return self._construct_from_list(place, cursor, span)
            case CursorKind.CONDITIONAL_OPERATOR:
                return self._construct_one_of(place, cursor, span)
            case CursorKind.BINARY_OPERATOR if cursor.spelling == ",":
                left, right = libclang.children(cursor)
                self._lower.discard(left)
                return self.construct(place, right, span)
            case CursorKind.BINARY_OPERATOR if cursor.spelling == "<=>":
                return self._lower.operators.order(place, cursor)
            case CursorKind.LAMBDA_EXPR:
                return self._lower.lambdas.construct(place, cursor, span)
            case _:
                # What has an address is copied as it is: where that is not all, clang shows the constructor.
                self._builder.emit(Copy(place, self._lower.place(cursor), span))
                return None

    def _construct_unexposed(self, place: Place, cursor: Cursor, span: Span) -> None:
        match hidden_kind(cursor):
            case Hidden.WHOLE:
                inner = libclang.operand(cursor)
                scope = len(self._builder.scopes) - 1
                if hidden_kind(inner) is Hidden.VALUE_LIST:
                    self._extend(inner, scope)
                self._keeping = {libclang.expression_key(c): scope for c in _lists_in(inner)}
                with self.whole():
                    self.construct(place, inner, span)
            case Hidden.DEFAULT_ARGUMENT:
                raise NotSupported("a default argument here", span)
            case Hidden.VALUE_LIST:
                self._construct_value_list(place, cursor, span)
            case _:
                self.construct(place, libclang.operand(cursor), span)

    def _construct_by(self, place: Place, constructor: Cursor, cursor: Cursor, span: Span) -> None:
        if isinstance(place.type, Array):
            with self.partly():
                for element in self._elements(place, span):
                    self._construct_by(element, constructor, cursor, span)
                    self.guard(element, constructor.semantic_parent.type, span)
            return
        facts = self._types.classes.of(constructor.semantic_parent.type)
        arguments = list(cursor.get_arguments())
        implicit = is_left_to_compiler(constructor)
        if implicit and facts.is_copied_bitwise and arguments:
            self._builder.emit(Copy(place, self._lower.place(arguments[0]), span))
            return
        if not arguments and zero_first(cursor):
            self._builder.emit(Clear(place, span))
        if implicit and not arguments and not self.needs_construction(facts):
            return
        values = self._lower.calls.arguments(arguments, constructor, in_order=is_in_braces(cursor))
        name = self._symbols.function(constructor)
        self._builder.emit(Call(None, name, (self.address(place, span), *values), span))

    def needs_construction(self, facts: Class) -> bool:
        """Whether a class that says nothing about it has something to do when an object begins without a value."""
        if facts.is_dynamic:
            return True
        constructor = facts.default_constructor
        if constructor is not None and not is_left_to_compiler(constructor):
            return True
        if any(self.needs_construction(self._types.classes.of(b.type)) for b in facts.bases):
            return True
        for field in facts.type.get_fields():
            if default_of_member(field) is not None:
                return True
            element = element_type(field.type)
            if is_class(element) and self.needs_construction(self._types.classes.of(element)):
                return True
        return False

    def construct_by_default(self, place: Place, type: ClangType, span: Span) -> None:
        """An object, or an array of them, that nothing is said about."""
        element = element_type(type)
        if not is_class(element):
            return
        facts = self._types.classes.of(element)
        if not self.needs_construction(facts):
            return
        if isinstance(place.type, Array):
            assert type.get_canonical().kind is TypeKind.CONSTANTARRAY
            with self.partly():
                for part in self._elements(place, span):
                    self.construct_by_default(part, type.get_canonical().element_type, span)
                    self.guard(part, type.get_canonical().element_type, span)
            return
        name = self._symbols.default_constructor(element)
        if name is None:
            raise NotSupported(f"the construction of {element.spelling}", span)
        declared = facts.default_constructor
        values = self._lower.calls.default_arguments(declared) if declared is not None else ()
        self._builder.emit(Call(None, name, (self.address(place, span), *values), span))

    def copy(self, place: Place, source: Place, type: ClangType, moving: bool, span: Span) -> None:
        """A member of an object that is made of another object's."""
        if isinstance(place.type, Array) and is_class(element_type(type)):
            inner = type.get_canonical().element_type
            with self.partly():
                for one, other in zip(self._elements(place, span), self._elements(source, span), strict=True):
                    self.copy(one, other, inner, moving, span)
                    self.guard(one, inner, span)
        elif is_class(type) and not (facts := self._types.classes.of(type)).is_copied_bitwise:
            constructor = facts.copy_constructor(moving)
            if constructor is None:
                raise NotSupported(f"copying a value of {type.spelling}", span)
            name = self._symbols.function(constructor)
            both = (self.address(place, span), self.address(source, span))
            extra = self._lower.calls.default_arguments(constructor, 1)
            self._builder.emit(Call(None, name, (*both, *extra), span))
        else:
            self.copy_plainly(place, source, span)

    def assign(self, place: Place, source: Place, type: ClangType, moving: bool, span: Span) -> None:
        """A member of an object that is assigned another object's."""
        if isinstance(place.type, Array) and is_class(element_type(type)):
            inner = type.get_canonical().element_type
            for one, other in zip(self._elements(place, span), self._elements(source, span), strict=True):
                self.assign(one, other, inner, moving, span)
            return
        method = self._types.classes.of(type).assignment(moving) if is_class(type) else None
        if method is None or self.assigns_plainly(method):
            self.copy_plainly(place, source, span)
            return
        name = self._symbols.function(method)
        both = (self.address(place, span), self.address(source, span))
        self._builder.emit(Call(None, name, both, span))

    def assigns_plainly_by(self, method: Cursor) -> bool:
        """Whether a member function is an assignment operator that copies memory."""
        is_assignment = method.is_copy_assignment_operator_method() or method.is_move_assignment_operator_method()
        return bool(is_assignment) and self.assigns_plainly(method)

    def assigns_plainly(self, method: Cursor) -> bool:
        """Whether an assignment operator is left to the compiler and copies memory."""
        if not is_left_to_compiler(method):
            return False
        facts = self._types.classes.of(method.semantic_parent.type)
        parts = [b.type for b in facts.bases] + [element_type(f.type) for f in facts.type.get_fields()]
        moving = bool(method.is_move_assignment_operator_method())
        for part in parts:
            if is_class(part):
                inner = self._types.classes.of(part).assignment(moving)
                if inner is not None and not self.assigns_plainly(inner):
                    return False
        return not facts.is_dynamic

    def copy_plainly(self, place: Place, source: Place, span: Span) -> None:
        if is_scalar(place.type):
            assert is_scalar(source.type)
            self._builder.emit(Assign(place, Load(source, source.type, span), span))
        else:
            self._builder.emit(Copy(place, source, span))

    def _construct_one_of(self, place: Place, cursor: Cursor, span: Span) -> None:
        condition, *sides = libclang.children(cursor)
        then, other, after = (self._builder.new_block() for _ in range(3))
        self._lower.decisions.branch(condition, then, other)
        with self._builder.in_decision():
            for block, side in zip((then, other), sides, strict=True):
                self._builder.current = block
                if is_throw(side):
                    self._lower.discard(side)
                else:
                    self.construct(place, side, span)
                self._builder.start(after, span)

    def _construct_from_list(self, place: Place, cursor: Cursor, span: Span) -> None:
        """An aggregate: what the list does not mention has its default, or is zero."""
        type = cursor.type.get_canonical()
        is_braced = cursor.kind is CursorKind.INIT_LIST_EXPR
        given = listed_values(cursor) if is_braced else libclang.expression_children(cursor)
        scope = self._keeping.get(libclang.expression_key(cursor))
        parts = list(self._parts(place, type, span))
        if type.get_declaration().kind is CursorKind.UNION_DECL:
            parts = [self._part_for(place, member, span)] if (member := self._only_member(cursor, type)) else []
        with self.partly():
            for number, (part, part_type, default) in enumerate(parts):
                if number < len(given) and not is_left_out(given[number]):
                    if scope is not None and is_reference(part_type) and isinstance(part.type, Pointer):
                        self._bind_within(part, given[number], part.type, scope, span)
                        continue
                    self.initialise(part, given[number], part_type, span)
                elif default is not None:
                    with self._beginning(place, type):
                        self.initialise(part, default, part_type, span)
                else:
                    self.value_initialise(part, part_type, span)
                self.guard(part, part_type, span)

    @contextmanager
    def _beginning(self, place: Place, type: ClangType) -> Iterator[None]:
        """What members start with may speak of other members of the same object."""
        around, self._begun = self._begun, (place, type)
        yield
        self._begun = around

    def _parts(self, place: Place, type: ClangType, span: Span) -> Iterator[tuple[Place, ClangType, Cursor | None]]:
        """What a list gives values for: elements, or bases and members with their defaults."""
        if isinstance(place.type, Array):
            for element in self._elements(place, span):
                yield element, type.element_type, None
            return
        for base in self._types.classes.of(type).bases:
            yield self.part(place, base_name(base.type), span), base.type, None
        for field in type.get_fields():
            if not is_padding(field):
                yield self._part_for(place, field, span)

    def _part_for(self, place: Place, field: Cursor, span: Span) -> tuple[Place, ClangType, Cursor | None]:
        return self.member(place, field, span), field.type, default_of_member(field)

    def _only_member(self, cursor: Cursor, type: ClangType) -> Cursor | None:
        """What a list gives a value of a union; None if that has no members."""
        members = list(type.get_fields())
        found = listed_member(cursor, members)
        if members and found is None:
            raise NotSupported("this list in braces for a union", span_of(cursor))
        return found

    def _construct_value_list(self, place: Place, cursor: Cursor, span: Span) -> None:
        """`std::initializer_list`: where an array of the values begins, and how many there are."""
        (array,) = libclang.expression_children(cursor)
        values = self.materialised(array)
        assert isinstance(place.type, Record) and isinstance(values.type, Array)
        first, size = self._types.records[place.type.name].fields
        assert isinstance(first.type, Pointer) and isinstance(size.type, Int)
        zero = Constant(0, self._lower.int_type, span)
        start = AddressOf(Element(values, zero, values.type.element, span), first.type, span)
        self._builder.emit(Assign(_member(place, first, span), start, span))
        self._builder.emit(Assign(_member(place, size, span), Constant(values.type.count, size.type, span), span))

    def part(self, place: Place, name: str, span: Span) -> Place:
        """A member or base by its name."""
        return _member(place, self._layout(place, span).field(name), span)

    def member(self, place: Place, field: Cursor, span: Span, number: int = 0) -> Place:
        """A member that may have no name, as unnamed unions have none."""
        return _member(place, field_in(self._layout(place, span), field, number), span)

    def _layout(self, place: Place, span: Span) -> RecordLayout:
        assert isinstance(place.type, Record)
        layout = self._types.records[place.type.name]
        if layout.unsupported:
            raise NotSupported(f"values of `{place.type.name}`: {layout.unsupported}", span)
        return layout

    def initialise(self, place: Place, cursor: Cursor, type: ClangType, span: Span) -> None:
        """A variable, or a part of an object, from the expression that it is declared with."""
        if is_reference(type):
            self.bind(place, cursor, span)
        elif cursor.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(cursor) is Hidden.ARRAY_COPY:
            self.copy(place, self._lower.place(libclang.expression_children(cursor)[0]), type, False, span)
        elif cursor.kind is CursorKind.CXX_PAREN_LIST_INIT_EXPR:
            self._construct_from_list(place, cursor, span)
        elif is_class(element_type(type)):
            if cursor.kind is CursorKind.INIT_LIST_EXPR and cursor.type.kind is TypeKind.VOID:
                self.value_initialise(place, type, span)  # `{}` inside of a list
            else:
                self.construct(place, cursor, span)
        elif not is_scalar(place.type) and hidden_kind(cursor) is Hidden.WHOLE:
            with self.whole():
                self.initialise(place, libclang.operand(cursor), type, span)
        elif not is_scalar(place.type) and is_left_out(cursor):
            self.value_initialise(place, type, span)
        elif isinstance(place.type, Array) and self._lists_elements(place.type, cursor):
            # What is written is not all: pointers to objects may still have to become pointers to their bases.
            self._builder.emit(Clear(place, span))
            for value, element in zip(listed_values(cursor), self._elements(place, span), strict=False):
                if not is_left_out(value):
                    self.initialise(element, value, type.get_canonical().element_type, span)
        else:
            self._lower.updates.initialise(place, cursor, span)

    def _lists_elements(self, type: Array, cursor: Cursor) -> bool:
        """Whether a list in braces has the elements of an array, not the text that is all of it."""
        return cursor.kind is CursorKind.INIT_LIST_EXPR and not any(is_text(type, v) for v in listed_values(cursor)[:1])

    def value_initialise(self, place: Place, type: ClangType, span: Span) -> None:
        """`T{}`: zero, and then whatever a constructor does."""
        element = element_type(type)
        if is_class(element):
            constructor = self._types.classes.of(element).default_constructor
            if constructor is None or is_left_to_compiler(constructor):
                self._builder.emit(Clear(place, span))
            self.construct_by_default(place, type, span)
        elif is_scalar(place.type):
            self._builder.emit(Assign(place, Constant(0, place.type, span), span))
        else:
            self._builder.emit(Clear(place, span))

    def _elements(self, place: Place, span: Span) -> Iterator[Place]:
        assert isinstance(place.type, Array)
        for number in range(place.type.count):
            yield Element(place, Constant(number, self._lower.int_type, span), place.type.element, span)

    # ---- objects that are made in parts

    def guard(self, place: Place, type: ClangType, span: Span) -> None:
        """From now on an exception that leaves the scope at hand destroys an object."""
        destructor = None if is_reference(type) else destructor_of(self._symbols, type)
        if destructor is not None:
            self.on_throw(destructor, (self.address(place, span),), span)

    def on_throw(self, function: str, arguments: tuple[Expression, ...], span: Span) -> None:
        marker = self._builder.temporary(self._lower.int_type, span)
        self._builder.cleanups[marker.name] = Cleanup(function, None, arguments, Ending.THROWN)
        self._builder.scopes[-1].append(marker)

    @contextmanager
    def partly(self) -> Iterator[None]:
        """What is guarded meanwhile is so only until the whole is there."""
        scope = self._builder.scopes[-1]
        before = len(scope)
        yield
        cleanups = self._builder.cleanups
        scope[before:] = [x for x in scope[before:] if x.name not in cleanups or not cleanups[x.name].is_guard]

    # ---- temporaries

    @contextmanager
    def whole(self) -> Iterator[None]:
        """A full expression: temporaries that are made in it are destroyed at its end."""
        self._builder.open_scope()
        yield
        self._builder.close_scope()

    def whole_value(self, cursor: Cursor) -> Expression:
        with self.whole():
            value = self._lower.value(libclang.operand(cursor))
            if self._builder.scopes[-1]:
                value = self._builder.kept(value, value.span)
        return value

    def temporary(self, type: ClangType, span: Span, make: Callable[[Place], None], scope: int = -1) -> Local:
        """A variable without a name; it is destroyed when the innermost scope ends, or another one that is named."""
        local = self._builder.temporary(self._types.convert(type), span)
        flag = None
        destructor = destructor_of(self._symbols, type) if is_class(element_type(type)) else None
        if destructor is not None and self._builder.conditional:
            flag = self._builder.flag(span)
        if self._builder.scopes:
            self._builder.emit(Declare(local, span))  # in a loop it lives anew in each round
        make(local)
        self._builder.drop_useless_declaration(local)
        if destructor is not None:
            if flag is not None:
                self._builder.emit(Assign(flag, Constant(1, self._lower.int_type, span), span))
                destructor = destructor_if(self._symbols, destructor, local.type)
            may_throw = self._types.classes.of(element_type(type)).may_throw_at_end
            self._builder.cleanups[local.name] = Cleanup(destructor, flag, may_throw=may_throw)
        if self._builder.scopes:
            self._builder.scopes[scope].append(local)
        return local

    def materialised(self, cursor: Cursor) -> Place:
        """The variable that stands for a value which is used as if it had an address."""
        inner = libclang.operand(cursor)
        span = span_of(cursor)
        key = libclang.expression_key(cursor)
        if key in self._kept:
            room = self._symbols.hidden(f"{self._kept[key]}%{len(self._kept)}", self._types.convert(inner.type))
            self.initialise(room, inner, inner.type, span)
            count_begun(self._symbols, self._builder, room, inner.type, span)
            return room
        scope = self._extended.get(key, -1)
        if scope >= 0:
            self._keeping.update((libclang.expression_key(c), scope) for c in _lists_in(inner))
        return self.temporary(inner.type, span, lambda place: self.initialise(place, inner, inner.type, span), scope)

    def bind(self, place: Place, cursor: Cursor, span: Span) -> None:
        """A reference begins: it holds an address from now on. What it is bound to lives as long as it does."""
        if cursor.kind is CursorKind.INIT_LIST_EXPR and len(libclang.children(cursor)) == 1:
            cursor = libclang.children(cursor)[0]
        pointer = place.type
        assert isinstance(pointer, Pointer)
        scope = len(self._builder.scopes) - 1
        if cursor.kind is CursorKind.UNEXPOSED_EXPR and hidden_kind(cursor) is Hidden.WHOLE:
            with self.whole():
                self._bind_within(place, libclang.operand(cursor), pointer, scope, span)
        else:
            self._bind_within(place, cursor, pointer, scope, span)

    def _bind_within(self, place: Place, cursor: Cursor, pointer: Pointer, scope: int, span: Span) -> None:
        """The same in a full expression; a temporary that the reference is bound to belongs to another scope."""
        self._extend(cursor, scope)
        self._builder.emit(Assign(place, self.reference(cursor, pointer, span), span))

    def reference(self, cursor: Cursor, type: Pointer, span: Span) -> Expression:
        """What a reference to an expression holds: its address."""
        if isinstance(type.target, FunctionType):
            return self._lower.function_pointer(cursor, type)
        return convert(self.address(self._lower.place(cursor), span), type, span)

    def _extend(self, cursor: Cursor, scope: int) -> None:
        """Lets the temporaries that live on with what an expression begins belong to a scope."""
        keys = [libclang.expression_key(t) for t in extended_temporaries(cursor)]
        if self._lasting:
            self._kept.update((key, self._lasting) for key in keys)
        else:
            self._extended.update((key, scope) for key in keys)

    @contextmanager
    def for_good(self, variable: str) -> Iterator[None]:
        """The first value of a variable that lives as long as the program."""
        self._lasting = variable
        yield
        self._lasting = ""


def _lists_in(cursor: Cursor) -> Iterator[Cursor]:
    """A list in braces and those that stand directly in it."""
    while cursor.kind in libclang.CASTS or hidden_kind(cursor) is Hidden.CONVERSION:
        cursor = libclang.operand(cursor)
    if cursor.kind is CursorKind.INIT_LIST_EXPR:
        yield cursor
        for inner in listed_values(cursor):
            yield from _lists_in(inner)


def _member(place: Place, field: Field, span: Span) -> Place:
    return Member(place, field.name, field.offset, field.type, field.bit, span)
