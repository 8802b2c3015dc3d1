"""Functions of random programs, run for all inputs at once, against the reference on random valuations.

`python -m tests.fuzz.merged_agreement --help` explains the options. The exit status is 1 if they differ.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from stateglass.program import Program
from tests.explore.merged import Disagreement, compare, run_merged
from tests.fuzz.agreement import files_of_seed, read
from tests.fuzz.risky import risky
from tests.fuzz.seeds import parser_of, run

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
    parser = parser_of(__doc__, 200)
    parser.add_argument("--risky", action="store_true", help="programs that are careless with pointers")
    options = parser.parse_args()
    if options.risky:
        return run(options, compare_risky)
    return run(options, lambda seed, folder: compare_seed(seed, folder, wide=seed % 2 == 0))


if __name__ == "__main__":
    sys.exit(main())
