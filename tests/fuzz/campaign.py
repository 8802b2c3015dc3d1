"""What all comparisons of random programs with a compiler have: options, and what is kept of differences."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.fuzz.agreement import Difference, compare, positive
from tests.generator.shrink import shrink, well_defined

KEPT: Final = "fuzz-disagreements"
MOST_SHRUNK: Final = 3
REPORT_EVERY: Final = 100
CHUNK: Final = 10


def read_options(description: str, programs: int, size: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--programs", type=positive, default=programs, help=f"how many (default: {programs})")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one; the others count on from it")
    parser.add_argument("--size", type=int, default=size, help=f"about how many statements each has (default: {size})")
    parser.add_argument("--processes", type=positive, default=os.cpu_count(), help="default: one for each core")
    parser.add_argument("--keep", default=KEPT, help=f"the folder for programs that differ (default: {KEPT})")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for smaller programs that differ")
    return parser.parse_args()


def keep(found: Mapping[Any, Difference], folder: Path, *, shrinking: bool) -> None:
    """Writes the programs that differ; the first few also as small as they can be made."""
    for number, (origin, difference) in enumerate(found.items()):
        where = folder / str(origin)
        shutil.rmtree(where, ignore_errors=True)
        _write(difference.files, where)
        refused = difference.what.startswith("gcc:")  # there is nothing to compare
        if shrinking and number < MOST_SHRUNK and not refused:
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
