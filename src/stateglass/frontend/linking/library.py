"""The C library as our own source: where its headers are, and which of its files a program needs.

Each file below the library folder defines one function or variable and is called like it, so that whatever a program
defines itself takes the place of the library's, one name at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.units import Unit
from stateglass.frontend.linking.library_index import library_files
from stateglass.frontend.linking.linking import Linker
from stateglass.source import InputError, Severity

INCLUDE_FOLDER: Final = libclang.LIBRARY_FOLDER / "include"
CPLUSPLUS_FOLDER: Final = libclang.LIBRARY_FOLDER / "cplusplus"
_STANDARD: Final = "-std=gnu17"
# Flags for the program's own text, which must not change the meaning of ours; a few have their value behind them.
_FOR_THE_PROGRAM: Final = ("-D", "-U", "-I", "-std=", "-iquote", "-isystem", "-include", "-imacros", "-idirafter")


def add_library(linker: Linker, flags: tuple[str, ...]) -> None:
    """Add what the program uses and does not define, and what that uses in turn."""
    used = library_flags(flags)
    tried: set[str] = set()
    while wanted := [name for name in linker.symbols.missing() if name in library_files() and name not in tried]:
        tried.update(wanted)
        for name in wanted:
            unit = _parse(library_files()[name], used)
            if linker.symbols.fits(name, unit):
                linker.add_late(unit)


def library_flags(flags: tuple[str, ...]) -> tuple[str, ...]:
    """The flags that say what the target is like: sizes, the sign of `char` and so on."""
    kept = [_STANDARD, "-nostdlibinc", f"-isystem{INCLUDE_FOLDER}", f"-isystem{libclang.builtin_headers()}"]
    is_value = False
    for flag in flags:
        if is_value:
            is_value = False
        elif flag.startswith(_FOR_THE_PROGRAM):
            is_value = flag in _FOR_THE_PROGRAM
        else:
            kept.append(flag)
    return tuple(kept)


def _parse(path: Path, flags: tuple[str, ...]) -> Unit:
    unit, problems = libclang.parse(str(path), flags)
    errors = [p for p in problems if p.severity is Severity.ERROR]
    if errors:
        raise InputError(errors)
    return Unit(str(path), unit)
