"""Runs a C++ program twice: as g++ compiles it with its own headers, and on our machine with ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

from stateglass.frontend import read_program
from tests.fuzz.agreement import run_machine

COMPILE_SECONDS: Final = 600
RUN_SECONDS: Final = 120
_OBSERVER: Final = """#include <cstdio>
extern "C" void observe(long long value) { std::printf("call(observe, %lld)\\n", value); }
"""


def compiler_available() -> bool:
    return shutil.which("g++") is not None


def ours(file: Path) -> list[str]:
    """The calls of `observe` in order, then how the program ends."""
    return run_machine(read_program((str(file),)).program)


def theirs(file: Path, folder: Path) -> list[str]:
    observer, program = folder / "observer.cpp", folder / "program"
    observer.write_text(_OBSERVER, encoding="utf-8")
    command = [
        "g++",
        "-std=gnu++20",
        "-O0",
        "-w",
        "-D_GLIBCXX_ASSERTIONS",
        "-o",
        str(program),
        str(file),
        str(observer),
    ]
    made = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
    assert made.returncode == 0, made.stderr[:4000]
    done = subprocess.run([program], capture_output=True, text=True, timeout=RUN_SECONDS, check=False)
    return [*done.stdout.splitlines(), f"exit({done.returncode})"]
