"""Times `stateglass check` where nothing is bounded: `python -m benchmarks.unbounded [--family NAME] [--engine NAME]`.

The programs of `examples/handshake` and `examples/drivers`, whose verdicts are known, and handshakes with more and more
states. Each run is a new process that reads the file, decides it, and confirms what it found. Where `cbmc` is on the
PATH, it looks for the errors of wrong programs beside us, with loops unwound as often as is needed.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.handshakes import handshake
from benchmarks.timing import Process, Row, measured
from scripts import cbmc
from scripts.rooms import ROOT

EXAMPLES: Final = ("handshake", "drivers")
GROWING: Final = (5, 10, 20, 40, 80)
LIMIT: Final = 120
"""So many seconds `check` may take."""
UNWIND: Final = 45
"""More rounds than any of the wrong programs needs."""
_VERDICT: Final = re.compile(r"^ \* verdict: (holds|violated)$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """A program with a known verdict."""

    family: str
    path: Path
    verdict: str

    @property
    def name(self) -> str:
        return self.path.stem


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
    families = [*EXAMPLES, "growing"]
    parser.add_argument("--family", action="append", choices=families, help="only this one; may be repeated")
    parser.add_argument("--engine", default="auto", choices=("auto", "bmc", "spacer", "predicate"))
    parser.add_argument("--times", type=int, default=1, help="how often each is measured; the best counts")
    options = parser.parse_args()
    other = cbmc.is_there()
    tail = f" {'cbmc':>9}" if other else f"   ({cbmc.CBMC} is not on the PATH)"
    print(f"{'program':<28} {'verdict':<12} {'engine':<10} {'wall':>8} {'cpu':>8} {'rounds':>6}", end="")
    print(f" {'predicates':>10} {'memory':>8}{tail}")
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects(Path(folder)):
            if options.family and subject.family not in options.family:
                continue
            took = min((run(subject, options.engine) for _ in range(options.times)), key=lambda m: m.process.seconds)
            told = f"{subject.name:<28} {took.verdict:<12} {took.engine:<10} {took.process.seconds:>6.1f} s"
            told += f" {took.process.processor:>6.1f} s {took.rounds:>6} {took.predicates:>10}"
            told += f" {took.process.megabytes:>4.0f} MiB"
            if other and subject.verdict == "violated":
                told += f" {by_cbmc(subject).seconds:>7.1f} s"
            print(told, flush=True)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """All families: each program, and what is aimed at for all of them."""
    for family in (*EXAMPLES, "growing"):
        best: list[Measured] = []
        for subject in subjects(folder):
            if subject.family == family:
                took = [run(subject, "auto") for _ in range(times)]
                best.append(min(took, key=lambda m: m.process.seconds))
                name = f"{subject.name}: {best[-1].verdict}{_by(best[-1])}"
                yield Row(name, tuple(t.process.seconds for t in took), "s", "within 60 s")
        middle = statistics.median(m.process.seconds for m in best)
        yield Row(f"{family}: median of {len(best)}", (middle,), "s", "within 10 s" if family == "handshake" else "")
        yield Row(f"{family}: most memory", (max(m.process.megabytes for m in best),), "MiB")


def subjects(folder: Path) -> Iterator[Subject]:
    """All programs; those that are made are written to a folder."""
    for family in EXAMPLES:
        for path in sorted((ROOT / "examples" / family).glob("*.c")):
            verdict = _VERDICT.search(path.read_text(encoding="utf-8"))
            if verdict is None:
                raise SystemExit(f"{path} does not say what its verdict is")
            yield Subject(family, path, verdict[1])
    for states in GROWING:
        for wrong in (False, True):
            path = folder / f"states_{states}{'_wrong' if wrong else ''}.c"
            path.write_text(handshake(states, wrong=wrong), encoding="utf-8")
            yield Subject("growing", path, "violated" if wrong else "holds")


def run(subject: Subject, engine: str) -> Measured:
    """One run of the command; a wrong verdict ends the benchmark."""
    words = [sys.executable, "-m", "stateglass", "check", str(subject.path), "--function", "main", "--format", "json"]
    words += ["--engine", engine, "--timeout", str(LIMIT)]
    with tempfile.TemporaryFile() as out:
        process = measured(words, out, 2 * LIMIT)
        out.seek(0)
        text = out.read()
    if not text:
        raise SystemExit(f"{' '.join(words)}: exit {process.status}")
    found = json.loads(text)["verdicts"][0]
    if found["verdict"] not in (subject.verdict, "inconclusive"):
        raise SystemExit(f"{subject.path}: {found['verdict']}, which is wrong")
    engine = found.get("engine") or "–"
    return Measured(process, found["verdict"], engine, found.get("rounds", 0), found.get("predicates", 0))


def by_cbmc(subject: Subject) -> Process:
    """The same error by unwinding loops; what takes longer than we may is stopped."""
    words = [cbmc.CBMC, str(subject.path), "--unwind", str(UNWIND), "--no-unwinding-assertions"]
    return measured(words, limit=LIMIT)


def _by(took: Measured) -> str:
    if took.verdict == "inconclusive":
        return ""
    refined = f", {took.rounds} rounds, {took.predicates} predicates" if took.predicates else ""
    return f" by {took.engine}{refined}"


if __name__ == "__main__":
    main()
