"""Random C++ programs: our semantics against those of g++. `python -m tests.fuzz.cplusplus_agreement --help`.

A program on which the two differ is kept, as generated and shrunk, and the exit status is 1; so it is if we refuse a
part of a program, which is counted apart.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.fuzz.agreement import EXPLORED_EVERY, Difference, compare
from tests.fuzz.campaign import CHUNK, REPORT_EVERY, keep, read_options
from tests.generator.cplusplus import generate_cplusplus
from tests.generator.gcc import gxx_available

PROGRAMS: Final = 2000
SIZE: Final = 30
OPEN_EVERY: Final = 4
"""Of so many programs one does things in an order that C++ leaves open: we have that of g++."""


def compare_seed(seed: int, folder: Path, size: int = SIZE, *, open_orders: bool = False) -> Difference | None:
    """The comparison for the program of a seed."""
    files = generate_cplusplus(seed, size, open_orders=open_orders).files
    return compare(files, folder, explored=seed % EXPLORED_EVERY == 0)


def main() -> int:
    options = read_options("Random C++ programs: our semantics against those of g++.", PROGRAMS, SIZE)
    if not gxx_available():
        print("g++ is not installed: nothing can be compared", file=sys.stderr)
        return 5
    seeds = range(options.seed, options.seed + options.programs)
    found: dict[str, Difference] = {}
    context = get_context("spawn")  # a child must not inherit clang's threads and locks half-way
    with ProcessPoolExecutor(options.processes, context) as pool:
        results = pool.map(partial(_one, size=options.size), seeds, chunksize=CHUNK)
        for done, (seed, difference) in enumerate(zip(seeds, results, strict=True), 1):
            if difference is not None:
                found[f"cplusplus-{seed}"] = difference
                print(f"{seed}: {difference.what}", flush=True)
            if done % REPORT_EVERY == 0:
                print(f"{done} of {len(seeds)} programs, {len(found)} disagreements", flush=True)
    keep(found, Path(options.keep), shrinking=not options.no_shrink)
    refused = sum("not supported:" in difference.what for difference in found.values())
    print(
        f"{len(seeds)} programs (seeds {seeds.start} to {seeds.stop - 1}, size {options.size}),"
        f" {len(found) - refused} disagreements with g++, {refused} refused in part"
    )
    return 1 if found else 0


def _one(seed: int, size: int) -> Difference | None:
    open_orders = seed % OPEN_EVERY == 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            return compare_seed(seed, Path(folder), size, open_orders=open_orders)
        except Exception as error:  # one failure must not cost the answers for all other seeds
            what = f"our failure: {type(error).__name__}: {error}"
            return Difference(generate_cplusplus(seed, size, open_orders=open_orders).files, what)


if __name__ == "__main__":
    sys.exit(main())
