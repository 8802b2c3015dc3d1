"""What names are made of: `x`, `f::x` (a static local), `x@motor.c` (that of one file), `x~2` (the second of a name).

A name that nobody wrote has a character that no name in C has. Temporaries and probes begin with `%`, a parameter that
is passed as another type is converted into `x%`, literals contain `#`, and the object that is made up for a pointer to
lead to has the pointer's name with `*` before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

THIS: Final = "this"
"""The parameter that says for which object a member function is called."""
RESULT: Final = "result%"
"""The parameter that says where a function puts an object that it returns: whoever calls it has the room."""
UNNAMED_NAMESPACE: Final = "(anonymous namespace)::"
"""What types of C++ are spelled with that are in a namespace without a name, and what no code can write."""


def is_made_up(name: str) -> bool:
    """Whether it is a temporary of a function, or a probe: a question to the program from outside."""
    return name.startswith("%")


def is_nameless(name: str) -> bool:
    """The same, or what a parameter is converted into: nothing that the source has a name for."""
    return "%" in name


def is_literal(name: str) -> bool:
    """Whether it is a string, or another literal that is kept like a variable."""
    return "#" in name


def is_own_object(name: str) -> bool:
    """Whether it is an object that was made up for a pointer, which leads to nothing else in the program."""
    return name.startswith("*")


def called_by(name: str) -> str:
    """What a call of this function is shown as; a function that was made up for a pointer goes by the pointer."""
    if not is_own_object(name):
        return name
    pointer = name[1:]
    return f"({pointer})" if is_own_object(pointer) else pointer


def is_static_local(name: str) -> bool:
    return "::" in name


def without_file(name: str) -> str:
    """The name without the file that tells it apart from others: `x` of `x@motor.c`."""
    return name.partition("@")[0]


def file_of(name: str) -> str:
    """The file that tells a name apart from others: `motor.c` of `x@motor.c`; empty for most names."""
    return name.partition("@")[2]


def spelled(name: str) -> str:
    """The name as it stands in the source: `x` of `f::x~2`."""
    return without_file(name.rpartition("::")[2]).partition("~")[0]


def without_files(name: str) -> str:
    """As `without_file`, for static locals too: `f::x` of `f@motor.c::x`."""
    before, _, behind = name.partition("@")
    _, inner, own = behind.partition("::")
    return before + inner + own


def root_of(place: str) -> str:
    """The variable that a place is part of: `x` of `x.member[2]`."""
    return place.partition(".")[0].partition("[")[0]


def told_apart(files: Mapping[str, str]) -> dict[str, str]:
    """New names, with their file, for those that go without one although other files have the same name.

    If several files have a static `x`, the program calls the first one `x` and the others by their files. A user who
    asks about `x` must not get the one that the order of files happens to favour, so the first one gets its file as
    well.
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


def last_part(name: str) -> str:
    """A function or class without what is around it: `get<int>` of `Box<a.b>.get<int>`."""
    depth, start = 0, 0
    for position, character in enumerate(name):
        depth += (character == "<") - (character == ">")
        if character == "." and depth == 0:
            start = position + 1
    return name[start:]


def plain_part(name: str) -> str:
    """The same without the types of an overload: `get`."""
    return last_part(name).partition("<")[0]
