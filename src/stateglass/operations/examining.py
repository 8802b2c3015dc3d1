"""How much of some files is understood, and what of them is not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import final

from stateglass.frontend import (
    LENIENCIES,
    FileFlags,
    MissingHeader,
    MissingHeaders,
    Reading,
    Surroundings,
    read_program,
)
from stateglass.options import ExtractOptions
from stateglass.program import Call, FunctionReference, Program, Target, Unsupported
from stateglass.program.callgraph import statements_of
from stateglass.program.walk import nodes_in
from stateglass.source import Diagnostic, Span, is_source


@final
@dataclass(frozen=True, slots=True)
class FileReport:
    """How a file was read, and how much of it is understood: functions, and those without unsupported code."""

    name: str
    flags: FileFlags
    functions: int
    supported: int
    in_part: tuple[str, ...]  # the other functions
    missing_headers: tuple[MissingHeader, ...]
    readable: bool  # False: clang finds errors in it, or it does not fit the other files


@final
@dataclass(frozen=True, slots=True)
class UnsupportedCode:
    """A place that is not modelled."""

    function: str
    reason: str
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Examination:
    """What `doctor` tells."""

    surroundings: Surroundings
    target: Target
    warnings: tuple[Diagnostic, ...]
    files: tuple[FileReport, ...]
    unsupported: tuple[UnsupportedCode, ...]
    without_body: tuple[str, ...]
    undefined_variables: tuple[str, ...]
    library_functions: tuple[str, ...]
    leniencies: tuple[str, ...]
    errors: tuple[Diagnostic, ...]
    assumed_headers: bool  # those that are not found are no errors


def examine(options: ExtractOptions) -> Examination:
    """How much of the files, if there are any, is understood."""
    # What is missing or wrong is to be told, not to be stopped at.
    reading = read_program(
        options.files,
        options.flags,
        options.target,
        build_folder=options.compile_commands,
        missing_headers=MissingHeaders.ASSUME,
        leave_out_bad=True,
    )
    return _examined(reading, assumed_headers=MissingHeaders(options.missing_headers) is MissingHeaders.ASSUME)


def _examined(reading: Reading, *, assumed_headers: bool) -> Examination:
    """What came of files that were read with all that is missing or wrong left out."""
    program = reading.program
    unsupported = _unsupported(program)
    troubled = {u.function for u in unsupported}
    return Examination(
        reading.surroundings,
        program.target,
        reading.warnings,
        tuple(_report(use, reading, troubled) for use in reading.surroundings.files if use.file),
        unsupported,
        tuple(program.declarations),
        tuple(v.name for v in program.variables.values() if not v.defined),
        _library_functions(program),
        LENIENCIES,
        (*reading.errors, *(() if assumed_headers else (h.error() for h in reading.missing_headers))),
        assumed_headers,
    )


def _unsupported(program: Program) -> tuple[UnsupportedCode, ...]:
    in_functions = (
        UnsupportedCode(f.name, s.reason, s.span)
        for f in program.functions.values()
        for s in statements_of(f.blocks)
        if isinstance(s, Unsupported)
    )
    in_values = (v for v in program.variables.values() if v.unsupported)
    return (*in_functions, *(UnsupportedCode("initialisation", v.unsupported, v.span) for v in in_values))


def _report(use: FileFlags, reading: Reading, troubled: set[str]) -> FileReport:
    path = os.path.abspath(use.file)
    name = next((f for f in reading.program.files if os.path.abspath(f) == path), use.file)
    given = set(reading.program.files)
    files = {f.span.file for f in reading.program.functions.values() if f.span.file not in given}
    # A source file that is included counts as part of the file that includes it; of several, as part of the first.
    own = {name, *filter(is_source, files)} if reading.program.files[:1] == (name,) else {name}
    functions = [f.name for f in reading.program.functions.values() if f.span.file in own and not f.span.in_library]
    in_part = tuple(f for f in functions if f in troubled)
    missing = tuple(h for h in reading.missing_headers if h.file == use.file)
    readable = use.file not in reading.left_out
    return FileReport(name, use, len(functions), len(functions) - len(in_part), in_part, missing, readable)


def _library_functions(program: Program) -> tuple[str, ...]:
    """What the program itself uses of the C library."""
    used: dict[str, None] = {}
    for name in program.own_functions:
        for statement in statements_of(program.functions[name].blocks):
            if isinstance(statement, Call) and isinstance(statement.callee, str):
                used[statement.callee] = None
            used |= {node.name: None for node in nodes_in(statement) if isinstance(node, FunctionReference)}
    own = set(program.own_functions)
    return tuple(name for name in used if name in program.functions and name not in own)
