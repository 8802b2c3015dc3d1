"""Random programs: our semantics against gcc's. `python -m tests.fuzz.gcc_agreement --help` explains the options.

Half of them are of the core of C, the other half, of the same seeds, have all of it. A program on which the two differ
is kept, as generated and shrunk, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzz.agreement import EXPLORED_EVERY, SIZE, Difference, compare, compare_seed, files_of_seed, positive
from tests.generator.gcc import gcc_available
from tests.generator.shrink import shrink, well_defined

PROGRAMS: Final = 3000
KEPT: Final = "fuzz-disagreements"
MOST_SHRUNK: Final = 3
REPORT_EVERY: Final = 100
CHUNK: Final = 10


class Origin(NamedTuple):
    """Which generated program it is."""

    seed: int
    wide: bool

    def __str__(self) -> str:
        return f"{'wide' if self.wide else 'core'}-{self.seed}"


def main() -> int:
    options = _options()
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
    _keep(found, Path(options.keep), shrinking=not options.no_shrink)
    explored = sum(origin.seed % EXPLORED_EVERY == 0 for origin in origins)
    wide = sum(origin.wide for origin in origins)
    print(
        f"{len(origins)} programs (seeds {seeds.start} to {seeds.stop - 1}, size {options.size}; {wide} of them with"
        f" all of C, {explored} of them explored, too), {len(found)} disagreements with gcc"
    )
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random programs: our semantics against gcc's.")
    parser.add_argument("--programs", type=positive, default=PROGRAMS, help=f"how many (default: {PROGRAMS})")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one; the others count on from it")
    parser.add_argument("--size", type=int, default=SIZE, help=f"about how many statements each has (default: {SIZE})")
    parser.add_argument("--processes", type=positive, default=os.cpu_count(), help="default: one for each core")
    parser.add_argument("--keep", default=KEPT, help=f"the folder for programs that differ (default: {KEPT})")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for smaller programs that differ")
    return parser.parse_args()


def _one(origin: Origin, size: int) -> Difference | None:
    seed, wide = origin
    with tempfile.TemporaryDirectory() as folder:
        try:
            return compare_seed(seed, Path(folder), size, wide=wide)
        except Exception as error:  # one failure must not cost the answers for all other seeds
            return Difference(files_of_seed(seed, size, wide=wide), f"our failure: {type(error).__name__}: {error}")


def _keep(found: Mapping[Origin, Difference], folder: Path, *, shrinking: bool) -> None:
    """Writes the programs that differ; the first few also as small as they can be made."""
    for number, (origin, difference) in enumerate(found.items()):
        where = folder / str(origin)
        shutil.rmtree(where, ignore_errors=True)
        _write(difference.files, where)
        if shrinking and number < MOST_SHRUNK:
            small = shrink(difference.files, partial(_still_differs, kind=_kind(difference.what)))
            _write(small, where / "shrunk")
        print(f"{origin}: kept in {where}")


def _write(files: Mapping[str, str], folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _kind(what: str) -> str:
    """A difference without its particulars: shrinking must not stray from one mistake to another."""
    for mark in ("not read:", "our failure:", "not supported:", "error(", "still running"):
        if mark in what:
            return mark
    return "values"


def _still_differs(files: dict[str, str], kind: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            difference = compare(files, Path(folder), explored=True)
        except Exception as error:  # it may be just this failure that is made small
            difference = Difference(files, f"our failure: {type(error).__name__}: {error}")
    if difference is None or difference.what.startswith("gcc:") or _kind(difference.what) != kind:
        return False
    return well_defined(files)


if __name__ == "__main__":
    sys.exit(main())
