"""Reads files and flags: what is checked before clang sees a file, and what clang is told."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, final

from clang.cindex import TypeKind

from stateglass.frontend import clang
from stateglass.frontend.library import INCLUDE_FOLDER, add_library
from stateglass.frontend.linking import Linker, Unit
from stateglass.program import Program, Target
from stateglass.program.validator import check_program
from stateglass.source import Code, Diagnostic, InputError, Severity, Span

MOST_BYTES: Final = 32 << 20
"""The largest source file that is read."""

# gcc accepts what these stand for, and so must we; `doctor` lists them.
LENIENCIES: Final = tuple(
    f"-Wno-{name}"
    for name in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-pointer-types",
        "return-mismatch",
        "deprecated-non-prototype",
        "incompatible-function-pointer-types",
    )
)
DEFAULT_STANDARD: Final = "-std=gnu17"
_UNKNOWN_FLAG: Final = re.compile(r"unknown argument:? '([^']+)'")


@final
@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the front end found on this machine and what it made of the flags."""

    clang: str
    compiler: str | None
    include_folders: tuple[str, ...]
    flags: tuple[str, ...]
    dropped: tuple[str, ...]  # flags that clang does not know


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading: the program, warnings, and the surroundings in which it was read."""

    program: Program
    warnings: tuple[Diagnostic, ...]
    surroundings: Surroundings


def read_program(
    files: tuple[str, ...],
    flags: tuple[str, ...] = (),
    target: str | None = None,
    volatile_is_input: bool = True,
) -> Reading:
    """Turn C files into one linked program. Everything wrong with them is one `InputError`."""
    _refuse_unreadable(files)
    used, dropped = known_flags(compiler_flags(flags, target))
    units: list[Unit] = []
    problems: list[Diagnostic] = []
    for file in files:
        unit, diagnostics = clang.parse(file, used)
        problems += diagnostics
        units.append(Unit(file, unit))
    if any(d.severity is Severity.ERROR for d in problems):
        raise InputError(d for d in problems if d.severity is not Severity.WARNING)
    for flag in dropped:
        problems.append(Diagnostic(Code.FLAG, f"clang does not know `{flag}`: dropped", severity=Severity.WARNING))
    linker = Linker(target_of(used), volatile_is_input)
    linker.add(units)
    add_library(linker, used)
    program = linker.program()
    check_program(program)
    folders = () if target is not None else system_include_folders()
    return Reading(program, tuple(problems), Surroundings(clang.version(), find_compiler(), folders, used, dropped))


def compiler_flags(flags: tuple[str, ...], target: str | None) -> tuple[str, ...]:
    """The flags clang is given: the user's behind our defaults."""
    chosen = [] if any(f.startswith("-std=") for f in flags) else [DEFAULT_STANDARD]
    chosen.append(f"-isystem{INCLUDE_FOLDER}")
    if target is not None:
        # For some targets clang looks at this machine's headers, which are for another one, and for some not even at
        # those that it brings along.
        chosen += [f"--target={target}", f"-isystem{clang.builtin_headers()}"]
        if not any(f.startswith(("--sysroot", "-isysroot")) for f in flags):
            chosen.append("-nostdlibinc")
    else:
        chosen += [f"-isystem{folder}" for folder in system_include_folders()]
    return (*chosen, "-Wno-everything", *LENIENCIES, *flags)


def known_flags(flags: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags without those that clang does not know, and those; gcc has more than clang."""
    _, problems = clang.parse("flags.c", flags, "int i;")
    unknown = {m.group(1) for p in problems if (m := _UNKNOWN_FLAG.search(p.message)) is not None}
    return tuple(f for f in flags if f not in unknown), tuple(f for f in flags if f in unknown)


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
        size = path.stat().st_size
        if size > MOST_BYTES:
            limit = f"the limit is {MOST_BYTES >> 20} MiB"
            return Diagnostic(Code.TOO_LARGE, f"the file has {size:,} bytes; {limit}", at)
        content = path.read_bytes()
    except FileNotFoundError:
        return Diagnostic(Code.FILE, "there is no such file", at)
    except (OSError, ValueError) as error:
        return Diagnostic(Code.FILE, f"the file cannot be read: {getattr(error, 'strerror', None) or error}", at)
    if b"\0" in content:
        return Diagnostic(Code.FILE, "this is a binary file, not C source", at)
    if not content.strip():
        return Diagnostic(Code.FILE, "the file is empty", at)
    return None


def target_of(flags: tuple[str, ...]) -> Target:
    """Sizes and byte order of the target the flags choose."""
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


@cache
def find_compiler() -> str | None:
    """The user's compiler, whose headers are the ones that code was written against."""
    return next((c for name in ("cc", "gcc", "clang") if (c := shutil.which(name)) is not None), None)


@cache
def system_include_folders() -> tuple[str, ...]:
    """The header folders of the user's compiler; none if there is none.

    Clang brings its own `stddef.h` and the like, so the compiler's private folder is left out.
    """
    compiler = find_compiler()
    if compiler is None:
        return ()
    command = [compiler, "-E", "-v", "-x", "c", "/dev/null"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    lines = result.stderr.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith("#include <...>")), None)
    if begin is None:
        return ()
    folders: list[str] = []
    for line in lines[begin + 1 :]:
        if not line.startswith(" "):
            break
        folder = line.strip()
        if not (Path(folder) / "stddef.h").exists():
            folders.append(folder)
    return tuple(folders)
