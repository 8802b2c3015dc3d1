"""What `stateglass check` takes where nothing is bounded: `python -m benchmarks.unbounded [--family F] [--engine E]`.

Programs of `examples` whose verdicts are known, handshakes with more and more states, philosophers and token rings with
more and more threads. Each run is a new process that reads the file, decides it, and confirms what it found. Time is
that of the processor, so that others on the machine disturb it less; of several runs the median counts. Where `cbmc` is
on the PATH, it looks for the errors of wrong programs in turn with us, with loops unwound as often as is needed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.timing import Process, Row, measured
from benchmarks.unbounded_programs import FAMILIES, GROWING, PROGRAMS, Subject, subjects
from scripts import cbmc
from stateglass.source import counted

ENGINES: Final = ("auto", "bmc", "spacer", "predicate", "explicit")
LIMIT, ALONE = 120, 10
"""So many seconds `check` may take, and one engine alone."""
UNWIND: Final = 45
"""More rounds than any of the wrong programs needs."""
MEDIANS: Final = {"handshake": "under 10 s"}
WORST: Final = {"handshake": "under 60 s"}
AIMS: Final = {"5, philosopher": "within 5 s", "5, careful": "holds"}
COMPARED: Final = ("handshake", "drivers")
"""Families of which each engine is measured alone."""


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What some runs took, and what they found."""

    subject: Subject
    seconds: float  # of the processor, in the middle
    wall: float
    megabytes: float
    verdict: str
    engine: str
    rounds: int
    predicates: int

    @property
    def is_decided(self) -> bool:
        return self.verdict != "inconclusive"

    @property
    def how(self) -> str:
        """The verdict, and who has come to it, in words."""
        refined = (
            f", {counted(self.rounds, 'round')}, {counted(self.predicates, 'predicate')}" if self.predicates else ""
        )
        return f"{self.verdict} by {self.engine}{refined}" if self.is_decided else self.verdict


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unbounded", description=__doc__)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only this one; may be repeated")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="auto by default; may be repeated")
    parser.add_argument("--times", type=int, default=1, help="how often each is measured; the median counts")
    options = parser.parse_args()
    tail = f"{'cbmc':>9} {'ratio':>6}" if cbmc.is_there() else f"  ({cbmc.CBMC} is not on the PATH)"
    heading = f"{'family':<13}{'program':<32}{'verdict':<13}{'engine':<10}{'processor':>10}{'wall':>9}{'rounds':>7}"
    print(f"{heading}{'predicates':>11}{'memory':>9} {tail}")
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects(Path(folder)):
            if options.family and subject.family not in options.family:
                continue
            for engine in options.engine or ("auto",):
                print(_line(run(subject, engine, options.times)), flush=True)


def _line(took: Measured) -> str:
    subject = took.subject
    told = f"{subject.family:<13}{subject.name:<32}{took.verdict:<13}{took.engine:<10}{took.seconds:>8.1f} s"
    told += f"{took.wall:>7.1f} s{took.rounds:>7}{took.predicates:>11}{took.megabytes:>5.0f} MiB"
    other = _peer(subject)
    return told if other is None else f"{told} {other:>7.1f} s {took.seconds / other:>6.1f}"


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Each family as a whole, or the programs of those that grow; then each engine alone."""
    every = list(subjects(folder))
    for family in FAMILIES:
        took: list[Measured] = []
        for subject in every:
            if subject.family == family:
                last = run(subject, "auto", times)
                took.append(last)
                if family in GROWING:
                    yield _row(f"{family}, {subject.name}: {last.how}", last.seconds, AIMS.get(subject.name, ""))
        if family not in GROWING:
            yield from _summed_up(family, took)
        yield Row(f"{family}: most memory", (max(m.megabytes for m in took),), "MiB")
    for family in COMPARED:
        yield from _alone(family, [subject for subject in every if subject.family == family])


def _summed_up(family: str, took: Sequence[Measured]) -> Iterator[Row]:
    middle = statistics.median(m.seconds for m in took)
    worst = max(took, key=lambda m: m.seconds)
    decided = sum(m.is_decided for m in took)
    yield _row(f"{family}, {decided} of {len(took)} decided: median", middle, MEDIANS.get(family, ""))
    yield _row(f"{family}: longest, {worst.subject.name}, {worst.how}", worst.seconds, WORST.get(family, ""))


def _alone(family: str, found: Sequence[Subject]) -> Iterator[Row]:
    """What each engine decides by itself, and another tool beside it where it is installed."""
    for engine in ("bmc", "spacer", "predicate"):
        took = [run(subject, engine, 1, ALONE) for subject in found]
        decided = [m.seconds for m in took if m.is_decided]
        name = f"{family}, {engine} alone: {len(decided)} of {len(found)} decided within {ALONE} s, median of these"
        yield _row(name, statistics.median(decided or [float(ALONE)]))
        pairs = [(m.seconds, peer) for m in took if m.is_decided and (peer := _peer(m.subject)) is not None]
        if pairs:
            ratio = statistics.median(own / other for own, other in pairs)
            yield Row(f"{family}, {engine} against cbmc, {len(pairs)} errors: median", (ratio,), "times its time")


def _row(name: str, seconds: float, aim: str = "") -> Row:
    return Row(name, (seconds,), "s", aim)


def run(subject: Subject, engine: str, times: int, limit: int = LIMIT) -> Measured:
    """Runs of the command; a wrong verdict ends the benchmark."""
    words = [sys.executable, "-m", "stateglass", "check", *subject.words, "--format", "json"]
    words += ["--engine", engine, "--timeout", str(limit)]
    processes: list[Process] = []
    text = b""
    for _ in range(times):
        with tempfile.TemporaryFile() as out:
            processes.append(measured(words, out, 2 * LIMIT))
            out.seek(0)
            text = out.read()
    if not text:
        raise SystemExit(f"{' '.join(words)}: exit {processes[-1].status}")
    found = json.loads(text)["verdicts"][0]
    if found["verdict"] not in (subject.verdict, "inconclusive"):
        raise SystemExit(f"{subject.family}, {subject.name}: {found['verdict']}, which is wrong")
    return Measured(
        subject,
        statistics.median(p.processor for p in processes),
        statistics.median(p.seconds for p in processes),
        max(p.megabytes for p in processes),
        found["verdict"],
        found.get("engine") or "–",
        found.get("rounds", 0),
        found.get("predicates", 0),
    )


def _peer(subject: Subject) -> float | None:
    """The processor time of cbmc for the same error, by unwinding loops; what takes longer than we may is stopped."""
    if subject.family not in PROGRAMS or subject.code is None or subject.verdict != "violated" or not cbmc.is_there():
        return None
    words = [cbmc.CBMC, str(subject.code), "--unwind", str(UNWIND), "--no-unwinding-assertions"]
    return measured(words, limit=LIMIT).processor


if __name__ == "__main__":
    main()
