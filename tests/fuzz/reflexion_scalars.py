"""The variables and parameters of generated functions, each with few values."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A variable or parameter: what C calls it, its values, and an assumption that leaves only those."""

    name: str
    declaration: str
    values: tuple[int | str, ...]  # of floating-point numbers, the bits; of pointers, what they lead to
    texts: tuple[str, ...]  # the values as C has them
    assume: str | None = None
    is_float: bool = False
    is_pointer: bool = False
    is_opaque: bool = False  # or something else that is not looked at through the pointer
    is_constant: bool = False
    is_state: bool = True  # it has a value in every valuation, so that states may speak of it
    is_hidden: bool = False  # the function cannot name it: a parameter of that name stands before it
    place: str = ""  # which variable of the program it is, if C calls it by another name
    parts: tuple[str, ...] = ()  # other names for some of its bits

    @property
    def number(self) -> str:
        """As an integer."""
        if self.is_opaque:
            return f"({self.name} != 0)"
        return f"*{self.name}" if self.is_pointer else f"(int){self.name}" if self.is_float else self.name


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """A type with some of its values; `{}` is the name of the variable, `{0}` in an assumption that of the scalar."""

    declaration: str
    values: tuple[int, ...]
    assume: str | None = None
    member: str = ""  # what has these values, if not the whole variable
    texts: tuple[str, ...] | None = None
    parts: tuple[str, ...] = ()
    is_float: bool = False


KINDS: Final[Mapping[str, Kind]] = {
    "bool": Kind("_Bool {}", (0, 1)),
    "two bits": Kind("struct {{ unsigned v : 2; }} {}", (0, 1, 2, 3), member=".v"),
    "signed bits": Kind("struct {{ int v : 3; }} {}", (-4, -3, -2, -1, 0, 1, 2, 3), member=".v"),
    "one signed bit": Kind("struct {{ unsigned char before : 3; signed char v : 1; }} {}", (-1, 0), member=".v"),
    "truth in bits": Kind("struct {{ unsigned before : 7; _Bool v : 1; }} {}", (0, 1), member=".v"),
    "name in bits": Kind(
        "struct {{ int before : 2; enum mode v : 3; }} {}", (0, 1, 5), "{0} == OFF || {0} == ON || {0} == BROKEN", ".v"
    ),
    "wide bits": Kind(
        "struct {{ unsigned long long v : 34; }} {}", (0, 1, 2**34 - 1), "{0} < 2 || {0} > 17179869182", ".v"
    ),
    "byte": Kind("unsigned char {}", (0, 1, 2, 3), "{0} < 4"),
    "full byte": Kind("unsigned char {}", (0, 1, 254, 255), "(unsigned char)({0} + 2) < 4"),
    "full short": Kind("unsigned short {}", (0, 1, 65535), "{0} < 2 || {0} > 65534"),
    "least short": Kind("short {}", (-32768, -1, 0, 32767), "!{0} || !~{0} || {0} < -32767 || {0} > 32766"),
    "around zero": Kind("signed char {}", (-2, -1, 0, 1, 2), "{0} >= -2 && {0} <= 2"),
    "large": Kind("unsigned {}", (0, 1, 4294967294, 4294967295), "{0} < 2 || {0} > 4294967293u"),
    "least": Kind("int {}", (-2147483648, -1, 0, 2147483647), "!{0} || !~{0} || {0} < -2147483647 || {0} > 2147483646"),
    "long": Kind(
        "long long {}", (-(2**63), -1, 0, 2**63 - 1), "!{0} || !~{0} || ({0} ^ {0} >> 63) > 0x7ffffffffffffffe"
    ),
    "float": Kind(
        "float {}",
        (0, 0x80000000, 0x3FC00000, 0xBF800000),
        "{0} == 0 || {0} == 1.5f || {0} == -1",
        texts=("0.0f", "-0.0f", "1.5f", "-1.0f"),
        is_float=True,
    ),
    "double": Kind(
        "double {}",
        (0x3FE0000000000000, 0x4000000000000000, 0xBFF8000000000000),
        "{0} == 0.5 || {0} == 2 || {0} == -1.5",
        texts=("0.5", "2.0", "-1.5"),
        is_float=True,
    ),
    "no number": Kind(
        "float {}",
        (0x7FC00000, 0x7F800000, 0x3F800000),
        "{0} != {0} || {0} == 1 || {0} > 3.4028235e38f",
        texts=("1.0f", "(1.0f / 0.0f)"),
        is_float=True,
    ),
    "name": Kind("enum mode {}", (0, 1, 5), "{0} == OFF || {0} == ON || {0} == BROKEN", texts=("OFF", "ON", "BROKEN")),
    "sign": Kind("enum sign {}", (-1, 0, 1), "{0} >= MINUS && {0} <= PLUS"),
    "member": Kind("struct {{ char before; unsigned char v; int after; }} {}", (0, 1, 2), "{0} < 3", ".v"),
    "union": Kind(
        "union {{ unsigned short v; unsigned char half[2]; }} {}",
        (0, 1, 256, 257),
        "{1}.half[0] < 2 && {1}.half[1] < 2",
        ".v",
        parts=(".half[0]", ".half[1]"),
    ),
}


def constant(value: int) -> str:
    """A number as C has it."""
    if value in (-(2**31), -(2**63)):
        return f"({value + 1}{'ll' if value < -(2**31) else ''} - 1)"
    if 2**31 <= value < 2**32:
        return f"{value}u"
    return f"{value}ll" if value >= 2**32 else str(value)


def scalar(dice: random.Random, name: str, *, is_parameter: bool = False, is_static_local: bool = False) -> Scalar:
    """A variable of any kind."""
    kind = KINDS[dice.choice([k for k, v in KINDS.items() if not (is_parameter and v.member)])]
    word = f"{name}{kind.member}"
    return Scalar(
        word,
        kind.declaration.format(name),
        kind.values,
        tuple(map(constant, kind.values)) if kind.texts is None else kind.texts,
        kind.assume and kind.assume.format(word, name),
        kind.is_float,
        place=f"f::{word}" if is_static_local else "",
        parts=tuple(f"{name}{p}" for p in kind.parts),
    )


def number(name: str, declaration: str, *values: int, is_constant: bool = False) -> Scalar:
    assume = " || ".join(f"{name} == {v}" for v in values)
    return Scalar(name, declaration, values, tuple(map(str, values)), assume, is_constant=is_constant)


_POOL: Final = (
    number("pool[0]", "static short pool[2]", 0, 1),
    number("pool[1]", "", -1, 2),
    number("box.v", "static struct box { char before; short v; } box", 0, 3),
)
_POINTED: Final = tuple(s.name for s in _POOL)
POINTER: Final = Scalar("t", "static short *t", ("", *_POINTED), ("0", *(f"&{n}" for n in _POINTED)), is_pointer=True)
FUNCTION: Final = Scalar(
    "h", "static void (*h)(void)", ("", "on", "off"), ("0", "on", "off"), is_pointer=True, is_opaque=True
)
LOOSE: Final = Scalar("n", "struct node *n", ("", "*n"), ("0",), is_pointer=True, is_opaque=True)
BEHIND: Final = Scalar("n->v", "", (0, 1, 2), ("0", "1", "2"), "!n || n->v < 3", is_state=False)
NEXT: Final = Scalar("n->next", "", ("", "*n", "*n->next"), ("0", "n"), is_pointer=True, is_opaque=True, is_state=False)
FAR: Final = number("far", "extern short far", 0, 7)
LIMIT: Final = number("limit", "extern const unsigned char limit", 1, 2, is_constant=True)
ROW: Final = (number("row[0]", "static signed char row[2]", 0, 1), number("row[1]", "", -1, 2))
HIDDEN: Final = Scalar(
    "::w", "static unsigned char w", (0, 1, 2), ("0", "1", "2"), "::w < 3", is_hidden=True, place="w"
)
GROUPS: Final = ((*_POOL, POINTER), (FUNCTION,), (LOOSE, BEHIND, NEXT), (FAR, LIMIT), ROW)

RECORD: Final = "struct rec { char before; unsigned char v; int w : 3; struct { _Bool u; } in; };\n"
MEMBERS: Final[Mapping[str, tuple[tuple[int, ...], str | None]]] = {
    "v": ((0, 1, 2), "{0} < 3"),
    "w": ((-1, 0, 3), "{0} == -1 || {0} == 0 || {0} == 3"),
    "in.u": ((0, 1), None),
}


def record(dots: str, declaration: str, members: tuple[str, ...], *, is_state: bool = True) -> tuple[Scalar, ...]:
    """Some members of a record; `dots` is what stands before their names."""
    found = []
    for member in members:
        values, assume = MEMBERS[member]
        name = f"{dots}{member}"
        bound = assume and assume.format(name)
        found.append(Scalar(name, declaration, values, tuple(map(str, values)), bound, is_state=is_state))
        declaration = ""
    return tuple(found)
