"""Branching and modal claims on models of growing size: `python -m benchmarks.checking [--most N] [--times N]`.

Processor time of the whole answer, evidence included, without compiling and making the model. Where mCRL2's `lts2pbes`
and `pbessolve` are on PATH, two modal formulas are also decided by them on 100,000 states and 500,000 transitions, and
the ratio is printed.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.families import chain, counters, grid, random_sparse
from benchmarks.timing import Row, peak_memory, repeat
from stateglass.check.deciding import decide
from stateglass.evidence import Verdict
from stateglass.formats import write_model
from stateglass.logic.claims import Claim
from stateglass.logic.reading import read_claim
from stateglass.model import TAU, Model, Proposition, Sort

CASES: Final[list[tuple[str, Callable[[int], Model], str, Verdict, str]]] = [
    ("AG EF start, random", random_sparse, "ctl: AG EF [start == 1]", Verdict.VIOLATED, "within 5 s"),
    ("AG EF start, grid", grid, "ctl: AG EF [start == 1]", Verdict.HOLDS, "within 5 s"),
    ("AG EF start, chain", chain, "ctl: AG EF [start == 1]", Verdict.VIOLATED, "within 5 s"),
    ("response by events, counters", counters, "ctl: AG(count1 => AF wrap1)", Verdict.VIOLATED, ""),
    ("no deadlock, grid", grid, "no-deadlock", Verdict.HOLDS, ""),
    ("mu, no deadlock, grid", grid, "mu: [true*]<true>true", Verdict.HOLDS, ""),
    ("mu, alternating, grid", grid, "mu: nu X. mu Y. (<up>X || <true>Y)", Verdict.HOLDS, ""),
]

COMPARED: Final = {
    "no deadlock": "[true*]<true>true",
    "response": "[true*.a](mu X. (<true>true && [!b]X))",
}


def with_start(model: Model) -> Model:
    """With a proposition that is 1 in the initial state and 0 elsewhere."""
    values = np.zeros(model.states, dtype=np.int64)
    values[model.initial] = 1
    return replace(model, propositions=(Proposition("start", Sort.INT, values),))


def processor_time(claim: Claim, model: Model, expected: Verdict | None) -> float:
    start = time.process_time()
    answer = decide(claim, model)
    took = time.process_time() - start
    assert expected in (None, answer.verdict), answer
    return took


def figures(folder: Path, times: int) -> Iterator[Row]:
    """Ten million transitions."""
    return growing(10_000_000, times, least=10_000_000)


def growing(most: int, times: int, least: int = 10_000) -> Iterator[Row]:
    for name, family, text, expected, promise in CASES:
        claim = read_claim(text)
        size = least
        while size <= most:
            model = with_start(family(size))
            processor_time(claim, model, expected)  # compiles the loops, or loads them
            figures = repeat(partial(processor_time, claim, model, None), times)
            yield Row(f"{name}, {model.transitions:,}", figures, "s", promise if size == 10_000_000 else "")
            size *= 10
    yield peak_memory()


def beside_mcrl2(folder: Path, times: int) -> Iterator[str]:
    """The same formulas in mCRL2; the time of its processes is that of their own processors, too."""
    model = random_sparse(500_000)
    write_model(model, str(folder / "model.aut"))
    events = ", ".join(label for label in model.labels if label != TAU)
    (folder / "actions.mcrl2").write_text(f"act {events};\n")
    for name, formula in COMPARED.items():
        claim = read_claim(f"mu: {formula}")
        processor_time(claim, model, None)
        own = min(repeat(partial(processor_time, claim, model, None), times))
        (folder / "formula.mcf").write_text(formula)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        words = ["lts2pbes", "-Dactions.mcrl2", "-fformula.mcf", "model.aut", "model.pbes"]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        said = subprocess.run(["pbessolve", "model.pbes"], cwd=folder, check=True, capture_output=True, text=True)
        theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        answer = decide(claim, model).verdict in (Verdict.HOLDS, Verdict.VACUOUS)
        assert ("true" in said.stdout) == answer, said.stdout
        yield f"{name}: {own:.3f} s here, {theirs:.2f} s in mCRL2, {theirs / own:,.0f} times as long (at least 30)"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checking", description=__doc__)
    parser.add_argument("--most", type=int, default=10_000_000, help="transitions of the largest model")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured")
    options = parser.parse_args()
    for row in growing(options.most, options.times):
        print(row, flush=True)
    if shutil.which("lts2pbes") is None or shutil.which("pbessolve") is None:
        print("mCRL2 is not on PATH: nothing to compare with")
        return
    with tempfile.TemporaryDirectory() as name:
        for line in beside_mcrl2(Path(name), options.times):
            print(line, flush=True)


if __name__ == "__main__":
    main()
