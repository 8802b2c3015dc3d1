"""What names are made of: `x`, `f::x` (a static local), `x@motor.c` (the one of a file), `x~2` (a second one).

What nobody wrote has a character that no name in C has: temporaries and conditions from outside begin with `%`,
literals have a `#` in them, and what a pointer has for itself is called by the pointer with `*` before it.
"""

from __future__ import annotations


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
