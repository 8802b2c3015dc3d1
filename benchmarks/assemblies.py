"""Times `stateglass assembly`: `python -m benchmarks.assemblies [--design NAME] [--times N]`.

Designs of the examples with all their claims, and chains of stations that pass parts on, with more and more of them
and more and more room in their queues: that nothing deadlocks, that a part gets to the end only if one was put in, and
that what a station counts is what it may count. States are those of the largest model on the way to an answer.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, final

from benchmarks.timing import Process, Row, measured

EXAMPLES: Final = Path(__file__).parent.parent / "examples"
LIMIT: Final = 300
"""So many seconds the command may take."""
STATIONS: Final = (2, 4, 8, 12)
ROOM: Final = (1, 2, 4, 8)
AIMS: Final = {"robot cell": "within 300 s", "robot cell, mended": "within 300 s"}
WRONG: Final = ("Claim3", "Claim5", "Claim6", "Wrong_", "Goes_on")
"""How the names of claims begin that do not hold: `Goes_on` holds of the mended cell only."""
STATION: Final = """
component station() {
    int held = 0;
    sink asynch put();
    source asynch out();
    threaded react S(put, out) {
        start -> idle {}
        idle -> busy { trigger ^put(); action held++; }
        busy -> idle { action { ^out(); held--; } }
    }
    annotate S {"comfort", const string Counts = "G([held >= 0] & [held <= 1])"}
}
"""


@final
@dataclass(frozen=True, slots=True)
class Design:
    """A design, how much room its queues have, and which of its claims do not hold."""

    name: str
    path: Path
    room: int = 2
    wrong: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took, and what it found."""

    process: Process
    claims: int
    decided: int
    states: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assemblies", description=__doc__)
    parser.add_argument("--design", action="append", help="only those with this in their names; may be repeated")
    parser.add_argument("--times", type=int, default=1, help="how often each is measured; the best counts")
    options = parser.parse_args()
    print(f"{'design':<28} {'decided':>9} {'largest model':>20} {'processor':>11} {'wall':>9} {'memory':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for design in designs(Path(folder)):
            if options.design and not any(name in design.name for name in options.design):
                continue
            took = min((run(design) for _ in range(options.times)), key=lambda took: took.process.processor)
            told = f"{design.name:<28} {took.decided:>3} of {took.claims:<2} {took.states:>13,} states"
            process = took.process
            print(f"{told} {process.processor:>9.1f} s {process.seconds:>7.1f} s {process.megabytes:>6.0f} MiB")


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Each design: processor time, the largest model, and of the large ones the memory."""
    for design in designs(folder):
        took = [run(design) for _ in range(times)]
        name = f"{design.name}, {took[0].decided} of {took[0].claims} claims decided"
        yield Row(f"{name}: processor", tuple(t.process.processor for t in took), "s", AIMS.get(design.name, ""))
        yield Row(f"{design.name}: largest model", (took[0].states,), "states")
        if design.name in AIMS:
            yield Row(f"{design.name}: memory", tuple(t.process.megabytes for t in took), "MiB")


def designs(folder: Path) -> Iterator[Design]:
    cell = EXAMPLES / "robot_cell"
    yield Design("seven reactions", EXAMPLES / "seven_reactions" / "seven.ccl")
    yield Design("store", EXAMPLES / "store" / "store.ccl", wrong=WRONG[:3])
    yield Design("robot cell", cell / "cell.ccl", wrong=WRONG[3:])
    yield Design("robot cell, mended", cell / "cell_mended.ccl", wrong=WRONG[3:4])
    for stations in STATIONS:
        yield Design(f"chain of {stations}, queues of 2", _chain(folder, stations))
    for room in ROOM:
        yield Design(f"chain of 4, queues of {room}", _chain(folder, 4), room)


def _chain(folder: Path, stations: int) -> Path:
    """So many stations, each of which passes on to the next one what comes to it."""
    names = [f"s{number}" for number in range(stations)]
    lines = [f"    station {name}();" for name in names]
    lines += [f"    {one}:out ~> {other}:put;" for one, other in pairwise(names)]
    lines.append(f"    expose {{ {names[0]}:put, {names[-1]}:out }};")
    claim = f"!{names[-1]}.^out W {names[0]}.^put"
    lines.append(f'    annotate chain {{"comfort", const string First_in = "{claim}"}}')
    path = folder / f"chain_{stations}.ccl"
    path.write_text("\n".join([STATION, "assembly chain {", *lines, "}", ""]), encoding="utf-8")
    return path


def run(design: Design) -> Measured:
    """One run of the command; a wrong verdict ends the benchmark."""
    words = [sys.executable, "-m", "stateglass", "assembly", str(design.path), "--queue", str(design.room)]
    words += ["--format", "json", "--timeout", str(LIMIT)]
    with tempfile.TemporaryFile() as out:
        process = measured(words, out, 2 * LIMIT)
        out.seek(0)
        text = out.read()
    if not text:
        raise SystemExit(f"{' '.join(words)}: exit {process.status}")
    report = json.loads(text)
    verdicts = report["verdicts"]
    for one in verdicts:
        is_wrong = one["claim"].rpartition(".")[2].startswith(design.wrong)
        if one["verdict"] not in ("violated" if is_wrong else "holds", "inconclusive"):
            raise SystemExit(f"{design.name}: {one['claim']} is {one['verdict']}, which is wrong")
    decided = sum(one["verdict"] != "inconclusive" for one in verdicts)
    return Measured(process, len(verdicts), decided, report["model"]["states"])


if __name__ == "__main__":
    main()
