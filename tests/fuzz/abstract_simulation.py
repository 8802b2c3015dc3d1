"""Every exact run is a run of the abstract model: random programs under random abstraction and label maps.

`python -m tests.fuzz.abstract_simulation --help` explains the options.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.fuzz.agreement import read
from tests.fuzz.planted import plant
from tests.fuzz.random_maps import random_abstractions, random_labels
from tests.fuzz.risky import risky
from tests.fuzz.simulation import Outcome, Simulation
from tests.generator import generate, generate_wide

SIZE: Final = 14


def follow(seed: int, size: int = SIZE) -> Outcome:
    """The program of a seed, of all of C for every second one; every third has a label map."""
    files = (generate_wide(seed, size) if seed % 2 == 0 else generate(seed, size)).files
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        program = read(files, Path(folder))
        labels = random_labels(program, chance) if seed % 3 == 0 else None
    return Simulation(program, random_abstractions(program, chance), labels, chance).follow()


def follow_error(seed: int) -> Outcome:
    """The program with the planted error of a seed, which must be among those that the abstract values leave open."""
    planted, chance = plant(seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        program = read({"planted.c": planted.text}, Path(folder))
    found = Simulation(program, random_abstractions(program, chance), None, chance, errors=True).follow()
    return replace(found, lost=found.what != f"error({planted.kind})")


def follow_risky(seed: int) -> Outcome:
    """A program that is careless with pointers: however its run ends, the abstract one may end so as well."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        program = read({"risky.c": risky(seed)}, Path(folder))
    return Simulation(program, random_abstractions(program, chance), None, chance, errors=True).follow()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600.0, help="begin no program after that")
    parser.add_argument("--errors", action="store_true", help="programs with a planted error each")
    parser.add_argument("--risky", action="store_true", help="programs that are careless with pointers")
    options = parser.parse_args()
    follow_seed = follow_error if options.errors else follow_risky if options.risky else follow
    begin = time.monotonic()
    counts: Counter[str] = Counter()
    lost = steps = 0
    seed = options.seed
    while seed < options.seed + options.programs and time.monotonic() - begin < options.seconds:
        outcome = follow_seed(seed)
        counts["lost" if outcome.lost else outcome.what] += 1
        steps += outcome.steps
        if outcome.lost:
            lost += 1
            print(f"seed {seed}: {outcome.what}", flush=True)
        seed += 1
    print(f"{seed - options.seed} programs, {steps:,} steps: {dict(counts)}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
