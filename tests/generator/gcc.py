"""What gcc makes of a program: compile it with an `observe` that prints, run it, return its trace."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, final

COMPILE_SECONDS: Final = 60
RUN_SECONDS: Final = 20
SOURCES: Final = (".c", ".cpp")
SANITIZERS: Final = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")

_OBSERVER: Final = """#include <stdio.h>
void observe(long long value);
void observe(long long value) { printf("call(observe, %lld)\\n", value); }
"""


@final
class GccError(Exception):
    """gcc refused the program, or the program was stopped by a signal, a sanitizer or the clock."""


def gcc_available() -> bool:
    return shutil.which("gcc") is not None


def gxx_available() -> bool:
    return gcc_available() and shutil.which("g++") is not None


def run_with_gcc(
    files: Mapping[str, str], folder: Path, flags: Sequence[str] = ("-O0",), seconds: float = RUN_SECONDS
) -> list[str]:
    """The calls of `observe` in order, as `call(observe, 42)`, then `exit(n)`."""
    program = compile_with_gcc(files, folder, flags)
    try:
        # The leak checker needs to trace the process, which not every sandbox allows.
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"}
        run = subprocess.run([program], capture_output=True, text=True, timeout=seconds, env=environment, check=False)
    except subprocess.TimeoutExpired as e:
        raise GccError(f"still running after {seconds} s") from e
    if run.returncode < 0 or run.stderr:
        raise GccError(f"ended with {run.returncode}: {run.stderr[:2000]}")
    return [*run.stdout.splitlines(), f"exit({run.returncode})"]


def compile_with_gcc(files: Mapping[str, str], folder: Path, flags: Sequence[str]) -> Path:
    """Writes the files into the folder and links them; warnings are errors only where the flags say so."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    program = folder / "program"
    sources = [str(folder / name) for name in files if name.endswith(SOURCES)]
    quiet = [] if any(f.startswith("-W") for f in flags) else ["-w"]
    compiler = ["g++", "-std=c++20"] if any(name.endswith(".cpp") for name in sources) else ["gcc", "-std=c11"]
    command = [*compiler, "-pipe", *quiet, *flags, "-o", str(program), *sources, str(_observer()), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
    except subprocess.TimeoutExpired as e:
        raise GccError(f"gcc still compiling after {COMPILE_SECONDS} s") from e
    if done.returncode != 0:
        raise GccError(done.stderr[:20000])
    return program


def run_many(programs: Sequence[Mapping[str, str]], flags: Sequence[str] = ("-O0",)) -> list[list[str] | GccError]:
    """The traces of many programs, compiled and run on all cores, in order."""

    def one(files: Mapping[str, str]) -> list[str] | GccError:
        with tempfile.TemporaryDirectory() as folder:
            try:
                return run_with_gcc(files, Path(folder), flags)
            except GccError as e:
                return e

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, programs))


@functools.cache
def _observer() -> Path:
    """The object file that defines `observe`, compiled once per process."""
    folder = Path(tempfile.mkdtemp(prefix="observe-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source = folder / "observe.c"
    source.write_text(_OBSERVER)
    subprocess.run(["gcc", "-O1", "-c", "-o", folder / "observe.o", source], check=True, timeout=COMPILE_SECONDS)
    return folder / "observe.o"
