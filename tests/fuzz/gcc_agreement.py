"""Random programs: our semantics against gcc's. `python tests/fuzz/gcc_agreement.py --help` explains the options.

A program on which they differ is kept, as generated and shrunk, and the exit status is 1.
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
from typing import Final

from tests.fuzz.agreement import EXPLORED_EVERY, SIZE, Difference, compare, compare_seed
from tests.generator import generate
from tests.generator.gcc import gcc_available
from tests.generator.shrink import shrink, well_defined

PROGRAMS: Final = 3000
KEPT: Final = "fuzz-disagreements"
MOST_SHRUNK: Final = 3
REPORT_EVERY: Final = 100
CHUNK: Final = 10


def main() -> int:
    options = _options()
    if not gcc_available():
        print("gcc is not installed: nothing can be compared", file=sys.stderr)
        return 5
    seeds = range(options.seed, options.seed + options.programs)
    found: dict[int, Difference] = {}
    context = get_context("spawn")  # a child must not inherit clang's threads and locks half-way
    with ProcessPoolExecutor(options.processes, context) as pool:
        results = pool.map(partial(_one, size=options.size), seeds, chunksize=CHUNK)
        for done, (seed, difference) in enumerate(zip(seeds, results, strict=True), 1):
            if difference is not None:
                found[seed] = difference
                print(f"seed {seed}: {difference.what}", flush=True)
            if done % REPORT_EVERY == 0:
                print(f"{done} of {len(seeds)} programs, {len(found)} disagreements", flush=True)
    _keep(found, Path(options.keep), shrinking=not options.no_shrink)
    explored = sum(seed % EXPLORED_EVERY == 0 for seed in seeds)
    print(
        f"{len(seeds)} programs (seeds {seeds.start} to {seeds.stop - 1}, size {options.size}; {explored} of them"
        f" explored, too), {len(found)} disagreements with gcc"
    )
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random programs: our semantics against gcc's.")
    parser.add_argument("--programs", type=_positive, default=PROGRAMS, help=f"how many (default: {PROGRAMS})")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one; the others count on from it")
    parser.add_argument("--size", type=int, default=SIZE, help=f"about how many statements each has (default: {SIZE})")
    parser.add_argument("--processes", type=_positive, default=os.cpu_count(), help="default: one for each core")
    parser.add_argument("--keep", default=KEPT, help=f"the folder for programs that differ (default: {KEPT})")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for smaller programs that differ")
    return parser.parse_args()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _one(seed: int, size: int) -> Difference | None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return compare_seed(seed, Path(folder), size)
        except Exception as error:  # one failure must not cost the answers for all other seeds
            return Difference(generate(seed, size).files, f"our failure: {type(error).__name__}: {error}")


def _keep(found: Mapping[int, Difference], folder: Path, *, shrinking: bool) -> None:
    """Writes the programs that differ; the first few also as small as they can be made."""
    for number, (seed, difference) in enumerate(found.items()):
        where = folder / str(seed)
        shutil.rmtree(where, ignore_errors=True)
        _write(difference.files, where)
        if shrinking and number < MOST_SHRUNK:
            small = shrink(difference.files, partial(_still_differs, kind=_kind(difference.what)))
            _write(small, where / "shrunk")
        print(f"seed {seed}: kept in {where}")


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
