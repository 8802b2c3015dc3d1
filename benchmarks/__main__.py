"""Steps, states and lines per second, and whole commands: `python -m benchmarks [--times N]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.programs import COUNTERS, STEPPED, long_file
from benchmarks.timing import Row, repeat, seconds
from stateglass.explore import explore
from stateglass.explore.machine import Machine
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.system import build_system
from stateglass.values import Concrete

DEMO = Path(__file__).parent.parent / "src" / "stateglass" / "demonstration"


def stepping(folder: Path, times: int) -> Iterator[Row]:
    """Statements and terminators per second of the reference semantics, one core."""
    for name, text in STEPPED.items():
        path = folder / "program.c"
        path.write_text(text)
        program = read_program((str(path),)).program
        figures = repeat(partial(steps_per_second, program), times)
        yield Row(f"steps, {name}", figures, "steps/s", "at least 500,000")


def steps_per_second(program: Program) -> float:
    machine = Machine(program, Concrete())
    took = seconds(lambda: machine.start("main", []))
    return machine.steps / took


def exploring(folder: Path, times: int) -> Iterator[Row]:
    path = folder / "counters.c"
    path.write_text(COUNTERS)
    program = read_program((str(path),)).program
    system = build_system(program, ("tick",), bounds=(("tick.which", "0..3"),))

    def once() -> float:
        start = time.perf_counter()
        model = explore(system).model
        return model.transitions / (time.perf_counter() - start)

    yield Row("exploring, product of four counters", repeat(once, min(times, 2)), "trans/s")


def reading(folder: Path, times: int) -> Iterator[Row]:
    for lines in (1_000, 5_000):
        path = folder / f"lines{lines}.c"
        path.write_text(long_file(lines))
        promise = "within 2 s" if lines == 1_000 else ""
        read = partial(read_program, (str(path),))
        yield Row(f"reading {lines:,} lines", repeat(partial(seconds, read), times), "s", promise)


READ_AND_TELL = """
import resource, sys, time
from stateglass.frontend import read_program
read_program((sys.argv[1],))
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def reading_much(folder: Path, times: int) -> Iterator[Row]:
    """A large file as it comes from the preprocessor, each time in a new process: its time and memory, all included."""
    lines = 50_000
    path = folder / "preprocessed.i"
    # Every include leaves such a mark behind.
    path.write_text(long_file(lines).replace("\nenum mode", '\n# 1 "module.h" 1\nenum mode'))
    words = [sys.executable, "-c", READ_AND_TELL, str(path)]
    told = [
        subprocess.run(words, check=True, capture_output=True, text=True).stdout.split() for _ in range(min(times, 2))
    ]
    name = f"reading {lines:,} preprocessed lines"
    yield Row(f"{name}, processor", tuple(float(t) for t, _ in told), "s", "under 30 s")
    yield Row(f"{name}, memory", tuple(int(kib) / 1024 for _, kib in told), "MiB", "under 2 GiB")


def commands(folder: Path, times: int) -> Iterator[Row]:
    """Whole commands in a new process each, as a user types them."""
    program = next(iter(sorted(DEMO.glob("*.c"))))
    lines = program.read_text().count("\n")
    project = str(DEMO / "stateglass.toml")

    def command(*arguments: str) -> float:
        words = [sys.executable, "-m", "stateglass", *arguments]
        return seconds(lambda: subprocess.run(words, check=True, capture_output=True))

    picture = str(folder / "model.svg")
    yield Row("stateglass --help", repeat(lambda: command("--help"), times), "s", "under 0.15 s on an idle core")
    yield Row(
        f"first picture of {program.name} ({lines} lines)",
        repeat(lambda: command("extract", str(program), "--project", project, "-o", picture), times),
        "s",
        "within 2 s, cold",
    )


def figures(folder: Path, times: int) -> Iterator[Row]:
    for measure in (stepping, exploring, reading, reading_much, commands):
        yield from measure(folder, times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often each is measured")
    times = parser.parse_args().times
    print(f"{'what':<44} {'median':>14} {'unit':<9} {'lowest … highest':<26} promised")
    with tempfile.TemporaryDirectory() as name:
        for row in figures(Path(name), times):
            print(row, flush=True)


if __name__ == "__main__":
    main()
