"""The user's compiler: where its headers are, and which machine a compiler is for by its name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from stateglass.frontend.clang import libclang

_NAME: Final = re.compile(r"(?:(?P<target>.+)-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cpp)(?:-\d[\d.]*)?(?:\.exe)?")
# Other words before `-gcc` are no machines: afl-gcc, c99-gcc, musl-gcc.
_MACHINES: Final = re.compile(r"avr|msp430|arm|aarch64|i[3-6]86|m68k|riscv(32|64)|xtensa|powerpc|ppc|mips(el)?|sparc")
_VENDORS: Final = frozenset({"unknown", "pc", "none", "redhat", "suse", "alpine"})


@cache
def find_compiler(target: str | None = None) -> str | None:
    """The user's compiler for a machine, whose headers are the ones that code was written against."""
    names = ("cc", "gcc", "clang") if target is None else (f"{target}-gcc",)
    return next((c for name in names if (c := shutil.which(name)) is not None), None)


@cache
def system_include_folders(target: str | None = None) -> tuple[str, ...]:
    """The header folders of the user's compiler; none if there is none.

    Clang brings its own `stddef.h` and the like, so the compiler's private folder is left out.
    """
    compiler = find_compiler(target)
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


def target_by_name(compiler: str) -> str | None:
    """The machine that a cross compiler is for: `arm-none-eabi-gcc-12` says it. None: this one, or not told."""
    found = _NAME.fullmatch(os.path.basename(compiler.replace("\\", "/")))
    target = found["target"] if found is not None else None
    if target is None or ("-" not in target and not _MACHINES.fullmatch(target)):
        return None
    return None if _essence(target) == _essence(libclang.host_triple()) else target


def _essence(triple: str) -> tuple[str, ...]:
    """A triple without the vendor, which comes in many spellings."""
    return tuple(part for part in triple.split("-") if part not in _VENDORS)
