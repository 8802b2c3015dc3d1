"""Times `stateglass diff` on large models: `python -m benchmarks.changing [--side N]`.

Three counters, each with as many values as a side of a cube has. In the changed version one of them starts again
earlier, if the others have certain values. As single steps, and as calls that return.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.timing import Process, Row, checked, measured
from stateglass.formats import write_model
from stateglass.model import STABLE, Model, Proposition, Sort
from stateglass.model.builder import canonical_columns

SIDE: Final = 47
"""47³ states are a little more than a hundred thousand."""
NAMES: Final = ("x", "y", "z")
Column = npt.NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.changing", description=__doc__)
    parser.add_argument("--side", type=int, default=SIDE, help="values of each of the three counters")
    with tempfile.TemporaryDirectory() as name:
        for row in measured_rows(Path(name), 1, parser.parse_args().side):
            print(row, flush=True)


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Models of a hundred thousand states: the same, and one that changed."""
    yield from measured_rows(folder, times, SIDE)


def measured_rows(folder: Path, times: int, side: int) -> Iterator[Row]:
    for kind in ("steps", "calls"):
        files = {}
        for version in ("old", "same", "changed"):
            model = counters(side, changed=version == "changed")
            files[version] = str(folder / f"{kind}-{version}.sg")
            write_model(model if kind == "steps" else with_calls(model), files[version])
        for other in ("same", "changed"):
            words = [sys.executable, "-m", "stateglass", "diff", files["old"], files[other]]
            status = 1 if other == "changed" else 0
            took: list[Process] = [checked(words, measured(words, limit=120), (status,)) for _ in range(times)]
            yield Row(f"{kind}, {other}, processor", tuple(t.processor for t in took), "s", "under 10 s")


def counters(side: int, *, changed: bool) -> Model:
    """A cube of states: each action counts one of three variables up, from its end to the start."""
    cells = np.arange(side**3)
    values = [cells // side**2, cells // side % side, cells % side]
    targets = []
    for axis in range(3):
        after = (values[axis] + 1) % side
        if changed and axis == 0:
            early = (values[0] >= side // 2) & (values[1] == side // 3) & (values[2] > side // 2)
            after = np.where(early, 0, after)
        targets.append(cells + (after - values[axis]) * side ** (2 - axis))
    sources, actions, ends = canonical_columns(
        np.tile(cells, 3).astype(np.int32), np.repeat(np.arange(3), len(cells)).astype(np.int32), _joined(targets)
    )
    propositions = tuple(
        Proposition(name, Sort.INT, column.astype(np.int64)) for name, column in zip(NAMES, values, strict=True)
    )
    labels = tuple(f"call({name})" for name in NAMES)
    return Model(len(cells), 0, sources, actions, ends, labels, propositions)


def _joined(targets: list[Column]) -> npt.NDArray[np.int32]:
    return np.concatenate(targets).astype(np.int32)


def with_calls(model: Model) -> Model:
    """Each step as a call and a return, with a state in between; every state's calls end in states of their own."""
    between = model.states + np.arange(model.transitions)
    sources, actions, targets = canonical_columns(
        np.concatenate([model.sources, between]).astype(np.int32),
        np.concatenate([model.actions, model.actions + len(model.labels)]).astype(np.int32),
        np.concatenate([between, model.targets]).astype(np.int32),
    )
    states = model.states + model.transitions
    stable = Proposition(STABLE, Sort.BOOL, (np.arange(states) < model.states).astype(np.int64))
    after = np.concatenate([np.arange(model.states), model.targets])
    propositions = (stable, *(Proposition(p.name, p.sort, p.values[after]) for p in model.propositions))
    labels = (*model.labels, *(f"return({name})" for name in NAMES))
    return Model(states, model.initial, sources, actions, targets, labels, propositions)


if __name__ == "__main__":
    main()
