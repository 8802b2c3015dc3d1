"""One file as clang reads it: what it says about the file, and headers that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, assert_never, final

from clang.cindex import CursorKind, TranslationUnit

from stateglass.frontend.building.flags import FileFlags
from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.instantiating import Shape, text_of, uses_of_templates
from stateglass.frontend.clang.lacking import HEADERS, set_apart
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import Unit
from stateglass.source import Code, Diagnostic, MissingHeaders, Severity, Span, is_cplusplus

_MOST_NAMED: Final = 3
_UNKNOWN_ATTRIBUTE: Final = re.compile(r"unknown attribute '([^']+)' ignored")


@final
@dataclass(frozen=True, slots=True)
class MissingHeader:
    """A header that was not found."""

    name: str
    file: str  # the one that was read
    span: Span  # where it is included

    def error(self) -> Diagnostic:
        help = (
            "name its folder with -I (`stateglass doctor` looks for it nearby),\n"
            "or go on without it: --missing-headers assume"
        )
        return Diagnostic(Code.SYNTAX, f"'{self.name}' file not found", self.span, help=help)


@final
@dataclass(frozen=True, slots=True)
class Parsed:
    """A file, with clang's words about it."""

    unit: Unit
    problems: list[Diagnostic]
    missing: list[MissingHeader]


def _exported(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """What a module exports: libclang does not show it."""
    for cursor in unit.cursor.get_children():
        if cursor.kind is CursorKind.UNEXPOSED_DECL and not libclang.children(cursor):
            first = next(cursor.get_tokens(), None)
            if first is not None and first.spelling == "export":
                message = "modules are not supported: what is exported here cannot be read"
                yield Diagnostic(Code.UNSUPPORTED, message, span_of(cursor), help="leave `export` and `module` out")


def _read(use: FileFlags, text: str | bytes | None, elsewhere: set[Shape]) -> tuple[TranslationUnit, list[Diagnostic]]:
    """What clang makes of a file: C unless it is called as files of C++ are."""
    is_c = Path(use.file).suffix in (".c", ".h", ".i")
    language = () if is_c else ("-xc++",) if is_cplusplus(use.file) else ("-xc",)
    arguments = (*language, *(f for f in use.flags if f != "-w"), "-Wunknown-attributes")
    unit, diagnostics = libclang.parse(use.file, arguments, text)
    if is_cplusplus(use.file) and (uses := uses_of_templates(unit, elsewhere)):
        given = text.encode() if isinstance(text, str) else Path(use.file).read_bytes() if text is None else text
        unit = _read_with(use.file, arguments, given, uses) or unit
    return unit, diagnostics


def _read_with(file: str, arguments: Sequence[str], given: bytes, uses: list[str]) -> TranslationUnit | None:
    """The file with uses of templates behind it, but for those that lead to code that clang refuses."""
    while uses:
        unit, _ = libclang.parse(file, arguments, given + text_of(uses))
        first = given.count(b"\n") + text_of(()).count(b"\n") + 1
        bad = {line - first for line in libclang.lines_of_errors(unit, file) if line >= first}
        if not bad:
            return unit
        uses = [use for number, use in enumerate(uses) if number not in bad]
    return None


def parse_file(
    use: FileFlags, missing_headers: MissingHeaders, text: str | bytes | None, elsewhere: set[Shape]
) -> Parsed:
    """A file, or a text in its place, with what clang says about it.

    `elsewhere` are classes that files before this one have; those of this file are added.
    """
    unit, diagnostics = _read(use, text, elsewhere)
    wants_warnings = "-w" not in use.flags
    problems: list[Diagnostic] = []
    missing: list[MissingHeader] = []
    for diagnostic in diagnostics:
        name = libclang.missing_header(diagnostic)
        unknown = _UNKNOWN_ATTRIBUTE.search(diagnostic.message)
        if unknown is not None:
            # The others that gcc has and clang has not are about the code that is made, not about what it means.
            if unknown[1].strip("_") == "scalar_storage_order":
                message = "the attribute `scalar_storage_order` is not supported"
                problems.append(Diagnostic(Code.UNSUPPORTED, message, diagnostic.span))
        elif name is None:
            if wants_warnings or diagnostic.severity is Severity.ERROR:
                problems.append(diagnostic)
        else:
            missing.append(MissingHeader(name, use.file, diagnostic.span))
    problems += _exported(unit)
    lacking: tuple[Diagnostic, ...] = ()
    if is_cplusplus(use.file):
        problems, lacking = set_apart(unit, problems)
    parsed = Unit(use.file, unit, lacking)
    # Those of the C++ library that ours has not are empty for everybody: what they have is lacking where it is used.
    if all(is_cplusplus(use.file) and m.name in HEADERS for m in missing):
        return Parsed(parsed, problems, missing)
    match missing_headers:
        case MissingHeaders.ERROR:
            # What else is wrong most likely follows from this.
            return Parsed(parsed, [header.error() for header in missing], [])
        case MissingHeaders.ASSUME:
            help = _perhaps_declared(list(dict.fromkeys(m.name for m in missing)))
            problems = [replace(d, help=help) if d.severity is Severity.ERROR else d for d in problems]
            return Parsed(parsed, problems, missing)
        case _:
            assert_never(missing_headers)


def _perhaps_declared(headers: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in headers[:_MOST_NAMED])
    more = f" and {len(headers) - _MOST_NAMED} more" if len(headers) > _MOST_NAMED else ""
    were = "was not found and is" if len(headers) == 1 else "were not found and are"
    return f"perhaps it is declared in {shown}{more}, which {were} taken to be empty: name the folder with -I"
