"""Linear claims on models of growing size: `python -m benchmarks.checking_ltl [--most TRANSITIONS] [--times N]`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.families import counters, model_of, random_sparse
from benchmarks.timing import Row, peak_memory, repeat
from stateglass.check.ltl import decide_ltl
from stateglass.evidence import Verdict
from stateglass.logic import temporal as t
from stateglass.logic.claims import Fairness
from stateglass.model import TAU, Model


def layers(transitions: int) -> Model:
    """A ring of ten layers with five steps from each state into the next layer: every `a` is followed by a `b`."""
    dice = np.random.default_rng(1)
    wide = max(transitions // 50, 1)
    layer, place = np.divmod(np.repeat(np.arange(10 * wide), 5), wide)
    after = (layer + 1) % 10 * wide + dice.integers(0, wide, len(layer))
    # Layers 0 and 5 are left with the events, all others in silence.
    actions = np.select([layer == 0, layer == 5], [1, 2], 0)
    return model_of(10 * wide, layer * wide + place, actions, after, (TAU, "a", "b"))


def response(first: str, then: str) -> t.Formula:
    return t.Always(t.Implies(t.Happens(first), t.Eventually(t.Happens(then))))


def again(event: str) -> t.Formula:
    return t.Always(t.Eventually(t.Happens(event)))


CASES: Final[list[tuple[str, Callable[[int], Model], t.Formula, tuple[Fairness, ...], Verdict]]] = [
    ("a leads to b, ring of layers", layers, response("a", "b"), (), Verdict.HOLDS),
    ("a leads to b, random", random_sparse, response("a", "b"), (), Verdict.VIOLATED),
    ("wrap1 again and again, fair", counters, again("wrap1"), (Fairness("count1", False),), Verdict.VIOLATED),
    (
        "wrap1 again and again, strongly fair",
        counters,
        again("wrap1"),
        (Fairness("count1", True), Fairness("wrap1", True)),
        Verdict.HOLDS,
    ),
]


def decided(formula: t.Formula, fairness: tuple[Fairness, ...], model: Model, expected: Verdict) -> float:
    start = time.process_time()
    answer = decide_ltl(formula, fairness, model, title="measured")
    assert answer.verdict is expected
    return time.process_time() - start


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Ten million transitions."""
    return measured(10_000_000, times, least=10_000_000)


def measured(most: int, times: int, least: int = 10_000) -> Iterator[Row]:
    for name, family, formula, fairness, expected in CASES:
        size = least
        while size <= most:
            model = family(size)
            once = partial(decided, formula, fairness, model, expected)
            once()  # compiles the loops, or loads them
            promise = "within 15 s" if model.transitions > 9_000_000 and name.startswith("a leads") else ""
            yield Row(f"{name}, {model.transitions:,}", repeat(once, times), "s", promise)
            size *= 10
    yield peak_memory()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checking_ltl", description=__doc__)
    parser.add_argument("--most", type=int, default=10_000_000, help="transitions of the largest model")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured")
    options = parser.parse_args()
    for row in measured(options.most, options.times):
        print(row, flush=True)


if __name__ == "__main__":
    main()
