"""Reads files: what is checked before clang sees one, what clang says about it, and what becomes of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final, assert_never, final

from clang.cindex import TypeKind

from stateglass.frontend import clang
from stateglass.frontend.compiler import find_compiler, system_include_folders
from stateglass.frontend.flags import FileFlags, flags_of
from stateglass.frontend.library import add_library, library_flags
from stateglass.frontend.linking import Asked, Linker
from stateglass.frontend.probes import Probed, add_probes
from stateglass.frontend.purity import problems_of_probes
from stateglass.frontend.units import Unit
from stateglass.program import Program, Target
from stateglass.program.probes import Probe
from stateglass.program.validator import check_program
from stateglass.source import Assumption, Code, Diagnostic, InputError, Severity, Span, Topic, input_error

STANDARD_INPUT: Final = "stdin.c"
"""What a file called `-` is called in messages and models."""
MOST_BYTES: Final = 32 << 20
"""The largest source file that is read."""
_MOST_NAMED: Final = 3
_X87: Final = re.compile(r"i[3-6]86(-|$)")
_UNKNOWN_ATTRIBUTE: Final = re.compile(r"unknown attribute '([^']+)' ignored")


@final
@unique
class MissingHeaders(Enum):
    """What to do about a header that is not found."""

    ERROR = "error"
    ASSUME = "assume"  # go on as if it were empty, and say so


@final
@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the front end found on this machine and what it made of the flags."""

    clang: str
    compiler: str | None
    include_folders: tuple[str, ...]
    files: tuple[FileFlags, ...]  # without files: one for any file


@final
@dataclass(frozen=True, slots=True)
class MissingHeader:
    """A header that was not found."""

    name: str
    file: str  # the one that was read
    span: Span  # where it is included

    def error(self) -> Diagnostic:
        help = "name its folder with -I, or go on without it: --missing-headers assume"
        return Diagnostic(Code.SYNTAX, f"'{self.name}' file not found", self.span, help=help)


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading: the program, warnings, and the surroundings in which it was read."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    surroundings: Surroundings
    missing_headers: tuple[MissingHeader, ...] = ()  # they are taken to be empty
    errors: tuple[Diagnostic, ...] = ()  # why files are left out; empty unless that was asked for
    left_out: tuple[str, ...] = ()
    assembly: tuple[str, ...] = ()  # instructions that are passed over
    absent: tuple[str, ...] = ()  # weak functions and variables that are used and defined nowhere
    machine: tuple[Assumption, ...] = ()  # where gcc for the machine may do otherwise

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What every model of this program takes for granted."""
        names = dict.fromkeys(h.name for h in self.missing_headers)
        missing = [Assumption(Topic.HEADER, name, "it was not found: it is taken to be empty") for name in names]
        absent = [
            Assumption(Topic.WEAK, name, "it is weak and no file defines it: its address is null")
            for name in self.absent
        ]
        assembly = [Assumption(Topic.ASSEMBLY, text, "these instructions change no variable") for text in self.assembly]
        return (*missing, *absent, *assembly, *self.machine)


@final
@dataclass(frozen=True, slots=True)
class _Parsed:
    """A file, with clang's words about it."""

    unit: Unit
    problems: list[Diagnostic]
    missing: list[MissingHeader]


def read_program(
    files: tuple[str, ...],
    flags: tuple[str, ...] = (),
    target: str | None = None,
    volatile_is_input: bool = True,
    *,
    build_folder: str | None = None,
    missing_headers: MissingHeaders = MissingHeaders.ERROR,
    leave_out_bad: bool = False,
    probes: Sequence[Probe] = (),
    throwing: Collection[str] = (),
) -> Reading:
    """Turn C files into one linked program. Everything wrong with them is one `InputError`.

    Each probe becomes a function of the program that goes by its name. Functions called like those in `throwing`,
    without what is around them, may throw whatever their bodies say: something else will stand for them.

    With `leave_out_bad` files that clang finds wrong are not part of the program, and `Reading.errors` says why.
    """
    texts = _standard_input(files)
    files = tuple(STANDARD_INPUT if f == "-" else f for f in files)
    _refuse_unreadable(tuple(f for f in files if f not in texts))
    chosen, about_flags = flags_of(files, flags, target, build_folder)
    machine = _one_target(chosen)
    units: list[Unit] = []
    said: list[Diagnostic] = []
    missing: list[MissingHeader] = []
    errors: list[Diagnostic] = []
    left_out: list[str] = []
    for use in chosen if files else ():
        parsed = _parse(use, missing_headers, texts.get(use.file))
        missing += parsed.missing
        if any(d.severity is Severity.ERROR for d in parsed.problems):
            errors += [d for d in parsed.problems if d.severity is not Severity.WARNING]
            left_out.append(use.file)
        else:
            said += parsed.problems
            units.append(parsed.unit)
    if errors and not leave_out_bad:
        raise InputError(errors)
    asked: tuple[Asked, ...] = ()
    wrong: tuple[Diagnostic, ...] = ()
    if probes:
        uses = [u for u in chosen if u.file not in left_out]
        probed = _probe(units, uses, texts, probes, missing_headers)
        wrong = probed.problems
        if wrong:
            # The others may have mistakes that show only further on.
            probes = [p for p in probes if p.name not in probed.bad] if probed.bad else []
            if not probes:
                raise InputError(wrong)
            probed = _probe(units, uses, texts, probes, missing_headers)
            if probed.problems:
                raise InputError(wrong)
        units, asked = probed.units, probed.asked
        said += probed.warnings
    try:
        linker = _link(units, machine, volatile_is_input, chosen[0].flags, asked, throwing)
    except InputError as error:
        if not leave_out_bad:
            raise InputError([*wrong, *error.diagnostics]) from None
        errors += error.diagnostics
        left_out = list(files)
        linker = _link([], machine, volatile_is_input, chosen[0].flags)
    program = linker.program()
    wrong = (*wrong, *problems_of_probes(program, [p for p in probes if p.name in program.functions]))
    if wrong:
        raise InputError(sorted(dict.fromkeys(wrong), key=lambda d: d.span))
    return Reading(
        program,
        (*said, *about_flags, *linker.warnings),
        _surroundings(chosen),
        tuple(missing),
        tuple(errors),
        tuple(left_out),
        tuple(linker.assembly),
        linker.absent,
        _about_machine(machine, linker.floats, chosen[0].flags),
    )


def _about_machine(target: Target, floats: frozenset[TypeKind], flags: tuple[str, ...]) -> tuple[Assumption, ...]:
    """Where gcc computes otherwise than we do, if the program has what is concerned."""
    if target.triple.startswith("avr") and TypeKind.LONGDOUBLE in floats:
        text = "it has 4 bytes, as clang has it: avr-gcc from version 10 on gives it 8"
        return (Assumption(Topic.TARGET, "long double", text),)
    in_registers = "-mfpmath=sse" not in flags and {TypeKind.FLOAT, TypeKind.DOUBLE} & floats
    if _X87.match(target.triple) and in_registers:
        text = (
            "every result is rounded to its type: gcc may keep more digits on this machine, but not with -mfpmath=sse"
        )
        return (Assumption(Topic.TARGET, "floating point", text),)
    return ()


def _standard_input(files: tuple[str, ...]) -> dict[str, str]:
    """The text of a file called `-`, which is standard input."""
    if "-" not in files:
        return {}
    content = _content(sys.stdin.buffer)
    at = Span.at(STANDARD_INPUT)
    if len(content) > MOST_BYTES:
        raise input_error(Code.TOO_LARGE, f"standard input has more than {MOST_BYTES >> 20} MiB", at)
    if b"\0" in content:
        raise input_error(Code.FILE, "this is not C source: it has zero bytes", at)
    if not content.strip():
        raise input_error(Code.FILE, "standard input is empty", at)
    return {STANDARD_INPUT: content.decode("utf-8", errors="replace")}


@lru_cache(maxsize=1)
def _content(stream: BinaryIO) -> bytes:
    """What a stream has; whoever reads the same files again gets it again."""
    return stream.read(MOST_BYTES + 1)


def _probe(
    units: list[Unit],
    uses: list[FileFlags],
    texts: dict[str, str],
    probes: Sequence[Probe],
    missing_headers: MissingHeaders,
) -> Probed:
    """The units with probes. All but the probes was found in order before, and is not said again."""

    def reread(number: int, text: bytes) -> tuple[Unit, list[Diagnostic]]:
        parsed = _parse(uses[number - 1], missing_headers, text)
        return parsed.unit, parsed.problems

    contents = [texts[u.file].encode() if u.file in texts else Path(u.file).read_bytes() for u in uses]
    return add_probes(units, contents, probes, reread)


def _link(
    units: list[Unit],
    target: Target,
    volatile_is_input: bool,
    flags: tuple[str, ...],
    asked: Sequence[Asked] = (),
    throwing: Collection[str] = (),
) -> Linker:
    linker = Linker(target, volatile_is_input, throwing)
    linker.add(units, asked)
    add_library(linker, flags)
    check_program(linker.program())
    return linker


def _surroundings(chosen: list[FileFlags]) -> Surroundings:
    targets = dict.fromkeys(c.target for c in chosen)
    compiler = next((c for target in targets if (c := find_compiler(target)) is not None), None)
    folders = dict.fromkeys(folder for target in targets for folder in system_include_folders(target))
    if compiler is None:
        compiler = find_compiler()
    return Surroundings(clang.version(), compiler, tuple(folders), tuple(chosen))


def _parse(use: FileFlags, missing_headers: MissingHeaders, text: str | bytes | None) -> _Parsed:
    # Whatever a file is called, it is read as C unless its name says that it is C++.
    language = (
        () if Path(use.file).suffix in (".c", ".h", ".i") else ("-xc++",) if clang.is_cplusplus(use.file) else ("-xc",)
    )
    flags = tuple(f for f in use.flags if f != "-w")
    unit, diagnostics = clang.parse(use.file, (*language, *flags, "-Wunknown-attributes"), text)
    problems: list[Diagnostic] = []
    missing: list[MissingHeader] = []
    for diagnostic in diagnostics:
        name = clang.missing_header(diagnostic)
        unknown = _UNKNOWN_ATTRIBUTE.search(diagnostic.message)
        if unknown is not None:
            # The others that gcc has and clang has not are about the code that is made, not about what it means.
            if unknown[1].strip("_") == "scalar_storage_order":
                message = "the attribute `scalar_storage_order` is not supported"
                problems.append(Diagnostic(Code.UNSUPPORTED, message, diagnostic.span))
        elif name is None:
            if len(flags) == len(use.flags) or diagnostic.severity is Severity.ERROR:
                problems.append(diagnostic)
        else:
            missing.append(MissingHeader(name, use.file, diagnostic.span))
    parsed = Unit(use.file, unit)
    if not missing:
        return _Parsed(parsed, problems, [])
    match missing_headers:
        case MissingHeaders.ERROR:
            # What else is wrong most likely follows from this.
            return _Parsed(parsed, [header.error() for header in missing], [])
        case MissingHeaders.ASSUME:
            help = _perhaps_declared(list(dict.fromkeys(m.name for m in missing)))
            problems = [replace(d, help=help) if d.severity is Severity.ERROR else d for d in problems]
            return _Parsed(parsed, problems, missing)
        case _:
            assert_never(missing_headers)


def _perhaps_declared(headers: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in headers[:_MOST_NAMED])
    more = f" and {len(headers) - _MOST_NAMED} more" if len(headers) > _MOST_NAMED else ""
    were = "was not found and is" if len(headers) == 1 else "were not found and are"
    return f"perhaps it is declared in {shown}{more}, which {were} taken to be empty: name the folder with -I"


def _refuse_unreadable(files: tuple[str, ...]) -> None:
    problems = [p for file in files if (p := _problem_with(file)) is not None]
    if problems:
        raise InputError(problems)


def _problem_with(file: str) -> Diagnostic | None:
    path = Path(file)
    at = Span.at(file)
    try:
        if path.is_dir():
            return Diagnostic(Code.FILE, "this is a folder, not a C file", at, help="name the files in it")
        file.encode()  # clang wants names in UTF-8
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            size, limit = path.stat().st_size, f"the limit is {MOST_BYTES >> 20} MiB"
            has = f"has {size:,} bytes" if size else "does not end"
            return Diagnostic(Code.TOO_LARGE, f"the file {has}; {limit}", at)
    except FileNotFoundError:
        return Diagnostic(Code.FILE, "there is no such file", at)
    except UnicodeError:
        return Diagnostic(Code.FILE, "the name of the file is not in UTF-8", at, help="rename it")
    except (OSError, ValueError) as error:
        return Diagnostic(Code.FILE, f"the file cannot be read: {getattr(error, 'strerror', None) or error}", at)
    if b"\0" in content:
        return Diagnostic(Code.FILE, "this is a binary file, not C source", at)
    if not content.strip():
        return Diagnostic(Code.FILE, "the file is empty", at)
    return None


def _one_target(chosen: list[FileFlags]) -> Target:
    """The machine that all files are for."""
    targets = {use.file: target_of(library_flags(use.flags)) for use in chosen}
    first, *rest = targets
    target = targets[first]
    problems = []
    for file in rest:
        if targets[file] != target:
            message = f"`{file}` is for {_machine(targets[file])}, but `{first}` for {_machine(target)}"
            help = "the flags of the files differ; --target names one machine for all"
            problems.append(Diagnostic(Code.FLAG, message, help=help))
    if problems:
        raise InputError(problems)
    return target


def _machine(target: Target) -> str:
    return f"{target.triple} with {8 * target.pointer_size}-bit pointers and {target.int_bits}-bit int"


@lru_cache(maxsize=64)
def target_of(flags: tuple[str, ...]) -> Target:
    """Sizes and byte order of the target the flags choose; flags about the text of a program are not among them."""
    macros = ("__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__", "__FLT_MANT_DIG__", "__DBL_MANT_DIG__", "__LDBL_MANT_DIG__")
    probe = "int i; void *p;" + "".join(f" int v{n} = {macro};" for n, macro in enumerate(macros))
    unit, problems = clang.parse("target.c", flags, probe)
    if any(d.severity is Severity.ERROR for d in problems):
        raise InputError(problems)
    i, p, *rest = clang.children(unit.cursor)[-2 - len(macros) :]
    assert i.type.kind is TypeKind.INT
    big_endian, *digits = (clang.evaluate(clang.children(v)[-1]) or 0 for v in rest)
    triple = next((f.split("=", 1)[1] for f in flags if f.startswith("--target=")), "host")
    return Target(triple, p.type.get_size(), 8 * i.type.get_size(), bool(big_endian), (digits[0], digits[1], digits[2]))
