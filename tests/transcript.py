"""Terminal sessions in documents: ```console blocks that are run and compared.

In a block, `$ ` starts a command (it goes on after a backslash at the end of the line), the lines after it are what it
prints on both streams, and `# exit 2` at their end is its exit status if that is not 0. In what is expected, a line
`...` stands for any number of lines and `<time>` for a duration such as `0.12 s`. All commands of a document run one
after the other in one folder, a copy of `examples/`; `cd` does not last beyond its line.

A call of `stateglass` can be run in this process: to start another one takes longer than most answers.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from tests.calls import PROGRAM, call_in

TAG = "console"
PROMPT = "$ "
ANYTHING = "..."
TIME = "<time>"
WIDTH = "100"
TIMEOUT = 120

# Loops that were compiled once are not compiled anew for each document.
_CACHE = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
_DURATION = re.compile(r"\b\d+(\.\d+)? (ms|s|min)(?!\w)")
# Only a duration with a fraction is taken for a measurement when expectations are rewritten.
_MEASURED = re.compile(r"\b\d+\.\d+ (ms|s|min)(?!\w)")
_COMPILED = " and run on the compiled code."
_EXIT = re.compile(r"^# exit (\d+)$")
# On a slow machine, work that takes ten seconds would say so.
_STARTED = """
import math
from stateglass.__main__ import main
from stateglass.cli import progress
progress.LINE_SECONDS = math.inf
main()
"""


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A command with what it prints and how it ends."""

    lines: tuple[str, ...]
    output: tuple[str, ...]
    status: int = 0

    @property
    def command(self) -> str:
        return "\n".join(self.lines)

    def text(self) -> str:
        ending = [f"# exit {self.status}"] if self.status else []
        return "".join(line + "\n" for line in [PROMPT + self.command, *self.output, *ending])


def parse(body: str) -> list[Step]:
    """The steps of a block."""
    steps: list[Step] = []
    going_on = False
    for line in body.splitlines():
        if line.startswith(PROMPT) and not going_on:
            steps.append(Step((line.removeprefix(PROMPT),), ()))
            going_on = line.endswith("\\")
            continue
        if not steps:
            raise ValueError(f"a console block must begin with `{PROMPT}`: {line!r}")
        last = steps[-1]
        status = _EXIT.match(line)
        if going_on:
            steps[-1] = replace(last, lines=(*last.lines, line))
            going_on = line.endswith("\\")
        elif status:
            steps[-1] = replace(last, status=int(status[1]))
        else:
            steps[-1] = replace(last, output=(*last.output, line))
    return steps


def matches(expected: Step, actual: Step) -> bool:
    if expected.status != actual.status:
        return False
    pattern = "".join(_pattern(expected.output))
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual.output)) is not None


def rewritten(expected: Step, actual: Step) -> Step:
    """The step as it should be written: as it was if it still matches, else as it is, durations taken out."""
    if matches(expected, actual):
        return expected
    return replace(actual, output=tuple(_MEASURED.sub(TIME, line) for line in actual.output))


def is_about_compiled_code(steps: Iterable[Step]) -> bool:
    """Whether somebody without a compiler sees something else, beyond that nothing was compiled."""
    return any("stateglass replay" in s.command or any("compiled code" in line for line in s.output) for s in steps)


def without_compiler(step: Step) -> Step:
    """What somebody without a compiler sees: that a run was also done by the compiled code is not said."""
    return replace(step, output=tuple(line.replace(_COMPILED, ".") for line in step.output))


def run(step: Step, folder: Path, *, start: bool = True) -> Step:
    """What a command really does; unless processes are to be started, a call of `stateglass` is run in this one."""
    direct = None if start else call_in(step.command)
    printed, status = direct.run(folder, _environment(folder)) if direct else _run_in_shell(step.command, folder)
    return Step(step.lines, tuple(line.rstrip() for line in printed.splitlines()), status)


def _run_in_shell(command: str, folder: Path) -> tuple[str, int]:
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        timeout=TIMEOUT,
        check=False,
    )
    return done.stdout, done.returncode


def install_program(folder: Path) -> None:
    """Puts a `stateglass` into the folder's `bin` that runs this checkout with this interpreter."""
    program = _bin(folder) / PROGRAM
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(_STARTED)} "$@"\n')
    program.chmod(0o755)


def _environment(folder: Path) -> dict[str, str]:
    source = Path(__file__).resolve().parents[1] / "src"
    return {
        "PATH": f"{_bin(folder)}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(source),
        "PYTHONUNBUFFERED": "1",  # both streams in the order in which they were written
        "HOME": str(_bin(folder).parent),
        "XDG_CACHE_HOME": _CACHE,
        "LC_ALL": "C.UTF-8",
        "COLUMNS": WIDTH,
        "NO_COLOR": "1",
    }


def _bin(folder: Path) -> Path:
    return folder.parent / "home" / "bin"


def _pattern(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines:
        if line.strip() == ANYTHING:
            yield r"(?:.*\n)*?"
        else:
            yield _DURATION.pattern.join(re.escape(part) for part in line.rstrip().split(TIME)) + r"\n"
