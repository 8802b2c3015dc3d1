"""Times `stateglass reflect` on functions as large as published ones: `python -m benchmarks.reflexion [--row NAME]`.

Each run is a new process that reads the file, takes the ranges of all state variables as states and finds every
transition; once more with the condition of each. Where `cbmc` is on the PATH, the published method runs beside it:
one run for each state before the call, with an assertion for each state after it; of many states a few are run, and
the time of all is estimated from these.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from benchmarks.state_functions import ROWS, Row, product_states, state_function
from benchmarks.timing import Process, checked, measured
from benchmarks.timing import Row as Figures
from scripts import cbmc
from stateglass.frontend import read_program
from stateglass.reflexion.candidates import scan

SAMPLE: Final = 3
"""So many states are run through cbmc."""


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took, and what it found."""

    process: Process
    states: int
    transitions: int
    conditions: int  # that are exact


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reflexion", description=__doc__)
    parser.add_argument("--row", action="append", choices=[r.name for r in ROWS], help="only this one; may be repeated")
    parser.add_argument("--times", type=int, default=2, help="how often each is measured; the best counts")
    arguments = parser.parse_args()
    other = cbmc.is_there()
    tail = f" {'cbmc':>10} {'ratio':>8}" if other else f"   ({cbmc.CBMC} is not on the PATH)"
    print(
        f"{'name':<5} {'lines':>6} {'states':>7} {'transitions':>12} {'wall':>8} {'cpu':>8} {'memory':>9}"
        f" {'conditions':>11} {'wall':>8} {'cpu':>8}{tail}"
    )
    with tempfile.TemporaryDirectory() as name:
        for row in ROWS:
            if arguments.row and row.name not in arguments.row:
                continue
            path = Path(name) / f"{row.name.lower()}.c"
            path.write_text(state_function(row), encoding="utf-8")
            states = _states(path, row)
            times = range(arguments.times)
            ours = min((_run(path, row, states, "--conditions", "0") for _ in times), key=lambda m: m.process.seconds)
            whole = min((_run(path, row, states) for _ in times), key=lambda m: m.process.seconds)
            lines = len(path.read_text(encoding="utf-8").splitlines())
            told = f"{row.name:<5} {lines:>6} {ours.states:>7} {ours.transitions:>12} {ours.process.seconds:>6.2f} s"
            told += f" {ours.process.processor:>6.2f} s {ours.process.megabytes:>6.0f} MB"
            told += f" {whole.conditions:>11} {whole.process.seconds:>6.2f} s {whole.process.processor:>6.2f} s"
            if other:
                theirs = _by_cbmc(path, row)
                told += f" {theirs:>8.1f} s {theirs / ours.process.seconds:>8.1f}"
            print(told, flush=True)


AIMS: Final = {"SPD": "15 s", "HCR": "3 s"}
OTHER_AIM: Final = "3 s"


def figures(folder: Path, times: int) -> Iterator[Figures]:
    """All functions, without and with the conditions of all transitions."""
    for row in ROWS:
        path = folder / f"{row.name.lower()}.c"
        path.write_text(state_function(row), encoding="utf-8")
        states = _states(path, row)
        for what, options in (("transitions", ("--conditions", "0")), ("and their conditions", ())):
            took = [_run(path, row, states, *options) for _ in range(times)]
            name = f"{row.name}, {took[0].states} states: {took[0].transitions} transitions"
            name = name if what == "transitions" else f"{row.name}: {what}, {took[0].conditions} exact"
            yield Figures(name, tuple(t.process.seconds for t in took), "s", AIMS.get(row.name, OTHER_AIM))


def _variables(path: Path, row: Row) -> list[str]:
    found = scan(read_program((str(path),)).program, (row.name.lower(),))
    return [c.name for c in found.candidates if c.written and c.invariants]


def _states(path: Path, row: Row) -> str:
    return ",".join(_variables(path, row))


def _run(path: Path, row: Row, states: str, *more: str) -> Measured:
    words = [sys.executable, "-m", "stateglass", "reflect", str(path), "--function", row.name.lower()]
    words += ["--states", states, "--format", "json", *more]
    with tempfile.TemporaryFile() as out:
        process = checked(words, measured(words, out), (0, 1))
        out.seek(0)
        found = json.load(out)
    exact = sum(e["condition"] is not None and e["condition"]["exact"] for e in found["edges"])
    return Measured(process, len(found["states"]), len(found["edges"]), exact)


def _by_cbmc(path: Path, row: Row) -> float:
    """The estimated time for all states, from that for some."""
    program = read_program((str(path),)).program
    states = product_states(program, row.name.lower(), _variables(path, row))
    text = path.read_text(encoding="utf-8")
    parameters = len(program.functions[row.name.lower()].parameters)
    some = random.Random(row.name).sample(states, min(SAMPLE, len(states)))
    file = path.with_name("cbmc.c")
    chosen = [f"int16_t a{n};" for n in range(parameters)]
    call = f"{row.name.lower()}({', '.join(f'a{n}' for n in range(parameters))});"
    checks = [f'__CPROVER_assert(!({after}), "{n}");' for n, (_, after) in enumerate(states)]
    begin = time.perf_counter()
    for _, before in some:
        file.write_text(cbmc.harness(text, chosen, [before], call, checks), encoding="utf-8")
        cbmc.run(file, "--no-standard-checks")
    return (time.perf_counter() - begin) / len(some) * len(states)


if __name__ == "__main__":
    main()
