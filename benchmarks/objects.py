"""Times what is done with the adapter in `examples/`, from its files to the answer: `python -m benchmarks.objects`.

Each command is a new process. Every step of the code is kept; the model is reduced, gets the names of the state
diagram, and is compared with it.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.timing import Process, Row, checked, measured

ADAPTER: Final = Path(__file__).parent.parent / "examples" / "adapter"
_LABELS: Final = {
    "extract": "the adapter, reading and exploring with every step",
    "reduce": "the adapter, reduced by dpbranching",
    "transform": "the adapter, and its diagram, with the same names",
    "compare": "the adapter, weak traces within those of its diagram",
}


def commands(folder: Path) -> list[list[str]]:
    whole, small, seen, diagram = (str(folder / f"{name}.sg") for name in ("whole", "small", "seen", "diagram"))
    view = shlex.split((ADAPTER / "protocol.view").read_text(encoding="utf-8"))
    return [
        ["extract", "--project", str(ADAPTER / "adapter.toml"), "--steps", "all", "-o", whole],
        ["reduce", whole, "--by", "dpbranching", "-o", small],
        ["transform", small, *view, "-o", seen],
        ["transform", str(ADAPTER / "protocol.puml"), "--statechart", "-o", diagram],
        ["compare", seen, diagram, "--by", "weaktraceinclusion"],
    ]


def once(folder: Path) -> dict[str, list[Process]]:
    """All commands one after the other, by their verbs."""
    took: dict[str, list[Process]] = {}
    for words in commands(folder):
        whole = [sys.executable, "-m", "stateglass", *words]
        took.setdefault(words[0], []).append(checked(whole, measured(whole)))
    return took


def figures(folder: Path, times: int) -> Iterator[Row]:
    once(folder)  # loops are compiled
    runs = [once(folder) for _ in range(times)]
    for verb, label in _LABELS.items():
        yield Row(label, tuple(_processor(run[verb]) for run in runs), "s")
    every = [[process for processes in run.values() for process in processes] for run in runs]
    yield Row("the adapter, from its files to the answer, processor", tuple(map(_processor, every)), "s", "under 10 s")
    yield Row("the adapter, memory", tuple(max(p.megabytes for p in run) for run in every), "MiB")


def _processor(processes: Sequence[Process]) -> float:
    return sum(process.processor for process in processes)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.objects", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often each is measured")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for row in figures(Path(folder), arguments.times):
            print(row, flush=True)


if __name__ == "__main__":
    main()
