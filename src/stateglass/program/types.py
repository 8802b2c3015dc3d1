"""C types as a program has them: exact widths, with the sizes and offsets that clang gave for the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeGuard, final

from stateglass.program.floats import FORMATS, FloatFormat


@final
@dataclass(frozen=True, slots=True)
class Void:
    """No value."""

    def __str__(self) -> str:
        return "void"


@final
@dataclass(frozen=True, slots=True)
class Bool:
    """`_Bool`: one byte that holds 0 or 1."""

    def __str__(self) -> str:
        return "bool"


@final
@dataclass(frozen=True, slots=True)
class Int:
    """A machine integer."""

    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - (1 if self.signed else 0))) - 1

    def __str__(self) -> str:
        return f"{'int' if self.signed else 'uint'}{self.bits}"


@final
@dataclass(frozen=True, slots=True)
class Float:
    """A floating-point number, held as its bit pattern; `digits` are the bits of the significand."""

    digits: int
    size: int  # in bytes; long double has padding

    @property
    def format(self) -> FloatFormat:
        return FORMATS[self.digits]

    def __str__(self) -> str:
        return f"float{self.format.width}"


@final
@dataclass(frozen=True, slots=True)
class Enum:
    """An enumeration; its enumerators are in the program's table `enums`."""

    name: str
    representation: Int

    def __str__(self) -> str:
        return f"enum {self.name}"


@final
@dataclass(frozen=True, slots=True)
class Pointer:
    """A byte address of an object of type `target`, or a function number."""

    target: Type
    size: int  # in bytes; it differs between targets
    readonly: bool = False  # the pointed-to object is const

    def __str__(self) -> str:
        return f"{self.target}{' const' if self.readonly else ''} *"


@final
@dataclass(frozen=True, slots=True)
class Array:
    """`count` elements one after the other; 0 for an array of unknown size behind a pointer."""

    element: Type
    count: int

    def __str__(self) -> str:
        counts, element = f"[{self.count}]", self.element
        while isinstance(element, Array):  # the outermost dimension first, as C has it
            counts, element = f"{counts}[{element.count}]", element.element
        return f"{element}{counts}"


@final
@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union by name; its fields are in the program's table `records`."""

    name: str

    def __str__(self) -> str:
        return self.name


@final
@dataclass(frozen=True, slots=True)
class FunctionType:
    """The type of a function; only ever behind a pointer."""

    result: Type
    parameters: tuple[Type, ...]
    variadic: bool = False

    def __str__(self) -> str:
        parameters = [str(p) for p in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.result}({', '.join(parameters)})"


@final
@dataclass(frozen=True, slots=True)
class Opaque:
    """A type that is not modelled, by the name the source gives it; using a value of it is `Unsupported`."""

    name: str
    size: int

    def __str__(self) -> str:
        return f"opaque {self.name}"


Type = Void | Bool | Int | Float | Enum | Pointer | Array | Record | FunctionType | Opaque
Scalar = Bool | Int | Float | Enum | Pointer
Integer = Bool | Int | Enum
Number = Int | Float

VOID: Final = Void()
BOOL: Final = Bool()


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A member of a record at its byte offset.

    A bit-field has an integer type of its width, and `bit` says where in its first byte it begins. Reading a `volatile`
    one of a variable gives an input.
    """

    name: str
    type: Type
    offset: int
    bit: int = 0
    volatile: bool = False


@final
@dataclass(frozen=True, slots=True)
class RecordLayout:
    """What a record consists of. Members of a union overlap."""

    name: str
    fields: tuple[Field, ...]
    size: int
    alignment: int
    union: bool = False
    # Whether what derives from it may put members of its own into the padding at its end.
    overlaid: bool = False
    # Why values of this record cannot be modelled (a bit-field, say); empty: they can.
    unsupported: str = ""

    def field(self, name: str) -> Field:
        return next(f for f in self.fields if f.name == name)


@final
@dataclass(frozen=True, slots=True)
class Enumeration:
    """The enumerators of an enum in declaration order."""

    name: str
    members: tuple[tuple[str, int], ...]


def representation(type: Scalar) -> Int:
    """The machine integer that holds a value of a scalar type."""
    match type:
        case Int():
            return type
        case Bool():
            return Int(8, signed=False)
        case Enum():
            return type.representation
        case Pointer() | Float():
            return Int(8 * type.size, signed=False)


def innermost(type: Type) -> Type:
    """The type of what an array consists of, however many dimensions it has; of anything else, itself."""
    while isinstance(type, Array):
        type = type.element
    return type


def is_scalar(type: Type) -> TypeGuard[Scalar]:
    return isinstance(type, Bool | Int | Float | Enum | Pointer)
