"""Abstraction maps as values: scopes of files and functions, and the abstractions of their variables."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, assert_never, final

from stateglass.source import NOWHERE, Span
from stateglass.system.maps.abstractions import MapAbstraction
from stateglass.system.maps.places import PlaceName

COMMENT_COLUMN: Final = 32
WIDTH: Final = 80


@final
@dataclass(frozen=True, slots=True)
class VariableEntry:
    """`var x : part(0, 1);`, in a function a local variable, elsewhere a global one."""

    place: PlaceName
    abstraction: MapAbstraction
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    comment: str = field(default="", compare=False)


@final
@dataclass(frozen=True, slots=True)
class FunctionScope:
    """`fun f (x : int) : top { … }`: what it returns, its parameters, its local variables."""

    name: str
    result: MapAbstraction | None = None
    parameters: tuple[VariableEntry, ...] = ()
    variables: tuple[VariableEntry, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    comment: str = field(default="", compare=False)


@final
@dataclass(frozen=True, slots=True)
class FileScope:
    """`file "fsm.c" { … }`: all that it names is of this file."""

    file: str
    items: tuple[FunctionScope | VariableEntry, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@final
@dataclass(frozen=True, slots=True)
class AbstractionMap:
    """What an abstraction map says, in its order. Variables that it does not name are `top`."""

    items: tuple[FileScope | FunctionScope | VariableEntry, ...] = ()

    def __str__(self) -> str:
        return print_abstraction_map(self)


def print_abstraction_map(map: AbstractionMap) -> str:
    """The text of a map, comments at the end of their lines, or above them where a line would get too long."""
    return "".join(f"{line}\n" for line in _lines(map.items, ""))


def _lines(items: tuple[FileScope | FunctionScope | VariableEntry, ...], indent: str) -> Iterator[str]:
    for item in items:
        match item:
            case VariableEntry():
                yield from _with_comment(f"var {_declared(item)};", item.comment, indent)
            case FunctionScope():
                parameters = ", ".join(_declared(p) for p in item.parameters)
                result = "" if item.result is None else f" : {item.result}"
                end = " {" if item.variables else ";"
                yield from _with_comment(f"fun {item.name} ({parameters}){result}{end}", item.comment, indent)
                yield from _lines(item.variables, indent + "  ")
                yield from [f"{indent}}}"] if item.variables else []
            case FileScope():
                yield f"{indent}file {quoted(item.file)} {{"
                yield from _lines(item.items, indent + "  ")
                yield f"{indent}}}"
            case _:
                assert_never(item)


def _declared(entry: VariableEntry) -> str:
    return f"{entry.place.text('::')} : {entry.abstraction}"


def _with_comment(text: str, comment: str, indent: str) -> Iterator[str]:
    plain = " ".join("".join(c if c.isprintable() else " " for c in comment).split())
    line = f"{indent + text:<{COMMENT_COLUMN}}  // {plain}" if plain else indent + text
    if len(line) <= WIDTH or not plain:
        yield line
        return
    start = f"{indent}// "
    yield from textwrap.wrap(plain, WIDTH, initial_indent=start, subsequent_indent=start, break_long_words=False)
    yield indent + text


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
