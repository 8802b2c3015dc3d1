"""Times `stateglass check` where nothing is bounded: `python -m benchmarks.unbounded [--family NAME] [--engine NAME]`.

The programs of `examples/handshake` and `examples/drivers`, whose verdicts are known, handshakes with more and more
states, and philosophers at larger and larger tables. Each run is a new process that reads the file, decides it, and
confirms what it found. Where `cbmc` is on the PATH, it looks for the errors of wrong programs beside us, with loops
unwound as often as is needed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.timing import Process, Row, measured
from benchmarks.unbounded_programs import FAMILIES, Subject, subjects
from scripts import cbmc

LIMIT: Final = 120
"""So many seconds `check` may take."""
UNWIND: Final = 45
"""More rounds than any of the wrong programs needs."""
AIMS: Final = {"handshake": "within 60 s", "threads": "within 5 s"}
MEDIANS: Final = {"handshake": "within 10 s"}


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took, and what it found."""

    process: Process
    verdict: str
    engine: str
    rounds: int
    predicates: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unbounded", description=__doc__)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only this one; may be repeated")
    parser.add_argument("--engine", default="auto", choices=("auto", "bmc", "spacer", "predicate"))
    parser.add_argument("--times", type=int, default=1, help="how often each is measured; the best counts")
    options = parser.parse_args()
    other = cbmc.is_there()
    tail = f" {'cbmc':>9}" if other else f"   ({cbmc.CBMC} is not on the PATH)"
    print(f"{'program':<24} {'verdict':<12} {'engine':<10} {'wall':>8} {'cpu':>8} {'rounds':>6}", end="")
    print(f" {'predicates':>10} {'memory':>8}{tail}")
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects(Path(folder)):
            if options.family and subject.family not in options.family:
                continue
            took = min((run(subject, options.engine) for _ in range(options.times)), key=lambda m: m.process.seconds)
            told = f"{subject.name:<24} {took.verdict:<12} {took.engine:<10} {took.process.seconds:>6.1f} s"
            told += f" {took.process.processor:>6.1f} s {took.rounds:>6} {took.predicates:>10}"
            told += f" {took.process.megabytes:>4.0f} MiB"
            if other and subject.code is not None and subject.verdict == "violated":
                told += f" {by_cbmc(subject.code).seconds:>7.1f} s"
            print(told, flush=True)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """All families: each program, and what is aimed at for all of them."""
    for family in FAMILIES:
        best: list[Measured] = []
        for subject in subjects(folder):
            if subject.family == family:
                took = [run(subject, "auto") for _ in range(times)]
                best.append(min(took, key=lambda m: m.process.seconds))
                name = f"{subject.name}: {best[-1].verdict}{_by(best[-1])}"
                yield Row(name, tuple(t.process.seconds for t in took), "s", AIMS.get(family, ""))
        middle = statistics.median(m.process.seconds for m in best)
        yield Row(f"{family}: median of {len(best)}", (middle,), "s", MEDIANS.get(family, ""))
        yield Row(f"{family}: most memory", (max(m.process.megabytes for m in best),), "MiB")


def run(subject: Subject, engine: str) -> Measured:
    """One run of the command; a wrong verdict ends the benchmark."""
    words = [sys.executable, "-m", "stateglass", "check", *subject.words, "--format", "json"]
    words += ["--engine", engine, "--timeout", str(LIMIT)]
    with tempfile.TemporaryFile() as out:
        process = measured(words, out, 2 * LIMIT)
        out.seek(0)
        text = out.read()
    if not text:
        raise SystemExit(f"{' '.join(words)}: exit {process.status}")
    found = json.loads(text)["verdicts"][0]
    if found["verdict"] not in (subject.verdict, "inconclusive"):
        raise SystemExit(f"{subject.name}: {found['verdict']}, which is wrong")
    by = found.get("engine") or "–"
    return Measured(process, found["verdict"], by, found.get("rounds", 0), found.get("predicates", 0))


def by_cbmc(code: Path) -> Process:
    """The same error by unwinding loops; what takes longer than we may is stopped."""
    return measured([cbmc.CBMC, str(code), "--unwind", str(UNWIND), "--no-unwinding-assertions"], limit=LIMIT)


def _by(took: Measured) -> str:
    if took.verdict == "inconclusive" or took.engine == "–":
        return ""
    refined = f", {took.rounds} rounds, {took.predicates} predicates" if took.predicates else ""
    return f" by {took.engine}{refined}"


if __name__ == "__main__":
    main()
