"""Times `stateglass compare` on large models: `python -m benchmarks.comparison [--most N] [--by RELATION]`.

A model is compared with itself under other numbers of its states, and with one that does one thing more in one random
state. Each run is a new process that reads two files; what takes longer than `--limit` is stopped.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.families import FAMILIES
from benchmarks.timing import Process, Row, checked, measured
from stateglass.formats import write_model
from stateglass.model import Model
from stateglass.model.builder import canonical_columns
from stateglass.operations.comparing import NAMES_OF_RELATIONS

ANSWERS: Final = {0: "related", 1: "not related", 3: "inconclusive"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison", description=__doc__)
    parser.add_argument("--most", type=int, default=1_000_000, help="transitions of the models")
    parser.add_argument("--family", action="append", choices=list(FAMILIES), help="only this family; may be repeated")
    parser.add_argument("--by", action="append", choices=NAMES_OF_RELATIONS, help="only this; may be repeated")
    parser.add_argument("--explain", default="0", help="seconds that may go into reasons for a difference")
    parser.add_argument("--limit", type=float, default=300, help="seconds after which a run is stopped")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{'family':<9} {'by':<19} {'with':<8} {'answer':<13} {'wall':>10} {'cpu':>10} {'memory':>10}")
        for family in arguments.family or FAMILIES:
            files = written(FAMILIES[family](arguments.most), folder)
            for by in arguments.by or NAMES_OF_RELATIONS:
                for other in ("itself", "more"):
                    words = [sys.executable, "-m", "stateglass", "compare", files["model"], files[other], "--by", by]
                    words += ["--explain", arguments.explain]
                    print(f"{family:<9} {by:<19} {other:<8} {told(words, arguments.limit)}", flush=True)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """A random model of a hundred thousand states: beside itself, and beside one that does one thing more."""
    files = written(FAMILIES["random"](500_000), folder)
    for by in ("strong", "branching", "weak", "trace", "weaktrace"):
        for other in ("itself", "more"):
            words = [sys.executable, "-m", "stateglass", "compare", files["model"], files[other], "--by", by]
            took = [compared([*words, "--explain", "0"], 120) for _ in range(times)]
            yield Row(f"{by}, with {other}: {answer(took[0])}", tuple(t.seconds for t in took), "s")


def written(model: Model, folder: Path) -> dict[str, str]:
    """The files that are compared, by what they are to the model."""
    models = {"model": model, "itself": renumbered(model), "more": doing_more(model)}
    files = {name: str(folder / f"{name}.aut") for name in models}
    for name, written_model in models.items():
        write_model(written_model, files[name])
    return files


def renumbered(model: Model) -> Model:
    numbers = np.random.default_rng(2).permutation(model.states).astype(np.int32)
    sources, actions, targets = canonical_columns(numbers[model.sources], model.actions, numbers[model.targets])
    ends = None if model.terminal is None else model.terminal[np.argsort(numbers)]
    initial = int(numbers[model.initial])
    return replace(model, initial=initial, sources=sources, actions=actions, targets=targets, terminal=ends)


def doing_more(model: Model) -> Model:
    state = int(np.random.default_rng(3).integers(model.states))
    old, new = (model.sources, model.actions, model.targets), (state, len(model.labels), state)
    columns = [np.append(column, np.int32(number)) for column, number in zip(old, new, strict=True)]
    sources, actions, targets = canonical_columns(*columns)
    return replace(model, labels=(*model.labels, "more"), sources=sources, actions=actions, targets=targets)


def compared(words: Sequence[str], limit: float) -> Process:
    return checked(words, measured(words, limit=limit), {*ANSWERS, -signal.SIGKILL})


def answer(process: Process) -> str:
    return ANSWERS.get(process.status, "stopped")


def told(words: Sequence[str], limit: float) -> str:
    process = compared(words, limit)
    return f"{answer(process):<13} {process.seconds:>8.2f} s {process.processor:>8.2f} s {process.megabytes:>7,.0f} MB"


if __name__ == "__main__":
    main()
