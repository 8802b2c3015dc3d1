"""What our semantics make of a closed program, as the same lines that gcc's run gives."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final, final

from stateglass.explore import Exploration, Manner, explore
from stateglass.explore.machine import Machine
from stateglass.explore.pauses import CallingOut, Exiting, Failing, Outside, Pause, Returning, Stuck
from stateglass.frontend import read_program
from stateglass.model import TAU, Model
from stateglass.program import Program
from stateglass.source import InputError
from stateglass.system import System, build_system
from stateglass.values import Concrete
from stateglass.work import OutOfTime
from tests.generator import generate, generate_wide
from tests.generator.gcc import SOURCES, GccError, run_with_gcc

SECONDS: Final = 60.0
"""How long a program may take us before that counts as a disagreement."""
SIZE: Final = 60
"""About how many statements a program has."""
EXPLORED_EVERY: Final = 10
"""Of so many programs one is also explored, and its model compared."""
_LONG_DOUBLE: Final = re.compile(r"\blong double\b")
_LONG_LITERAL: Final = re.compile(r"\b(\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)L\b")


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """A program on which two runs of it differ, or which could not be compared."""

    files: Mapping[str, str]
    what: str


def read(files: Mapping[str, str], folder: Path) -> Program:
    """The program of the files, which are written into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return read_program(tuple(str(folder / name) for name in files if name.endswith(SOURCES))).program


def run_machine(program: Program) -> list[str]:
    """The trace of `main`, run directly, after what runs before it."""
    machine = Machine(program, Concrete())
    deadline = time.monotonic() + SECONDS
    machine.interrupt = lambda: time.monotonic() > deadline
    trace: list[str] = []
    try:
        for function in program.constructors:
            pause = _run(machine, function, trace)
            if not isinstance(pause, Returning):
                return [*trace, _end(pause)]
        pause = _run(machine, "main", trace)
    except OutOfTime:
        return [*trace, f"still running after {SECONDS:g} s"]
    return [*trace, _end(pause)]


def _run(machine: Machine, function: str, trace: list[str]) -> Pause:
    """Runs a function to its end; what it calls outside is added to the trace."""
    pause = machine.start(function, [])
    while isinstance(pause, CallingOut):
        trace.append(f"call({', '.join([pause.function, *map(str, pause.arguments)])})")
        pause = machine.answer(Outside(pause.segment, pause.function, pause.arguments), None)
    return pause


def _end(pause: Pause) -> str:
    match pause:
        case Returning(_, value) | Exiting(value, _):
            return _exit(value)
        case Failing(kind, span):
            return f"error({kind}) at {span}"
        case Stuck(reason, span):
            return f"not supported: {reason} at {span}"
        case _:
            return f"{pause}"


def system_of(program: Program) -> System:
    return build_system(program, ("main",))


def explore_run(program: Program, *, every_step: bool = False) -> Exploration:
    return explore(system_of(program), Manner(timeout=SECONDS, every_step=every_step))


def path_of(model: Model) -> list[str]:
    """The visible actions of a model that is one path; anything else becomes a last line that says so."""
    trace: list[str] = []
    state = model.initial
    visited = set()
    while state not in visited:
        visited.add(state)
        first, end = int(model.first[state]), int(model.first[state + 1])
        if end - first > 1:
            return [*trace, f"state {state} has {end - first} transitions"]
        if end == first:
            ended = model.terminal is not None and bool(model.terminal[state])
            return trace if ended else [*trace, f"stuck in state {state}", *model.origin.partial]
        label = model.labels[model.actions[first]]
        if label != TAU:
            trace.append(label)
        state = int(model.targets[first])
    return [*trace, f"state {state} comes back"]


UNSEEN: Final = ("call(constructors)", "return(constructors)", "call(main)", "return(observe)")
"""Actions of a model that a compiled program does not show."""


def observed(path: list[str]) -> list[str]:
    """A model's path as a run of the compiled program shows it."""
    shown = [action for action in path if action not in UNSEEN]
    return [_exit(int(action[5:-1])) if action.startswith("exit(") else action for action in shown]


def _exit(status: int) -> str:
    """A parent process sees the lowest byte of the status only."""
    return f"exit({status & 255})"


def compare(files: Mapping[str, str], folder: Path, *, explored: bool) -> Difference | None:
    """Holds our runs of a program against gcc's."""
    try:
        expected = run_with_gcc(files, folder)
    except GccError as error:
        return Difference(files, f"gcc: {error}")
    try:
        program = read(files, folder)
    except InputError as error:
        return Difference(files, f"not read: {error}")
    what = first_difference("gcc", expected, "machine", run_machine(program))
    if not what and explored:
        what = first_difference("gcc", expected, "model", observed(path_of(explore_run(program).model)))
    return Difference(files, what) if what else None


def first_difference(one: str, first: list[str], other: str, second: list[str]) -> str:
    """Where two traces part; empty if they do not."""
    for number, (a, b) in enumerate(zip_longest(first, second, fillvalue="the end"), 1):
        if a != b:
            return f"action {number}: {one} has {a}, {other} has {b}"
    return ""


def files_of_seed(seed: int, size: int, *, wide: bool) -> Mapping[str, str]:
    return (generate_wide if wide else generate)(seed, size).files


def without_long_doubles(files: Mapping[str, str]) -> Mapping[str, str]:
    """The same with doubles in their place: nothing is known of long ones for all inputs at once."""
    return {name: _LONG_LITERAL.sub(r"\1", _LONG_DOUBLE.sub("double", text)) for name, text in files.items()}


def compare_seed(seed: int, folder: Path, size: int = SIZE, *, wide: bool = False) -> Difference | None:
    """The comparison for the program of a seed."""
    return compare(files_of_seed(seed, size, wide=wide), folder, explored=seed % EXPLORED_EVERY == 0)


def positive(text: str) -> int:
    """A number on a command line of which there must be one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
