"""The C types that generated programs use, and the conversions C applies to them on the host."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class IntType:
    """An integer type as it is spelled, with what decides conversions: width, sign and rank.

    A bit-field is described by a type of its own, with the rank of `short` if it is narrower than an int.
    """

    name: str
    width: int
    signed: bool
    rank: int
    bit_field: bool = False

    @property
    def lo(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def hi(self) -> int:
        return (1 << (self.width - 1)) - 1 if self.signed else (1 << self.width) - 1

    @property
    def is_bool(self) -> bool:
        return self.rank == 0

    def same_as(self, other: "CType") -> bool:
        """Whether pointers to the two types are compatible; an enum is compatible only with itself here."""
        if not isinstance(other, IntType) or (self.rank, self.signed) != (other.rank, other.signed):
            return False
        if self.bit_field or other.bit_field:
            return False
        # Plain and signed char are distinct types with the same range; enums keep their own name.
        return self.spelling_class == other.spelling_class

    @property
    def spelling_class(self) -> str:
        return self.name if self.name.startswith("enum ") or self.name == "char" else ""


@final
@dataclass(frozen=True, slots=True)
class EnumType:
    """An enum with its enumerators; objects of it have `representation`, enumerators are int."""

    name: str
    enumerators: tuple[tuple[str, int], ...]

    @property
    def representation(self) -> IntType:
        signed = any(value < 0 for _, value in self.enumerators)
        return IntType(self.name, 32, signed, INT.rank)


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A member of a struct."""

    name: str
    type: "CType"


@final
@dataclass(frozen=True, slots=True)
class StructType:
    """A struct; two of them are the same type when their names are."""

    name: str
    fields: tuple[Field, ...]


@final
@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array of known length."""

    element: "CType"
    length: int


@final
@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer; `nullable` says whether the generator must test it before use.

    A struct that points to its own kind names its target by `forward`, since types are immutable values.
    """

    target: "CType | None"
    nullable: bool
    forward: str = ""


CType = IntType | StructType | ArrayType | PointerType

BOOL = IntType("_Bool", 1, False, 0)
CHAR = IntType("char", 8, True, 1)
SCHAR = IntType("signed char", 8, True, 1)
UCHAR = IntType("unsigned char", 8, False, 1)
SHORT = IntType("short", 16, True, 2)
USHORT = IntType("unsigned short", 16, False, 2)
INT = IntType("int", 32, True, 3)
UINT = IntType("unsigned int", 32, False, 3)
LONG = IntType("long", 64, True, 4)
ULONG = IntType("unsigned long", 64, False, 4)
LLONG = IntType("long long", 64, True, 5)
ULLONG = IntType("unsigned long long", 64, False, 5)

STANDARD = (BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG)
FIXED = (
    IntType("int8_t", 8, True, 1),
    IntType("uint8_t", 8, False, 1),
    IntType("int16_t", 16, True, 2),
    IntType("uint16_t", 16, False, 2),
    IntType("int32_t", 32, True, 3),
    IntType("uint32_t", 32, False, 3),
    IntType("int64_t", 64, True, 4),
    IntType("uint64_t", 64, False, 4),
    IntType("size_t", 64, False, 4),
)
NAMED = STANDARD + FIXED
_BY_RANK = {(t.rank, t.signed): t for t in (INT, UINT, LONG, ULONG, LLONG, ULLONG)}


def promoted(t: IntType) -> IntType:
    return INT if t.rank < INT.rank else _BY_RANK[(t.rank, t.signed)]


def unsigned_of(t: IntType) -> IntType:
    return _BY_RANK[(promoted(t).rank, False)]


def signed_of(t: IntType) -> IntType:
    return _BY_RANK[(promoted(t).rank, True)]


def common(a: IntType, b: IntType) -> IntType:
    """The usual arithmetic conversions (C11 6.3.1.8)."""
    left, right = promoted(a), promoted(b)
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    return signed if signed.width > unsigned.width else unsigned_of(signed)


def bit_field(t: IntType, width: int) -> IntType:
    """The type of a bit-field of so many bits that is declared with `t`."""
    return IntType(t.name, width, t.signed, INT.rank if width == INT.width else min(t.rank, SHORT.rank), True)


def member_declaration(t: CType, name: str) -> str:
    """The text that declares a member of a struct."""
    suffix = f" : {t.width}" if isinstance(t, IntType) and t.bit_field else ""
    return declaration(t, name) + suffix


def declaration(t: CType, name: str) -> str:
    """The text that declares `name` with type `t`, without qualifiers, initialiser or semicolon."""
    match t:
        case IntType() | StructType():
            return f"{t.name} {name}".rstrip()
        case ArrayType():
            return declaration(t.element, f"{name}[{t.length}]")
        case PointerType(target=None):
            return f"{t.forward} *{name}"
        case PointerType(target=target):
            assert target is not None
            return declaration(target, f"(*{name})" if isinstance(target, ArrayType) else f"*{name}")


def target_of(t: PointerType, struct_named: Callable[[str], StructType]) -> CType:
    return struct_named(t.forward) if t.target is None else t.target


def same_type(a: CType, b: CType) -> bool:
    """Whether objects of the two types may be assigned to each other, or pointed to by one pointer."""
    match a, b:
        case IntType(), IntType():
            return a.same_as(b)
        case StructType(), StructType():
            return a.name == b.name
        case ArrayType(), ArrayType():
            return a.length == b.length and same_type(a.element, b.element)
        case PointerType(), PointerType():
            return a.nullable == b.nullable and _same_target(a, b)
        case _:
            return False


def _same_target(a: PointerType, b: PointerType) -> bool:
    if a.target is None or b.target is None:
        return _target_name(a) == _target_name(b)
    return same_type(a.target, b.target)


def _target_name(t: PointerType) -> str:
    if t.target is None:
        return t.forward
    return t.target.name if isinstance(t.target, StructType) else ""
