"""What members are declared to start with: libclang does not show it of bit-fields, nor tell it from lengths of arrays.

It is read from the declaration behind a cursor; where it is kept is learned from a probe file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, final

from clang.cindex import CursorKind

from stateglass.frontend.clang.libclang import Cursor, expression_children, parse
from stateglass.frontend.clang.parts import statement_at
from stateglass.frontend.clang.words import class_number, word, words

_WORDS: Final = 12
"""A declaration of a member is at least as large."""


@final
@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a declaration keeps what its member starts with, in words."""

    value: int  # for a bit-field: of a pair of that and its width
    flags: int
    given: int  # the bits of the flags that say that there is such a value


def default_of_member(field: Cursor) -> Cursor | None:
    """What a member has if a constructor says nothing about it."""
    kept = _kept(field)
    if kept is None:
        return None
    shown = next((c for c in expression_children(field) if c.data[1] == kept), None)
    return shown if shown is not None or not kept else statement_at(kept, field)


def has_default(field: Cursor) -> bool:
    """Whether a member has such a value, made or not."""
    return _kept(field) is not None


def lacks_default(field: Cursor) -> bool:
    """Whether a member of what is made of a template has such a value, which clang has not made yet."""
    return _kept(field) == 0


def _kept(field: Cursor) -> int | None:
    """The address of the value; None if there is none, 0 if it is not made yet."""
    layout = _layout()
    base = field.data[0]
    if not word(base, layout.flags) & layout.given:
        return None
    kept = word(base, layout.value)
    return word(kept, 0) if field.is_bitfield() and kept else kept


@cache
def _layout() -> _Layout:
    """Where this libclang keeps it."""
    probe = "struct s { int given = 2; int nothing; int width : 3; int both : 3 = 1; int list{2}; mutable int last; };"
    unit, _ = parse("probe.cpp", ["-xc++", "-std=c++20"], probe)
    fields = {str(c.spelling): c for c in unit.cursor.walk_preorder() if c.kind is CursorKind.FIELD_DECL}
    kept = {name: words(c.data[0], 0, _WORDS) for name, c in fields.items()}
    (literal,) = expression_children(fields["given"])
    for value in (n for n in range(1, _WORDS) if kept["given"][n] == literal.data[1]):
        # The flags stand in the upper half of the word before it.
        flags = {name: found[value - 1] >> 32 << 32 for name, found in kept.items()}
        given = (flags["given"] | flags["list"]) & ~(flags["nothing"] | flags["width"] | flags["last"])
        found = _Layout(value, value - 1, given)
        missing = [n for n in fields if not flags[n] & given]
        if missing == ["nothing", "width", "last"]:
            pair = word(fields["both"].data[0], value)
            if class_number(word(pair, 0)) == class_number(literal.data[1]):
                return found
    raise AssertionError("this libclang keeps what members start with elsewhere")
