"""The one error for all inputs that need a bound and have none, with what to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.program.types import (
    Array,
    Bool,
    Enum,
    Float,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Record,
    Type,
    Void,
)
from stateglass.source import Code, Diagnostic

MOST_WIDTH: Final = 68
"""What a line of options may have beside its indentation; more of them stand one below the other."""

MOST_TWICE: Final = 8
"""So many bounds are shown in both notations; for more of them a file is the place."""


@final
@dataclass(frozen=True, slots=True)
class Written:
    """What a function without a body may write through a pointer and is asked for; many `members` are so as a whole."""

    function: str
    pointer: str
    members: int = 0
    first: str = ""  # the name of the first of many members
    example: str = ""  # a bound for it


def describe_missing(
    inputs: Sequence[tuple[str, Type | str]],
    system: str = "main",
    examples: Mapping[str, str] | None = None,
    open_ends: Sequence[str] = (),
    written: Sequence[Written] = (),
    subject: tuple[str, Sequence[str]] | None = None,
) -> list[Diagnostic]:
    """Names every input without a bound at once, with ready bounds to choose from, for the project's `system`.

    Types that only C++ has are given as it spells them, with an example.

    `examples` are bounds that suit an input better than one for its type alone; `open_ends` are inputs that can do
    without, at the price of a model that ends where they matter; `written` are those that functions without a body
    write. Of a class that is looked at, `subject`, and its files a whole project file is
    shown.
    """
    ready = examples or {}
    found = [(name, type, ready.get(name) or _example(type)) for name, type in dict.fromkeys(inputs)]
    bounded = [(name, type, example) for name, type, example in found if example is not None]
    unbounded = [(name, type) for name, type, example in found if example is None]
    diagnostics = []
    if bounded:
        names = ", ".join(f"`{name}` ({shown_type(type)})" for name, type, _ in bounded)
        verb = "1 input needs a bound" if len(bounded) == 1 else f"{len(bounded)} inputs need a bound"
        which = "it takes" if len(bounded) == 1 else "they take"
        help = f"say which values {which}, on the command line:\n    {_options([(n, e) for n, _, e in bounded])}\n"
        if subject is not None or len(bounded) <= MOST_TWICE:
            lines = "\n".join(f"    {json.dumps(n, ensure_ascii=False)} = {toml_string(e)}" for n, _, e in bounded)
            help += f"or in stateglass.toml:\n{_head(system, subject)}    [system.{_key(system)}.bounds]\n{lines}"
        else:
            help += "or let `stateglass init` write a project file with these bounds, and go on from there"
        help += "".join(f"\n{line}" for line in _about_writing(written))
        further = [(n, ready[n]) for n in dict.fromkeys(open_ends) if n in ready]
        if further:
            help += f"\nwithout a bound for these, what depends on them is not known:\n    {_options(further)}"
        diagnostics.append(Diagnostic(Code.MISSING_BOUND, f"{verb}: {names}", help=help))
    if unbounded:
        names = ", ".join(f"`{name}` ({type})" for name, type in unbounded)
        help = (
            "only numbers, bool, enums and arrays of them can be inputs: "
            "call the code from a function that sets these up"
        )
        diagnostics.append(
            Diagnostic(Code.MISSING_BOUND, f"no bound can say which values these take: {names}", help=help)
        )
    return diagnostics


def _about_writing(written: Sequence[Written]) -> Iterator[str]:
    if not written:
        return
    names = [f"`{one.pointer}`" for one in written]
    if len(names) == 1:
        who = f"{names[0]} is what `{written[0].function}`, which has no body, writes there"
    else:
        who = f"{', '.join(names[:-1])} and {names[-1]} are what functions without a body write there"
    yield f"{who}: `list 0 of {{0}}` is nothing"
    for one in [one for one in written if one.members][:1]:
        example = f"--bound '{one.first}={one.example}'"
        yield f"each of the {one.members} members behind `{one.pointer}` may have a bound, too: {example}"


def _example(type: Type | str) -> str | None:
    return None if isinstance(type, str) else example_bound(type)


def example_bound(type: Type) -> str | None:
    """A bound that suits a type; None if a bound cannot be given for it.

    An enum is here only if its enumerators are unknown, or else it would need no bound: so it is like an integer.
    """
    match type:
        case Bool():
            return "bool"
        case Int():
            return f"{max(type.low, -10)}..{min(type.high, 10)}"
        case Enum():
            return example_bound(type.representation)
        case Float():
            return "0..1 step 0.25"
        case Void() | Pointer() | Array() | Record() | FunctionType() | Opaque():
            return None
        case _:
            assert_never(type)


def _head(system: str, subject: tuple[str, Sequence[str]] | None) -> str:
    """What stands before the bounds in a project file for a class."""
    if subject is None:
        return ""
    name, files = subject
    listed = ", ".join(toml_string(f) for f in files)
    lines = [
        "schema = 1",
        "[source]",
        f"files = [{listed}]",
        f"[system.{_key(system)}]",
        f"subject = {toml_string(name)}",
    ]
    return "".join(f"    {line}\n" for line in lines)


def _key(name: str) -> str:
    """A name as TOML writes it in the head of a table."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def shown_type(type: Type | str) -> str:
    """The type of an input as it is named to the user, who knows what has no type by its pointer."""
    return "void *" if isinstance(type, Void) else str(type)


def toml_string(text: str) -> str:
    """A text as TOML writes it, without escapes where that is possible."""
    literal = '"' in text and "'" not in text and text.isprintable()
    return f"'{text}'" if literal else json.dumps(text, ensure_ascii=False)


def _options(bounds: Sequence[tuple[str, str]]) -> str:
    options = [f"--bound '{name}={example}'" for name, example in bounds]
    line = " ".join(options)
    return line if len(line) <= MOST_WIDTH else " \\\n    ".join(options)
