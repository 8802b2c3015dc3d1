"""Types, numbers and places of a program as C text; what has no such text is refused by name."""

from __future__ import annotations

import re
from typing import Final

from stateglass.program import Bool, Enum, Float, Int, Pointer, Type, Void
from stateglass.replay.driving.script import Number
from stateglass.source import Code, InputError, input_error

WIDTHS: Final = (8, 16, 32, 64)
_ALL_BITS: Final = (1 << 64) - 1
# A variable of the program itself, and which part of it: what our names for other things look like is none.
_PLACE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*")
_FUNCTION: Final = re.compile(r"[A-Za-z_]\w*")


_REFUSED: Final = "this run cannot be driven: "
# Of what compilers, assemblers and linkers say.
_COMPILER_ERROR: Final = re.compile(r"\berror: +(.+)|(?=undefined reference)(.+)", re.IGNORECASE)


def refused(what: str, help: str = "") -> InputError:
    return input_error(Code.UNSUPPORTED, f"{_REFUSED}{what}", help=help)


def why_refused(error: InputError) -> str:
    """What there is to say of it within a sentence: of what a compiler said, its first error."""
    first, _, said = error.diagnostics[0].message.partition("\n")
    found = _COMPILER_ERROR.search(said)
    return first.removeprefix(_REFUSED).rstrip(":") + (
        f": {(found[1] or found[2]).rstrip()}" if found is not None else ""
    )


def type_text(type: Type, where: str) -> str:
    """A type that is passed like the one in the source."""
    match type:
        case Void():
            return "void"
        case Bool():
            return "_Bool"
        case Int(bits, signed) if bits in WIDTHS:
            return f"__{'INT' if signed else 'UINT'}{bits}_TYPE__"
        case Enum():
            return type_text(type.representation, where)
        case Pointer():
            return "void *"
        case Float() if type.size in (4, 8) and type.digits in (24, 53):
            return "float" if type.digits == 24 else "double"
        case _:
            raise refused(f"{where} has the type {type}, which is not passed as a number or pointer")


def bits_of(number: Number) -> int:
    """Sixty-four bits: numbers with a sign keep their value in them."""
    return number.value & _ALL_BITS


def constant(number: Number) -> str:
    return f"{bits_of(number)}ULL"


def as_bits(expression: str, type: Type) -> str:
    """An expression of a type as the same sixty-four bits, in C."""
    match type:
        case Float():
            return f"sg_{'float' if type.digits == 24 else 'double'}_bits({expression})"
        case Pointer():
            return f"(sg_bits)(__UINTPTR_TYPE__)({expression})"
        case Int(_, True):
            return f"(sg_bits)(sg_signed)({expression})"
        case Enum():
            return as_bits(expression, type.representation)
        case _:
            return f"(sg_bits)({expression})"


def from_bits(expression: str, type: Type, where: str) -> str:
    """Sixty-four bits as a value of a type, in C."""
    match type:
        case Float():
            return f"sg_bits_{'float' if type.digits == 24 else 'double'}({expression})"
        case Pointer():
            return f"(void *)(__UINTPTR_TYPE__)({expression})"
        case _:
            return f"({type_text(type, where)})({expression})"


def is_place(name: str) -> bool:
    return _PLACE.fullmatch(name) is not None


def is_function(name: str) -> bool:
    return _FUNCTION.fullmatch(name) is not None


def quoted(text: str) -> str:
    """A text as a string of C."""
    return quoted_bytes(text.encode("utf-8", "replace"))


def quoted_bytes(content: bytes) -> str:
    parts = []
    for byte in content:
        plain = 32 <= byte < 127 and byte not in b'"\\?'
        parts.append(chr(byte) if plain else f"\\{byte:03o}")
    return f'"{"".join(parts)}"'
