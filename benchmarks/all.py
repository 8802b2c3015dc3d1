"""Measures every figure of docs/figures.md: `python -m benchmarks.all [--only GROUP] [--times N] [--write]`.

The best of several runs counts, since nobody else's work makes a run faster. With `--write` the tables of the page are
replaced; what stands between them, about what limits each figure, is for a person to keep true.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks import __main__ as extraction
from benchmarks import (
    assemblies,
    changing,
    checking,
    checking_ltl,
    comparison,
    monitoring,
    objects,
    reduction,
    reflexion,
    scenarios,
    sharing,
    threads_growth,
    unbounded,
)
from benchmarks.timing import Row

PAGE: Final = Path(__file__).parent.parent / "docs" / "figures.md"
Measure = Callable[[Path, int], Iterator[Row]]
GROUPS: Final[dict[str, tuple[str, Measure]]] = {
    "extraction": ("benchmarks", extraction.figures),
    "sharing": ("benchmarks.sharing", sharing.figures),
    "objects": ("benchmarks.objects", objects.figures),
    "reduction": ("benchmarks.reduction", reduction.figures),
    "comparison": ("benchmarks.comparison", comparison.figures),
    "changing": ("benchmarks.changing", changing.figures),
    "checking": ("benchmarks.checking", checking.figures),
    "checking_ltl": ("benchmarks.checking_ltl", checking_ltl.figures),
    "unbounded": ("benchmarks.unbounded", unbounded.figures),
    "threads_growth": ("benchmarks.threads_growth", threads_growth.figures),
    "scenarios": ("benchmarks.scenarios", scenarios.figures),
    "assemblies": ("benchmarks.assemblies", assemblies.figures),
    "reflexion": ("benchmarks.reflexion", reflexion.figures),
    "monitoring": ("benchmarks.monitoring", monitoring.figures),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.all", description=__doc__)
    parser.add_argument("--only", action="append", choices=list(GROUPS), help="only this group; may be repeated")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured; the best counts")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/figures.md")
    arguments = parser.parse_args()
    # As it is installed, Python keeps what it has compiled.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in arguments.only or GROUPS:
        module, measure = GROUPS[name]
        print(f"\n{name}: python -m {module}", flush=True)
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            for row in measure(Path(folder), arguments.times):
                rows.append(row)
                print(line(row), flush=True)
        if arguments.write:
            text = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(with_table(text, name, table(rows)), encoding="utf-8")


def table(rows: list[Row]) -> str:
    return "\n".join(["| what | reached | aimed at |", "|---|---|---|", *map(line, rows)])


def line(row: Row) -> str:
    is_count = row.best == int(row.best)
    digits = 0 if is_count or row.best >= 100 else 1 if row.best >= 10 else 2
    return f"| {row.name} | {row.best:,.{digits}f} {row.unit} | {row.promise or '–'} |"


def with_table(text: str, name: str, table: str) -> str:
    """The page with another table behind the mark of a group."""
    mark = re.compile(rf"(<!-- figures: {name} -->\n\n).*?(\n\n<!-- end of figures -->)", re.DOTALL)
    found, count = mark.subn(lambda m: m[1] + table + m[2], text)
    if count != 1:
        raise SystemExit(f"{PAGE.name} has no place for the figures of {name}")
    return found


if __name__ == "__main__":
    main()
