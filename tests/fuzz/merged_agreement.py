"""Functions of random programs, run for all inputs at once, against the reference on random valuations.

`python -m tests.fuzz.merged_agreement --help` explains the options. The exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from stateglass.program import Program
from tests.explore.merged import Disagreement, compare, run_merged
from tests.fuzz.agreement import files_of_seed, read
from tests.fuzz.risky import risky

SIZE = 25
VALUATIONS = 8
LIMITS = {"unroll": 4, "max_depth": 2, "max_blocks": 400}
"""Generated functions call each other much: what is beyond these limits is not compared."""


def compare_seed(seed: int, folder: Path, size: int = SIZE, *, wide: bool = False) -> tuple[Counter[str], list[str]]:
    """What was seen of the functions of one program, and where the runs differ."""
    return compare_program(read(files_of_seed(seed, size, wide=wide), folder), seed)


def compare_risky(seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """The same for a program that is careless with pointers."""
    return compare_program(read({"risky.c": risky(seed)}, folder), seed)


def compare_program(program: Program, seed: int) -> tuple[Counter[str], list[str]]:
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for name in program.own_functions:
        if program.functions[name].span.in_library:
            continue
        try:
            seen += compare(run_merged(program, name, **LIMITS), VALUATIONS, seed)
        except Disagreement as difference:
            wrong.append(str(difference))
    return seen, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--risky", action="store_true", help="programs that are careless with pointers")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = 0
    for number, seed in enumerate(range(options.seed, options.seed + options.programs), 1):
        with tempfile.TemporaryDirectory() as folder:
            if options.risky:
                seen, wrong = compare_risky(seed, Path(folder))
            else:
                seen, wrong = compare_seed(seed, Path(folder), wide=seed % 2 == 0)
        total += seen
        failed += bool(wrong)
        for difference in wrong:
            print(f"seed {seed}: {difference}", flush=True)
        if number % 50 == 0:
            print(f"{number} of {options.programs} programs, {failed} with differences", flush=True)
    print(f"{options.programs} programs, {failed} with differences; runs: {dict(total.most_common())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
