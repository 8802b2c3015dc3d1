"""Virtual functions: a constant table for each class, and for each of its bases that has one of its own.

An object's hidden member leads to the table of the class that it is an object of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from clang.cindex import CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.hidden import has_address
from stateglass.frontend.clang.libclang import ClangType, Cursor, declaration_key
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.peeling import strip
from stateglass.frontend.cplusplus.adjusting import adjusted
from stateglass.frontend.cplusplus.classes import Class, is_class
from stateglass.frontend.cplusplus.destruction import deleter, destructor_function
from stateglass.frontend.cplusplus.signatures import REFERENCES, signature_of
from stateglass.frontend.cplusplus.typeinfo import TypeInfo, named_type
from stateglass.frontend.lowering.builder import NotSupported
from stateglass.frontend.lowering.conversions import convert
from stateglass.frontend.lowering.types import base_name, table_pointer
from stateglass.program import (
    VOID,
    AddressOf,
    Array,
    Call,
    Constant,
    Convert,
    Dereference,
    Element,
    Expression,
    Field,
    FunctionReference,
    FunctionType,
    Global,
    Initial,
    Load,
    Member,
    Place,
    Pointer,
    PointerAdd,
    Record,
    RecordLayout,
    is_scalar,
)
from stateglass.program.classes import TABLE
from stateglass.source import Span

if TYPE_CHECKING:
    from stateglass.frontend.lowering.expressions import Expressions

FIRST: Final = 1
"""Where the functions begin in a table; before them stands what the object is."""


_WHOLE: Final = "__stateglass_whole"


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a table: for a virtual function, and two for a destructor."""

    method: Cursor
    deletes: bool = False  # after the object is destroyed, its memory is released


@final
class Tables:
    """Lowers what has to do with virtual functions in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._lower = expressions
        self._builder = expressions.builder
        self._symbols = expressions.symbols
        self._types = expressions.symbols.types

    def function_behind(self, this: Expression, method: Cursor, span: Span, deleting: bool = False) -> Expression:
        """The function that a virtual call goes to: the object knows.

        `deleting`: the one that destroys the object and then releases its memory.
        """
        owner = self._types.classes.of(method.semantic_parent.type)
        number = self._find(self._slots(owner), method)
        assert number is not None
        number += FIRST + deleting
        size = self._types.pointer_size
        entry = Pointer(FunctionType(VOID, ()), size)
        held = self.table_place(self._lower.behind(this, span), owner, span)
        assert is_scalar(held.type) and isinstance(held.type, Pointer)
        at = PointerAdd(
            Load(held, held.type, span), Constant(number, self._symbols.ptrdiff_type, span), size, held.type, span
        )
        found = Load(Dereference(at, entry, 1, span), entry, span)
        signature = signature_of(method, self._types)
        return convert(found, Pointer(signature.type(), size), span)

    def cast_pointer(self, cursor: Cursor) -> Expression:
        """`dynamic_cast` of a pointer: null if the object is none of the wanted class."""
        inner, span = libclang.operand(cursor), span_of(cursor)
        value = self._lower.value(inner)
        source, target = (t.get_canonical().get_pointee() for t in (inner.type, cursor.type))
        if target.get_canonical().kind is TypeKind.VOID:
            return self._unless_null(value, lambda held: self.whole(held, source, span), span)
        return self._cast(value, source, target, span)

    def cast_place(self, cursor: Cursor) -> Place:
        """The same of a reference, which cannot be null: an exception is thrown instead."""
        inner, span = libclang.operand(cursor), span_of(cursor)
        value = self._lower.objects.address(self._lower.place(inner), span)
        found = self._cast(value, inner.type, cursor.type, span)
        failed, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(found, after, failed, span)
        self._builder.current = failed
        self._lower.exceptions.throw_of_library("bad_cast", cursor, span)
        self._builder.start(after, span)
        return Dereference(found, self._types.convert(cursor.type), 1, span)

    def typeid(self, cursor: Cursor) -> Place:
        """`typeid`: what is known of a type, or of what an object is."""
        span = span_of(cursor)
        inner = libclang.expression_children(cursor)
        info = TypeInfo(self._symbols)
        if not inner:
            found = info.address(named_type(cursor), span)
        elif is_class(inner[0].type) and has_address(inner[0]) and self._types.classes.of(inner[0].type).is_dynamic:
            pointer = self._not_null(inner[0], span)
            what = self._identity_behind(pointer, inner[0].type, span)
            anything = Pointer(VOID, self._types.pointer_size, readonly=True)
            first = convert(what, Pointer(anything, self._types.pointer_size), span)
            found = Load(Dereference(first, anything, 1, span), anything, span)
        else:
            found = info.address(inner[0].type.get_canonical(), span)  # the operand is not evaluated
        type = self._types.convert(cursor.type)
        return Dereference(convert(found, Pointer(type, self._types.pointer_size), span), type, 1, span)

    def _not_null(self, object: Cursor, span: Span) -> Expression:
        """The address of an object that `typeid` is about: of what a null pointer leads to, it throws an exception."""
        inner = strip(object)
        if inner.kind is not CursorKind.UNARY_OPERATOR or libclang.unary_operator(inner) != "*":
            return self._lower.objects.address(self._lower.place(object), span)
        found = self._builder.kept(self._lower.value(libclang.children(inner)[0]), span)
        some, nothing = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(found, some, nothing, span)
        self._builder.current = nothing
        self._lower.exceptions.throw_of_library("bad_typeid", object, span)
        self._builder.start(some, span)
        return found

    def whole(self, pointer: Expression, given: ClangType, span: Span) -> Expression:
        """Where the object begins that a pointer leads to, be it to one of its bases."""
        anything = Pointer(VOID, self._types.pointer_size)
        values = (convert(pointer, anything, span), self._identity_behind(pointer, given, span))
        self._symbols.runtime_function(_WHOLE, anything, (anything, anything))
        result = self._builder.temporary(anything, span)
        self._builder.emit_quietly(Call(result, _WHOLE, values, span))
        return Load(result, anything, span)

    def _identity_behind(self, pointer: Expression, given: ClangType, span: Span) -> Expression:
        """What an object says about itself."""
        table = self.table_place(self._lower.behind(pointer, span), self._types.classes.of(given), span)
        assert isinstance(table.type, Pointer)
        entry = table.type.target
        assert is_scalar(entry)
        what = Load(Dereference(Load(table, table.type, span), entry, 1, span), entry, span)
        return convert(what, Pointer(VOID, self._types.pointer_size), span)

    def _cast(self, value: Expression, given: ClangType, target: ClangType, span: Span) -> Expression:
        found = self._unless_null(value, lambda held: self._part(held, given, target, span), span)
        size = self._types.pointer_size
        return convert(found, Pointer(self._types.convert(target), size), span)

    def _part(self, pointer: Expression, given: ClangType, target: ClangType, span: Span) -> Expression:
        """The part of an object that is one of a class; null if it has none, or is none."""
        anything = Pointer(VOID, self._types.pointer_size)
        what = self._identity_behind(pointer, given, span)
        info = TypeInfo(self._symbols).address(target.get_canonical(), span)
        values = (convert(pointer, anything, span), what, info)
        self._symbols.runtime_function("__stateglass_cast", anything, tuple(v.type for v in values))
        result = self._builder.temporary(anything, span)
        self._builder.emit_quietly(Call(result, "__stateglass_cast", values, span))
        return Load(result, anything, span)

    def _unless_null(self, value: Expression, find: Callable[[Expression], Expression], span: Span) -> Expression:
        """What is found behind a pointer; null if it is."""
        anything = Pointer(VOID, self._types.pointer_size)
        held = self._builder.kept(value, span)
        result = self._builder.temporary(anything, span)
        self._builder.assign(result, Constant(0, anything, span), span)
        then, after = self._builder.new_block(), self._builder.new_block()
        self._builder.branch(held, then, after, span)
        self._builder.current = then
        self._builder.assign(result, find(held), span)
        self._builder.start(after, span)
        return Load(result, anything, span)

    def table_place(self, place: Place, facts: Class, span: Span) -> Place:
        """The hidden member of an object that leads to its table."""
        while facts.primary is not None:
            base = facts.primary.type
            place = Member(place, base_name(base), 0, self._types.convert(base), 0, span)
            facts = self._types.classes.of(base)
        return Member(place, TABLE, 0, table_pointer(self._types.pointer_size), 0, span)

    def set_tables(self, place: Place, type: ClangType, span: Span) -> None:
        """From now on an object is one of this class, whatever it was before."""
        facts = self._types.classes.of(type)
        if facts.has_virtual_bases:
            raise NotSupported("virtual bases", span)
        if not facts.is_dynamic:
            return
        for part, base, offset in self._tabled_parts(place, facts, 0, span):
            table = self._table(facts, base, offset)
            assert isinstance(table.type, Array)
            held = self.table_place(part, base, span)
            assert isinstance(held.type, Pointer)
            zero = Constant(0, self._symbols.int_type, span)
            start = AddressOf(Element(table, zero, table.type.element, span), held.type, span)
            self._builder.assign(held, start, span)

    def _tabled_parts(self, place: Place, facts: Class, offset: int, span: Span) -> Iterator[tuple[Place, Class, int]]:
        """An object, and those of its bases, at any depth, that have tables of their own."""
        yield place, facts, offset
        yield from self._tabled_bases(place, facts, offset, span)

    def _tabled_bases(self, place: Place, facts: Class, offset: int, span: Span) -> Iterator[tuple[Place, Class, int]]:
        for base in facts.bases:
            inner = self._types.classes.of(base.type)
            if not inner.is_dynamic:
                continue
            part = Member(place, base_name(base.type), base.offset, self._types.convert(base.type), 0, span)
            if base is facts.primary:
                yield from self._tabled_bases(part, inner, offset + base.offset, span)
            else:
                yield from self._tabled_parts(part, inner, offset + base.offset, span)

    def _table(self, whole: Class, part: Class, offset: int) -> Global:
        """The functions of a class for those who know it as one of its bases."""
        record = self._types.convert(whole.type)
        assert isinstance(record, Record)
        size = self._types.pointer_size
        entry = Pointer(FunctionType(VOID, ()), size)
        slots = self._slots(part)
        initial = [Initial(0, entry, self._identity(whole, record.name, offset, entry))]
        for number, slot in enumerate(slots):
            name = self._overrider(whole, slot, offset)
            if name is not None:
                position = 8 * size * (FIRST + number)
                initial.append(Initial(position, entry, Convert(FunctionReference(name, entry), entry)))
        title = f"{record.name}.table" if not offset else f"{record.name}.table+{offset}"
        return self._symbols.constant_table(title, Array(entry, FIRST + len(slots)), tuple(initial))

    def _identity(self, whole: Class, name: str, offset: int, entry: Pointer) -> Expression:
        """What an object is, and where in it the part lies whose table this is."""
        size, number = self._types.pointer_size, self._symbols.ptrdiff_type
        anything = Pointer(VOID, size, readonly=True)
        fields = (Field("type", anything, 0), Field("offset", number, size))
        self._types.records.setdefault("identity#", RecordLayout("identity#", fields, 2 * size, size))
        values = (
            Initial(0, anything, TypeInfo(self._symbols).address(whole.type)),
            *([Initial(8 * size, number, Constant(offset, number))] if offset else []),
        )
        found = self._symbols.constant_table(f"identity#{name}+{offset}", Record("identity#"), values)
        return Convert(AddressOf(found, Pointer(found.type, size)), entry)

    def _slots(self, facts: Class) -> list[Slot]:
        """The virtual functions of a class in the order of its table: those of its primary base first."""
        slots = [] if facts.primary is None else self._slots(self._types.classes.of(facts.primary.type))
        for method in facts.own_virtual():
            if self._find(slots, method) is None:
                slots.append(Slot(method))
                if method.kind is CursorKind.DESTRUCTOR:
                    slots.append(Slot(method, deletes=True))
        return slots

    def _find(self, slots: list[Slot], method: Cursor) -> int | None:
        """Where a function is found; one that gives another part of the same object needs a place of its own."""
        for number, slot in enumerate(slots):
            if overrides(method, slot.method) and not self._moved_result(method, slot.method):
                return number
        return None

    def _moved_result(self, method: Cursor, other: Cursor) -> int:
        """How far what a function returns lies before what the one returns that it overrides, both of one object."""
        given, wanted = (m.result_type.get_canonical() for m in (method, other))
        if given.kind not in (TypeKind.POINTER, *REFERENCES):
            return 0
        source, target = given.get_pointee(), wanted.get_pointee()
        return (
            self._lower.bases.distance(source, target, span_of(method))
            if self._lower.bases.is_derived(source, target)
            else 0
        )

    def _overrider(self, whole: Class, slot: Slot, offset: int) -> str | None:
        """The function that a class has for a virtual one of its base; None if it is abstract."""
        found = self._final(whole, slot.method, 0)
        if found is None:
            return None
        method, at = found
        if method.kind is CursorKind.DESTRUCTOR:
            at = 0
            name = (deleter if slot.deletes else destructor_function)(self._symbols, whole.type)
        elif method.is_pure_virtual_method():
            return None
        else:
            name = self._symbols.function(method)
        return adjusted(self._symbols, name, method, at - offset, self._moved_result(method, slot.method))

    def _final(self, facts: Class, slot: Cursor, offset: int) -> tuple[Cursor, int] | None:
        """The last function that overrides one, and where in the whole object its class begins."""
        for method in facts.own_virtual():
            if overrides(method, slot):
                return method, offset
        for base in facts.bases:
            found = self._final(self._types.classes.of(base.type), slot, offset + base.offset)
            if found is not None:
                return found
        return None


def overrides(method: Cursor, other: Cursor) -> bool:
    """Whether a virtual function takes the place of another one, or is it."""
    if method.kind is CursorKind.DESTRUCTOR or other.kind is CursorKind.DESTRUCTOR:
        return bool(method.kind is other.kind)
    if method.spelling != other.spelling:
        return False
    if declaration_key(method.canonical) == declaration_key(other.canonical):
        return True
    if method.is_const_method() != other.is_const_method():
        return False
    mine, theirs = ([t.get_canonical().spelling for t in m.type.argument_types()] for m in (method, other))
    return mine == theirs
