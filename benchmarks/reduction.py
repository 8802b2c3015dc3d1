"""Times `stateglass reduce` on families of growing models: `python -m benchmarks.reduction [--most N]`.

Each run is a new process that reads a file, reduces and writes a file. Where mCRL2's `ltsconvert` is on the PATH it
gets the same files.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.families import FAMILIES
from benchmarks.plot import Curve, plot
from benchmarks.timing import Process, Row, best, checked, measured

OTHER: Final = "ltsconvert"
# What each is called there.
EQUIVALENCES: Final = {"strong": "bisim", "branching": "branching-bisim", "dpbranching": "dpbranching-bisim"}
LEAST: Final = 10_000


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
        words = _reduce(path, by, folder)
        took = [checked(words, measured(words)) for _ in range(times)]
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
            best(_reduce(path, by, folder), 1)


def _write(family: str, size: int, path: Path) -> tuple[int, int]:
    """Writes a model; returns the numbers of its states and transitions."""
    subprocess.run([sys.executable, "-m", "benchmarks.families", family, str(size), str(path)], check=True)
    with path.open() as file:
        _, transitions, states = file.readline().strip("des ()\n").split(",")
    return int(states), int(transitions)


def _reduce(path: Path, by: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "stateglass", "reduce", str(path), "--by", by, "-o", str(folder / "ours.aut")]


def _figures(process: Process) -> str:
    return f"{process.seconds:>6.2f} s {process.processor:>6.2f} s {process.megabytes:>6,.0f} MB"


if __name__ == "__main__":
    main()
