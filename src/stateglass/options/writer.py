"""Writes a new project file, with comments for the person who will go on from it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from stateglass.options.merge import ExtractOptions
from stateglass.options.project import PROJECT_FILE, SCHEMA, SourceOptions
from stateglass.options.reading import parse_project
from stateglass.options.values import printable
from stateglass.source import NOWHERE, Code, InputError, input_error

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
COMMENT_COLUMN: Final = 40


def write_project(
    source: SourceOptions,
    system: str,
    functions: Sequence[str],
    init: str | None = None,
    mode: str | None = None,
    bounds: Sequence[tuple[str, str, str]] = (),
    more: Sequence[tuple[str, str, str]] = (),
) -> str:
    """The text of a project file; each bound is a name, a bound in its notation, and a comment.

    `more` are further lines about the system: key, value as TOML has it, and a comment; a key may be commented out.
    """
    name = system if _BARE.fullmatch(system) else _string(system)
    defaults = ExtractOptions()
    what = "the class that is looked at" if more else "the functions that run"
    lines = [
        f"# {PROJECT_FILE}: what Stateglass explores.",
        "# Options on the command line go before what stands here.",
        f"schema = {SCHEMA}",
        "",
        "[source]",
        _line("files", _list(source.files), "relative to this file"),
        _given("include", source.include, '["include"]', "folders with headers"),
        _given("define", source.define, '["SIZE=4"]', "macros"),
        _given("flags", source.flags, '["-std=c11"]', "other options of the compiler"),
        *_if_given("target", source.target, "the machine the code is for"),
        *_if_given("compile_commands", source.compile_commands, "the folder with compile_commands.json"),
        *_if_given("missing_headers", source.missing_headers, '"error" or "assume": they are empty'),
        "",
        f"[system.{name}]",
        _line("subject", _string(functions[0]) if len(functions) == 1 else _list(functions), what),
    ]
    lines += [_line(key, value, comment) for key, value, comment in more]
    lines += [_line("init", _string(init), "runs once, before them")] if init is not None else []
    lines += [_line("mode", _string(mode), '"step": called again and again; "run": once')] if mode is not None else []
    if bounds:
        lines += ["", f"[system.{name}.bounds]"]
        lines += [_line(_string(key), _string(spec), comment) for key, spec, comment in bounds]
    lines += [
        "",
        "# [options]",
        f"# max_states = {defaults.max_states}",
        _line("# timeout", f"{defaults.timeout:g}", "seconds"),
        _line("# ub", _string(defaults.ub), "undefined behaviour: or wrap, ignore"),
    ]
    return _checked("\n".join(lines) + "\n")


def _checked(text: str) -> str:
    """The text, which reads back without an error; not every name of a file can be written into TOML."""
    try:
        text.encode()
        parse_project(Path(PROJECT_FILE), text)
    except UnicodeEncodeError as error:
        shown = printable(text[: error.start].rpartition("\n")[2] + text[error.start])
        raise input_error(Code.PROJECT, f"a project file is UTF-8, and this is not: `{shown}`") from None
    except InputError as error:
        raise InputError(replace(d, span=NOWHERE) for d in error.diagnostics) from None
    return text


def _line(key: str, value: str, comment: str) -> str:
    text = f"{key} = {value}"
    plain = " ".join("".join(c if c.isprintable() else " " for c in comment).split())
    return f"{text:<{COMMENT_COLUMN - 2}}  # {plain}" if plain else text


def _given(key: str, items: Sequence[str], example: str, comment: str) -> str:
    """A line with what is given, or one that only shows how it would be."""
    return _line(key, _list(items), comment) if items else _line(f"# {key}", example, comment)


def _if_given(key: str, value: str | None, comment: str) -> list[str]:
    return [] if value is None else [_line(key, _string(value), comment)]


def _list(items: Sequence[str]) -> str:
    return "[" + ", ".join(_string(i) for i in items) + "]"


def _string(text: str) -> str:
    """A TOML string: a literal one where that saves escapes."""
    if '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    # TOML has the escapes of JSON, and forbids DEL, which JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def object_lines(
    members: Sequence[tuple[str, str]], visible: Sequence[str], outside: Sequence[str], thrown: Sequence[str]
) -> list[tuple[str, str, str]]:
    """What a project file says about a class beside its bounds."""
    lines: list[tuple[str, str, str]] = []
    if members:
        table = ", ".join(f"{_key(path)} = {_string(kind)}" for path, kind in members)
        lines.append(("members", f"{{ {table} }}", "code, stub or process NAME: a guess"))
    if visible:
        lines.append(("# visible", _list(visible), "only these functions are called"))
        comment = "nobody calls any more after an exception from these"
        lines.append(("# throws_terminates", _list(visible[:1]), comment))
    if outside:
        type = thrown[0] if thrown else "Failure"
        comment = "what functions without a body may throw"
        lines.append(("# can_throw", f"{{ {_string(outside[0])} = {_string(type)} }}", comment))
    if outside and visible:
        comment = "what they may call before they end"
        lines.append(("# callbacks", f"{{ {_string(outside[0])} = {_list(visible[:1])} }}", comment))
    return lines


def _key(path: str) -> str:
    return path if _BARE.fullmatch(path) else _string(path)
