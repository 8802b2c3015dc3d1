"""Times `stateglass reduce` on families of growing models: `python -m benchmarks.reduction [--most N]`.

Each run is a new process that reads a file, reduces and writes a file. Where mCRL2's `ltsconvert` is on the PATH it
gets the same files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.families import FAMILIES
from benchmarks.plot import Curve, plot
from benchmarks.timing import Row

OTHER: Final = "ltsconvert"
# What each is called there.
EQUIVALENCES: Final = {"strong": "bisim", "branching": "branching-bisim", "dpbranching": "dpbranching-bisim"}
LEAST: Final = 10_000


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What one process took: wall time, processor time, and its peak of memory."""

    seconds: float
    processor: float
    megabytes: float


def measure(words: Sequence[str]) -> Measured:
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)}: exit {process.returncode}")
    # Linux counts kilobytes, macOS bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Measured(took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def best(words: Sequence[str], times: int) -> Measured:
    return min((measure(words) for _ in range(times)), key=lambda measured: measured.seconds)


AIMS: Final = (
    ("random", 5_000_000, "strong", "5 s"),
    ("random", 5_000_000, "branching", "8 s"),
    ("random", 5_000_000, "dpbranching", "9 s"),
    ("grid", 5_940_000, "strong", "2 s"),
)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """The models of a million states."""
    warm_up(folder, ["random", "grid"])
    for family, size, by, aim in AIMS:
        path = folder / f"{family}.aut"
        if not path.exists():
            _write(family, size, path)
        took = [measure(_reduce(path, by, folder)) for _ in range(times)]
        yield Row(f"{family}, {size:,} transitions, {by}", tuple(t.seconds for t in took), "s", aim)
        yield Row(f"{family}, {size:,} transitions, {by}: memory", tuple(t.megabytes for t in took), "MiB")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reduction", description=__doc__)
    parser.add_argument("--most", type=int, default=1_000_000, help="transitions of the largest models")
    parser.add_argument("--times", type=int, default=2, help="how often each is measured; the best counts")
    parser.add_argument("--family", action="append", choices=list(FAMILIES), help="only this family; may be repeated")
    parser.add_argument("--plot", type=Path, default=Path("build/reduction.svg"), help="where the picture goes")
    arguments = parser.parse_args()
    sizes = [LEAST * 10**i for i in range(9) if LEAST * 10**i <= arguments.most]
    if arguments.most not in sizes:
        sizes.append(arguments.most)
    other = shutil.which(OTHER)
    curves: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        families = arguments.family or list(FAMILIES)
        warm_up(folder, families)
        heading = f"{'family':<9} {'by':<12} {'states':>10} {'transitions':>12} {'wall':>8} {'cpu':>8} {'memory':>9}"
        print(heading + (f" {OTHER:>12} {'memory':>9} {'ratio':>7}" if other else f"   ({OTHER} is not on the PATH)"))
        for family in families:
            for size in sizes:
                path = folder / "model.aut"
                states, transitions = _write(family, size, path)
                for by, theirs in EQUIVALENCES.items():
                    ours = best(_reduce(path, by, folder), arguments.times)
                    curves.setdefault((family, by), []).append((transitions, ours.seconds))
                    row = f"{family:<9} {by:<12} {states:>10,} {transitions:>12,} {_figures(ours)}"
                    if other:
                        words = [other, "--equivalence=" + theirs, str(path), str(folder / "theirs.aut")]
                        found = best(words, arguments.times)
                        row += f" {found.seconds:>10.2f} s {found.megabytes:>6,.0f} MB"
                        row += f" {found.seconds / ours.seconds:>6.1f}×"
                    print(row, flush=True)
    arguments.plot.parent.mkdir(parents=True, exist_ok=True)
    shown = [Curve(f"{family}, {by}", tuple(points)) for (family, by), points in curves.items()]
    arguments.plot.write_text(plot(shown, "transitions", "seconds, file to file"), encoding="utf-8")
    print(f"the growth is drawn in {arguments.plot}")


def warm_up(folder: Path, families: Sequence[str]) -> None:
    """Lets every loop be compiled once: that is paid for on the first use of a release, not on each."""
    path = folder / "model.aut"
    for family in families:
        _write(family, 200_000, path)
        for by in EQUIVALENCES:
            measure(_reduce(path, by, folder))


def _write(family: str, size: int, path: Path) -> tuple[int, int]:
    """Writes a model; returns the numbers of its states and transitions."""
    subprocess.run([sys.executable, "-m", "benchmarks.families", family, str(size), str(path)], check=True)
    with path.open() as file:
        _, transitions, states = file.readline().strip("des ()\n").split(",")
    return int(states), int(transitions)


def _reduce(path: Path, by: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "stateglass", "reduce", str(path), "--by", by, "-o", str(folder / "ours.aut")]


def _figures(measured: Measured) -> str:
    return f"{measured.seconds:>6.2f} s {measured.processor:>6.2f} s {measured.megabytes:>6,.0f} MB"


if __name__ == "__main__":
    main()
