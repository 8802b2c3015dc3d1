"""Random C programs: our semantics against gcc's. `python -m tests.fuzz.gcc_agreement --help` explains the options.

Half of them are of the core of C, the other half, of the same seeds, have all of it. A program on which the two differ
is kept, as generated and shrunk, and the exit status is 1.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzz.agreement import EXPLORED_EVERY, SIZE, Difference, compare_seed, files_of_seed
from tests.fuzz.campaign import CHUNK, REPORT_EVERY, keep, read_options
from tests.generator.gcc import gcc_available

PROGRAMS: Final = 3000


class Origin(NamedTuple):
    """Which generated program it is."""

    seed: int
    wide: bool

    def __str__(self) -> str:
        return f"{'wide' if self.wide else 'core'}-{self.seed}"


def main() -> int:
    options = read_options("Random programs: our semantics against gcc's.", PROGRAMS, SIZE)
    if not gcc_available():
        print("gcc is not installed: nothing can be compared", file=sys.stderr)
        return 5
    seeds = range(options.seed, options.seed + (options.programs + 1) // 2)
    origins = [Origin(seed, wide) for seed in seeds for wide in (False, True)][: options.programs]
    found: dict[Origin, Difference] = {}
    context = get_context("spawn")  # a child must not inherit clang's threads and locks half-way
    with ProcessPoolExecutor(options.processes, context) as pool:
        results = pool.map(partial(_one, size=options.size), origins, chunksize=CHUNK)
        for done, (origin, difference) in enumerate(zip(origins, results, strict=True), 1):
            if difference is not None:
                found[origin] = difference
                print(f"{origin}: {difference.what}", flush=True)
            if done % REPORT_EVERY == 0:
                print(f"{done} of {len(origins)} programs, {len(found)} disagreements", flush=True)
    keep(found, Path(options.keep), shrinking=not options.no_shrink)
    explored = sum(origin.seed % EXPLORED_EVERY == 0 for origin in origins)
    wide = sum(origin.wide for origin in origins)
    print(
        f"{len(origins)} programs (seeds {seeds.start} to {seeds.stop - 1}, size {options.size}; {wide} of them with"
        f" all of C, {explored} of them explored, too), {len(found)} disagreements with gcc"
    )
    return 1 if found else 0


def _one(origin: Origin, size: int) -> Difference | None:
    seed, wide = origin
    with tempfile.TemporaryDirectory() as folder:
        try:
            return compare_seed(seed, Path(folder), size, wide=wide)
        except Exception as error:  # one failure must not cost the answers for all other seeds
            return Difference(files_of_seed(seed, size, wide=wide), f"our failure: {type(error).__name__}: {error}")


if __name__ == "__main__":
    sys.exit(main())
