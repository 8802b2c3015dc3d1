"""What names are made of: `x`, `f::x` (a static local), `x@motor.c` (the one of a file), `x~2` (a second one).

What nobody wrote has a character that no name in C has: temporaries and conditions from outside begin with `%`,
literals have a `#` in them, and what a pointer has for itself is called by the pointer with `*` before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath


def is_made_up(name: str) -> bool:
    """A temporary of a function, or a condition that was asked from outside."""
    return name.startswith("%")


def is_literal(name: str) -> bool:
    """A string, or another literal that is kept like a variable."""
    return "#" in name


def is_own_object(name: str) -> bool:
    """What a pointer leads to if it leads to nothing else in the program."""
    return name.startswith("*")


def called_by(name: str) -> str:
    """What a call of a function says: that of one behind a pointer names the pointer."""
    if not is_own_object(name):
        return name
    pointer = name[1:]
    return f"({pointer})" if is_own_object(pointer) else pointer


def is_static_local(name: str) -> bool:
    return "::" in name


def without_file(name: str) -> str:
    """The name as the file has it that it stands in."""
    return name.partition("@")[0]


def file_of(name: str) -> str:
    """The file that a name is told apart by; empty for most."""
    return name.partition("@")[2]


def spelled(name: str) -> str:
    """The name that stands in the source."""
    return without_file(name.rpartition("::")[2]).partition("~")[0]


def without_files(name: str) -> str:
    """The same for a static local, too: `f::x` of `f@motor.c::x`."""
    before, _, behind = name.partition("@")
    _, inner, own = behind.partition("::")
    return before + inner + own


def told_apart(files: Mapping[str, str]) -> dict[str, str]:
    """How names that other files have as well are told, by name: with the file that each is in.

    Of several files that have one of a name, the first is called by the name alone in a program: whoever asks about
    it is not to get what the order of files makes of it.
    """
    clashing = {without_files(name) for name in files if "@" in name}
    found: dict[str, str] = {}
    for name in clashing & files.keys():
        before, inner, own = name.partition("::")
        told = f"{before}@{PurePath(files[name]).name}"
        while told + inner + own in files:
            told += "'"
        found[name] = told + inner + own
    return found


def plain_part(name: str) -> str:
    """A function without what is around it and without the types of an overload: `get` of `Box<a.b>.get<int>`."""
    depth, start, end = 0, 0, len(name)
    for position, character in enumerate(name):
        if character == "<" and depth == 0:
            end = position
        depth += (character == "<") - (character == ">")
        if character == "." and depth == 0:
            start, end = position + 1, len(name)
    return name[start:end]
