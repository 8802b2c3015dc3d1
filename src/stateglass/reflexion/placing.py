"""Where many valuations are before a call, and where it leads: all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from stateglass.reflexion.formula import Formula
from stateglass.smt import Column, Term


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """For each valuation: whether it counts, and the numbers of its state and of what the call leads to."""

    counted: Column
    sources: Column
    targets: Column


def placed(formula: Formula, columns: Mapping[Term, Column]) -> Placed:
    """From the columns of the formula's roots. The numbers as terms would be chains as long as there are states."""
    other = formula.numbers.other
    early = columns[formula.early].astype(np.int64)
    before = _numbers([columns[t] for t in formula.inside], len(early), other)
    after = _numbers([columns[t] for t in formula.after], len(early), other)
    return Placed(columns[formula.counts], before, np.where(early == other, after, early))


def _numbers(states: Sequence[Column], count: int, other: int) -> Column:
    """The first state that each valuation is in."""
    if not states:
        return np.full(count, other)
    found = np.array(states)
    return np.where(found.any(axis=0), found.argmax(axis=0), other)
