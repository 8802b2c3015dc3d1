"""Times `stateglass check` on more and more threads: `python -m benchmarks.threads_growth [--seats N]`.

Philosophers at larger and larger tables, as in `examples/threads/philosophers`, by abstraction: careful ones, for whom
no deadlock is to be proved, and others, for whom one is to be found. The number of states is that of the largest model
on the way; all that they do together has some three times as many states with each seat.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.timing import Process, Row, measured
from benchmarks.unbounded_programs import TABLES, table

SEATS: Final = (5, 8, 12, 16, 24)
LIMIT: Final = 120
"""So many seconds `check` may take."""


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took, and what it found."""

    process: Process
    verdict: str
    states: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads_growth", description=__doc__)
    parser.add_argument("--seats", type=int, action="append", help="only so many; may be repeated")
    options = parser.parse_args()
    print(f"{'table':<16} {'verdict':<12} {'largest model':>20} {'wall':>8} {'memory':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for seats in options.seats or SEATS:
            for system, verdict in TABLES:
                took = run(Path(folder), seats, system, verdict)
                told = f"{system + ' ' + str(seats):<16} {took.verdict:<12} {took.states:>13,} states"
                print(f"{told} {took.process.seconds:>6.1f} s {took.process.megabytes:>6.0f} MiB", flush=True)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Each table: its time, and the largest model on the way."""
    for seats in SEATS:
        for system, verdict in TABLES:
            took = [run(folder, seats, system, verdict) for _ in range(times)]
            yield Row(f"{system}, {seats} seats", tuple(t.process.seconds for t in took), "s", "within 5 s")
            yield Row(f"{system}, {seats} seats: largest model", (took[0].states,), "states")


def run(folder: Path, seats: int, system: str, verdict: str) -> Measured:
    """One run of the command; a wrong verdict ends the benchmark."""
    project = str(table(folder, seats))
    words = [sys.executable, "-m", "stateglass", "check", "--project", project, "--system", system]
    words += ["--engine", "predicate", "--format", "json", "--timeout", str(LIMIT)]
    with tempfile.TemporaryFile() as out:
        process = measured(words, out, 2 * LIMIT)
        out.seek(0)
        text = out.read()
    if not text:
        raise SystemExit(f"{' '.join(words)}: exit {process.status}")
    report = json.loads(text)
    found = report["verdicts"][0]["verdict"]
    if found not in (verdict, "inconclusive"):
        raise SystemExit(f"{system}, {seats} seats: {found}, which is wrong")
    return Measured(process, found, report["model"]["states"])


if __name__ == "__main__":
    main()
