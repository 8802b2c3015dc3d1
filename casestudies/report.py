"""The figures of all files as text: a table, totals, and what costs most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from casestudies.measuring import Measurement, Refusal

GOAL: Final = 95.0
"""The share of functions, in percent, above which the lowered ones shall be."""

_QUOTED: Final = re.compile(r"`[^`]*`")


@final
@dataclass(frozen=True, slots=True)
class Row:
    """One file of the catalogue and what came of it; nothing if it was not there."""

    package: str
    file: str
    measurement: Measurement | None
    skipped: str = ""


@final
@dataclass(frozen=True, slots=True)
class Total:
    """The sums over all files that were there."""

    packages: int
    files: int
    lines: int
    functions: int
    lowered: int
    seconds: float
    unread: int
    crashed: int

    @property
    def share(self) -> float:
        return 100 * self.lowered / self.functions if self.functions else 0.0

    @property
    def good(self) -> bool:
        return not self.unread and not self.crashed and self.share > GOAL


def total(rows: Iterable[Row]) -> Total:
    read = [(row.package, row.measurement) for row in rows if row.measurement is not None]
    figures = [m for _, m in read]
    return Total(
        len({package for package, _ in read}),
        len(figures),
        sum(m.lines for m in figures),
        sum(m.functions for m in figures),
        sum(m.lowered for m in figures),
        sum(m.seconds for m in figures),
        sum(bool(m.errors) for m in figures),
        sum(bool(m.crash) for m in figures),
    )


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line per file."""
    width = max((len(f"{row.package} {row.file}") for row in rows), default=0)
    heading = f"{'lines':>6} {'functions':>9} {'lowered':>7} {'refused':>7} {'seconds':>7} {'lines/s':>8}"
    yield f"{'file':<{width}}  {heading}"
    for row in rows:
        name = f"{row.package} {row.file}"
        m = row.measurement
        if m is None:
            yield f"{name:<{width}}  skipped: {row.skipped}"
            continue
        figures = f"{m.lines:>6,} {m.functions:>9,} {m.lowered:>7,} {m.refused:>7,}"
        yield f"{name:<{width}}  {figures} {m.seconds:>7.2f} {_rate(m.lines, m.seconds):>8,}"
        if m.crash:
            yield f"    crash: {m.crash}"
        for error in m.errors:
            yield f"    not read: {error}"


def totals(sums: Total) -> Iterator[str]:
    """What all files come to."""
    yield f"{sums.files} files of {sums.packages} packages, {sums.lines:,} lines"
    yield f"not read: {sums.unread}, crashes: {sums.crashed}"
    yield f"{sums.functions:,} functions: {sums.lowered:,} lowered in full, {sums.functions - sums.lowered:,} refused"
    word = "above" if sums.share > GOAL else "NOT above"
    yield f"share lowered: {sums.share:.1f} % ({word} the goal of {GOAL:.0f} %)"
    yield f"time: {sums.seconds:.1f} s of processor time, {_rate(sums.lines, sums.seconds):,} lines/s"


def reasons(rows: Iterable[Row], most: int) -> Iterator[str]:
    """Why functions and initial values were refused, the costliest reason first, each with an example."""
    refusals = [
        (general(refusal.reason), row, refusal)
        for row in rows
        if row.measurement is not None
        for refusal in row.measurement.refusals
    ]
    examples: dict[str, tuple[Row, Refusal]] = {}
    for reason, row, refusal in refusals:
        examples.setdefault(reason, (row, refusal))
    counts = Counter(reason for reason, _, _ in refusals)
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]:
        row, refusal = examples[reason]
        yield f"{count:>5}  {reason}  (as in {row.package} {refusal.place}, {refusal.name})"


def every_refusal(rows: Iterable[Row]) -> Iterator[str]:
    """All refusals with their places."""
    for row in rows:
        for refusal in row.measurement.refusals if row.measurement is not None else ():
            yield f"{row.package} {refusal.place}: {refusal.name}: {refusal.reason}"


def general(reason: str) -> str:
    """A reason without the names it mentions."""
    return _QUOTED.sub("`…`", reason)


def _rate(lines: int, seconds: float) -> int:
    return round(lines / seconds) if seconds else 0
