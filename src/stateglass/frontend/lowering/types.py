"""Clang's types as the program's, with the layout that clang computed for the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, final

from clang.cindex import AccessSpecifier, CursorKind, LinkageKind, TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor, declaration_key, is_volatile
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import CLASSES
from stateglass.frontend.cplusplus.classes import Classes, is_class
from stateglass.frontend.cplusplus.qualified import class_name, qualified_name
from stateglass.program import (
    BOOL,
    VOID,
    Array,
    Bool,
    Enum,
    Enumeration,
    Field,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    RecordLayout,
    Target,
    Type,
    representation,
    size_of,
)
from stateglass.program.classes import TABLE
from stateglass.program.floats import FORMATS

SIGNED: Final = {
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.SHORT,
    TypeKind.INT,
    TypeKind.LONG,
    TypeKind.LONGLONG,
    TypeKind.INT128,
    TypeKind.WCHAR,
}
UNSIGNED: Final = {
    TypeKind.CHAR_U,
    TypeKind.UCHAR,
    TypeKind.CHAR16,
    TypeKind.CHAR32,
    TypeKind.USHORT,
    TypeKind.UINT,
    TypeKind.ULONG,
    TypeKind.ULONGLONG,
    TypeKind.UINT128,
}


FLOATS: Final = (TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE)


@final
class TypeTable:
    """The types of all translation units; a record or enum is known by name once its layout was seen."""

    def __init__(self, target: Target, volatile_is_input: bool) -> None:
        self._volatile_is_input = volatile_is_input
        self.pointer_size = target.pointer_size
        self._digits = target.float_digits
        self.records: dict[str, RecordLayout] = {}
        self.enums: dict[str, Enumeration] = {}
        self._names: dict[tuple[int, str], str] = {}
        self._in_progress: set[str] = set()
        self._unit = 0
        self._cache: dict[int | None, Type] = {}
        self._alignments: dict[int | None, int] = {}
        self.classes = Classes()
        self._without_tail: dict[str, Record] = {}
        self.has_own_widths = False  # whether gcc's types of expressions may differ from clang's
        self.floats: set[TypeKind] = set()  # that were met so far
        self._int_bits = target.int_bits

    def start_unit(self) -> None:
        self._unit += 1
        self.classes = Classes()
        self._cache.clear()
        self._alignments.clear()

    def convert(self, type: ClangType) -> Type:
        # The address of clang's own type: equal for equal spellings of one type, different for two types of one name.
        key = type.data[0]
        known = self._cache.get(key)
        if known is None:
            known = self._cache[key] = self._convert(type.get_canonical())
        return known

    def alignment(self, type: ClangType) -> int:
        """What the address of an object of this type must be a multiple of; a typedef may say it itself."""
        key = type.data[0]
        known = self._alignments.get(key)
        if known is None:
            known = 1 if isinstance(self.convert(type), FunctionType) else max(type.get_align(), 1)
            self._alignments[key] = known
        return known

    def alignment_behind(self, type: ClangType) -> int:
        """What the address in a pointer of this type must be a multiple of."""
        while type.kind in (TypeKind.TYPEDEF, TypeKind.ELABORATED):
            named = type.kind is TypeKind.ELABORATED
            type = type.get_named_type() if named else type.get_declaration().underlying_typedef_type
        if type.kind is TypeKind.POINTER:
            return self.alignment(type.get_pointee())
        # Libclang does not show what a `typeof` stands for, only what is left when all typedefs are resolved.
        return 1

    def parameter(self, type: ClangType) -> Type:
        """The type of a parameter: C turns arrays and functions into pointers, libclang shows what was written."""
        return self.decayed(self.convert(type), type)

    def decayed(self, type: Type, written: ClangType) -> Type:
        if isinstance(type, Array):
            return Pointer(type.element, self.pointer_size, is_const(written))
        if isinstance(type, FunctionType):
            return Pointer(type, self.pointer_size)
        return type

    def _convert(self, type: ClangType) -> Type:
        kind = type.kind
        if kind in SIGNED:
            return Int(8 * type.get_size(), signed=True)
        if kind in UNSIGNED:
            return Int(8 * type.get_size(), signed=False)
        if kind in FLOATS:
            self.floats.add(kind)
            digits = self._digits[FLOATS.index(kind)]
            # PowerPC's `long double` is a pair of doubles, which is no format of IEEE's.
            return Float(digits, type.get_size()) if digits in FORMATS else Opaque(type.spelling, type.get_size())
        match kind:
            case TypeKind.VOID:
                return VOID
            case TypeKind.BOOL:
                return BOOL
            case TypeKind.POINTER:
                pointee = type.get_pointee()
                return Pointer(self.convert(pointee), type.get_size(), is_const(pointee))
            case TypeKind.LVALUEREFERENCE | TypeKind.RVALUEREFERENCE:
                # What a reference is to its users is the business of lowering: in memory it is an address.
                pointee = type.get_pointee()
                return Pointer(self.convert(pointee), self.pointer_size, is_const(pointee))
            case TypeKind.MEMBERPOINTER if type.get_pointee().get_canonical().kind is TypeKind.FUNCTIONPROTO:
                return Pointer(FunctionType(VOID, ()), self.pointer_size)
            case TypeKind.MEMBERPOINTER:
                return Int(8 * self.pointer_size, signed=True)
            case TypeKind.NULLPTR:
                return Pointer(VOID, self.pointer_size)
            case TypeKind.CONSTANTARRAY:
                return Array(self.convert(type.element_type), type.element_count)
            case TypeKind.INCOMPLETEARRAY | TypeKind.VARIABLEARRAY:
                return Array(self.convert(type.element_type), 0)
            case TypeKind.FUNCTIONPROTO:
                parameters = tuple(self.parameter(t) for t in type.argument_types())
                return FunctionType(self.convert(type.get_result()), parameters, type.is_function_variadic())
            case TypeKind.FUNCTIONNOPROTO:
                return FunctionType(self.convert(type.get_result()), (), variadic=True)
            case TypeKind.RECORD:
                return Record(self._record(type))
            case TypeKind.ENUM:
                return self._enum(type)
            case _ if str(type.spelling).removeprefix("const ") == "char8_t":
                return Int(8, signed=False)  # which libclang does not name
            case _:
                return Opaque(type.spelling, max(type.get_size(), 0))

    def _record(self, type: ClangType) -> str:
        declaration = type.get_declaration()
        definition = declaration.get_definition() or declaration
        # All unnamed members of a record go by one USR, and what templates make of all lambdas of a function.
        told_apart = _has_tag(definition) and "(lambda at" not in definition.type.get_canonical().spelling
        named = definition.get_usr() if told_apart else ""
        key = (self._unit, named or str(declaration_key(definition)))
        name = self._names.get(key)
        if name is not None and (
            name in self._in_progress or self.records[name].size or not definition.is_definition()
        ):
            return name
        base = _tag(definition)
        attempt = 1
        while not self._try_name(base if attempt == 1 else f"{base}~{attempt}", key, definition, type):
            attempt += 1
        return self._names[key]

    def _try_name(self, name: str, key: tuple[int, str], definition: Cursor, type: ClangType) -> bool:
        """Gives a record this name, unless another record of another shape has it already."""
        existing = self.records.get(name)
        self._names[key] = name
        if existing is None:
            self.records[name] = RecordLayout(name, (), 0, 1, unsupported="it is incomplete")
        if not definition.is_definition():
            return True
        self._in_progress.add(name)
        layout = self._layout(name, definition, type)
        self._in_progress.remove(name)
        if existing is not None and existing.size and existing != layout:
            self._cache.clear()  # it may speak of the name that was tried
            return False
        self.records[name] = layout
        return True

    def _layout(self, name: str, definition: Cursor, type: ClangType) -> RecordLayout:
        unsupported = ""
        fields: list[Field] = []
        for field in self._inherited(type):
            unsupported = unsupported or self._unsupported(field)
            fields.append(field)
        if any(b.is_virtual for b in (self.classes.of(type).bases if is_class(type) else ())):
            unsupported = "it has a virtual base"
        for number, f in enumerate(type.get_fields()):
            member = self._field(f, number)
            if member is not None:
                unsupported = unsupported or self._unsupported(member)
                fields.append(member)
        union = definition.kind is CursorKind.UNION_DECL
        overlaid = is_class(type) and not _is_as_in_c(type)
        return RecordLayout(name, tuple(fields), type.get_size(), type.get_align(), union, overlaid, unsupported)

    def _unsupported(self, field: Field) -> str:
        """Why a record with this member cannot be modelled; empty if it can."""
        # One in progress is met by value through a pointer back to its owner, and will be complete.
        if isinstance(field.type, Record) and field.type.name not in self._in_progress:
            return self.records[field.type.name].unsupported
        return ""

    def _inherited(self, type: ClangType) -> Iterator[Field]:
        """What an object of a class has besides its members: the objects it is derived from, and the way to its virtual
        functions."""
        if not is_class(type):
            return
        facts = self.classes.of(type)
        if facts.is_dynamic and facts.primary is None:
            yield Field(TABLE, table_pointer(self.pointer_size), 0)
        for base in facts.bases:
            if not base.is_virtual:
                yield Field(base_name(base.type), self.convert(base.type), base.offset)

    def _field(self, cursor: Cursor, number: int) -> Field | None:
        """A member; None for an unnamed bit-field, which is padding."""
        position = cursor.get_field_offsetof()
        converted = self.convert(cursor.type)
        volatile = self._volatile_is_input and is_volatile(cursor.type)
        if not cursor.is_bitfield():
            return Field(field_name(cursor, number), converted, position // 8, 0, volatile)
        width = cursor.get_bitfield_width()
        if not field_name(cursor) or not width:
            return None
        assert isinstance(converted, Bool | Int | Enum)
        self.has_own_widths |= width > self._int_bits
        bits = Int(width, representation(converted).signed)
        return Field(cursor.spelling, bits, position // 8, position % 8, volatile)

    def with_tail(self, type: Record, length: int) -> Record:
        """The type of a variable whose flexible array member has so many elements; all else knows it as `type`."""
        layout = self.records[type.name]
        name = f"{type.name}+{length}"
        *fields, tail = layout.fields
        assert isinstance(tail.type, Array)
        size = max(layout.size, tail.offset + length * size_of(tail.type.element, self.records))
        longer = replace(tail, type=replace(tail.type, count=length))
        self.records[name] = replace(layout, name=name, fields=(*fields, longer), size=size)
        self._without_tail[name] = type
        return Record(name)

    def without_tail(self, type: Type) -> Type:
        """The type that a variable has in the source, without the elements of its flexible array member."""
        return self._without_tail.get(type.name, type) if isinstance(type, Record) else type

    def way_to(self, record: str, name: str) -> tuple[Field, ...]:
        """The members that lead from a record to one of that name: several if it is part of unnamed ones."""
        for field in self.records[record].fields:
            if field.name == name:
                return (field,)
            if not field.name and isinstance(field.type, Record):
                rest = self.way_to(field.type.name, name)
                if rest:
                    return (field, *rest)
        return ()

    def _enum(self, type: ClangType) -> Type:
        declaration = type.get_declaration()
        definition = declaration.get_definition() or declaration
        integer = self.convert(definition.enum_type)
        if not isinstance(integer, Int):
            return Opaque(type.spelling, 0)  # declared, but never defined
        members = tuple(
            (c.spelling, c.enum_value) for c in definition.get_children() if c.kind is CursorKind.ENUM_CONSTANT_DECL
        )
        base = _tag(definition)
        name, attempt = base, 1
        while name in self.enums and self.enums[name].members != members:
            attempt += 1
            name = f"{base}~{attempt}"
        self.enums.setdefault(name, Enumeration(name, members))
        return Enum(name, integer)


def field_name(field: Cursor, number: int = 0) -> str:
    """A member's name; empty for an unnamed struct or union, which libclang describes in words.

    What a lambda captures has no name either, but is told apart by its number.
    """
    around = field.semantic_parent
    if not field.spelling and around is not None and "lambda" in around.spelling:
        return f"capture{number + 1}"
    return "" if "(" in field.spelling else str(field.spelling)


def _is_as_in_c(type: ClangType) -> bool:
    """Whether C could have a class just so: members of a derived class may lie in the padding of all others.

    This is where the ABI says "POD", in the sense of 2003.
    """
    fields = list(type.get_fields())
    declared = {c.kind for c in type.get_declaration().get_children()}
    return bool(
        fields
        and type.is_pod()
        and not any(f.access_specifier in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED) for f in fields)
        and declared.isdisjoint((CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CXX_BASE_SPECIFIER))
    )


def field_in(layout: RecordLayout, field: Cursor, number: int) -> Field:
    """A member in the layout of its record; those without a name are told apart by where they lie."""
    name = field_name(field, number)
    if name:
        return layout.field(name)
    offset = field.get_field_offsetof() // 8
    return next(f for f in layout.fields if not f.name and f.offset == offset)


def is_padding(field: Cursor) -> bool:
    """Whether a member is an unnamed bit-field, which holds nothing."""
    return bool(field.is_bitfield()) and not field_name(field)


def base_name(type: ClangType) -> str:
    """What the part of an object is called that is an object of a base class."""
    return class_name(type.get_declaration())


def is_member_pointer(type: ClangType) -> bool:
    return bool(type.get_canonical().kind is TypeKind.MEMBERPOINTER)


def table_pointer(size: int) -> Pointer:
    """The type of the hidden member that leads to the virtual functions of an object."""
    return Pointer(Pointer(FunctionType(VOID, ()), size), size, readonly=True)


def is_bit_field(cursor: Cursor) -> bool:
    """Whether an expression is a bit-field of something."""
    return cursor.kind is CursorKind.MEMBER_REF_EXPR and bool(cursor.referenced.is_bitfield())


def has_flexible_member(type: ClangType) -> bool:
    """Whether a record ends with an array without a length."""
    fields = list(type.get_canonical().get_fields())
    return bool(fields) and fields[-1].type.get_canonical().kind is TypeKind.INCOMPLETEARRAY


def is_const(type: ClangType) -> bool:
    """Whether an object of the type is constant; that of an array's elements is the array's own, to libclang."""
    return bool(type.get_canonical().is_const_qualified())


def _has_tag(definition: Cursor) -> bool:
    """Whether a record or enum has a name; libclang describes in words those that have none."""
    return bool(definition.spelling) and "(" not in definition.spelling


def _tag(definition: Cursor) -> str:
    """The tag, the typedef's name, or for an unnamed type the line it stands on."""
    scoped = _has_tag(definition) and definition.semantic_parent.kind in (CursorKind.NAMESPACE, *CLASSES)
    if scoped or definition.kind is CursorKind.CLASS_DECL or "<" in str(definition.type.spelling):
        return qualified_name(definition)
    if _has_tag(definition):
        return str(definition.spelling)
    span = span_of(definition)
    return f"unnamed@{span.line}:{span.start.column}"


def is_internal(cursor: Cursor) -> bool:
    """Whether a function or variable is visible in its own file only."""
    return bool(cursor.linkage == LinkageKind.INTERNAL)


def alike(types: Sequence[Type], others: Sequence[Type]) -> bool:
    """Whether two lists of types differ only in what pointers point to and in names of integer types."""
    return len(types) == len(others) and all(_alike(a, b) for a, b in zip(types, others, strict=True))


def _alike(one: Type, other: Type) -> bool:
    match one, other:
        case Pointer(), Pointer():
            return True
        case (Int() | Enum(), Int() | Enum()):
            return representation(one).bits == representation(other).bits
        case _:
            return one == other
