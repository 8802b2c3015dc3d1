"""Cells kept in pieces: what states have in common is stored once, and what is equal has one number.

A region of the cells is a tree of rows. A leaf is a row of contents, a row above is made of the numbers of those below.
Rows are hash-consed, so that a state costs what it differs from others by, and to compare states is to compare numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, final

import numpy as np
import numpy.typing as npt

from stateglass.explore.cells.contents import DEAD, Cells

FAN: Final = 16
"""The length of a row."""
STRETCH: Final = FAN * FAN
"""So many cells are compared at once when changes are looked for."""
NOTHING: Final = 0
"""The number of whatever holds nothing but `DEAD`."""

Item = TypeVar("Item", bound=Hashable)
Row = tuple[Any, ...]


@final
class Numbering(Generic[Item]):
    """Things by number, in the order in which they were first met."""

    def __init__(self, first: Item) -> None:
        """`first` gets the number 0."""
        self._numbers = {first: 0}
        self._items = [first]

    def number(self, item: Item) -> int:
        found = self._numbers.get(item)
        if found is None:
            found = self._numbers[item] = len(self._items)
            self._items.append(item)
        return found

    def __getitem__(self, number: int) -> Item:
        return self._items[number]


@final
class Store:
    """All rows that were ever seen.

    A row does not have its end if that holds nothing, and a row of one number goes by that number: so the number of a
    tree stays what it is when the tree gets room for more.
    """

    def __init__(self) -> None:
        self._numbers: list[dict[Row, int]] = [{}]  # by level
        self._rows: list[Row] = [()]
        self._levels = bytearray(1)  # of each row

    def __len__(self) -> int:
        return len(self._rows)

    def leaf(self, contents: list[Any]) -> int:
        while contents and contents[-1] is DEAD:
            contents.pop()
        return self._number(tuple(contents), 0) if contents else NOTHING

    def above(self, numbers: list[int], level: int) -> int:
        """The number of a row of numbers."""
        while numbers and numbers[-1] == NOTHING:
            numbers.pop()
        if len(numbers) < 2:
            return numbers[0] if numbers else NOTHING
        return self._number(tuple(numbers), level)

    def _number(self, row: Row, level: int) -> int:
        while len(self._numbers) <= level:
            self._numbers.append({})
        known = self._numbers[level]
        found = known.get(row)
        if found is None:
            found = known[row] = len(self._rows)
            self._rows.append(row)
            self._levels.append(level)
        return found

    def row(self, number: int, level: int) -> Row:
        """What a number means at a level."""
        # A number of a lower level stands for a row of this one alone, as `above` has it.
        return self._rows[number] if self._levels[number] == level else (number,)


@final
class Region:
    """A stretch of the cells, with the numbers of its pieces as of the last time that somebody looked."""

    def __init__(self, store: Store, cells: Cells, first: int, last: int | None = None) -> None:
        """Without `last` it has all cells from `first` on, however many there will be."""
        self._store = store
        self._cells = cells
        self._first = first
        self._last = last
        self._seen: Cells = []  # what the numbers below are of
        self._levels: list[list[int]] = [[NOTHING]]  # the numbers of all rows, leaves first; the last level has one

    @property
    def height(self) -> int:
        return len(self._levels) - 1

    def number(self) -> int:
        """The number of what the cells hold now."""
        now = self._cells[self._first : self._last]
        if len(now) > len(self._seen):
            self._grow(len(now))
        if now != self._seen:
            changed = list(self._changed(now)) if len(now) > FAN else [0]
            self._seen = now
            self._renumber(changed)
        return self._levels[-1][0]

    def restore(self, number: int) -> None:
        """Let the cells hold what they held when they had this number."""
        end = len(self._cells) if self._last is None else self._last
        if end - self._first > len(self._seen):
            self._grow(end - self._first)
        if self._levels[-1][0] != number:
            self._set(self.height, 0, number)
        self._cells[self._first : end] = self._seen

    def _grow(self, size: int) -> None:
        self._seen += [DEAD] * (size - len(self._seen))
        count = -(-size // FAN)
        for level in self._levels:
            level += [NOTHING] * (count - len(level))
            count = -(-count // FAN)
        while len(self._levels[-1]) > 1:
            level, top = self._levels[-1], len(self._levels)
            self._levels.append([self._store.above(level[n : n + FAN], top) for n in range(0, len(level), FAN)])

    def _changed(self, now: Cells) -> Iterator[int]:
        """The leaves that do not hold any more what they did."""
        seen = self._seen
        for start in range(0, len(now), STRETCH):
            stop = start + STRETCH
            # Most of a large memory stays as it is: one comparison of lists passes over many leaves.
            if now[start:stop] == seen[start:stop]:
                continue
            for first in range(start, min(stop, len(now)), FAN):
                if now[first : first + FAN] != seen[first : first + FAN]:
                    yield first // FAN

    def _renumber(self, changed: Iterable[int]) -> None:
        leaves, store, seen = self._levels[0], self._store, self._seen
        for n in changed:
            leaves[n] = store.leaf(seen[FAN * n : FAN * (n + 1)])
        for height in range(1, len(self._levels)):
            changed = dict.fromkeys(n // FAN for n in changed)
            below, level = self._levels[height - 1], self._levels[height]
            for n in changed:
                level[n] = store.above(below[FAN * n : FAN * (n + 1)], height)

    def _set(self, height: int, index: int, number: int) -> None:
        self._levels[height][index] = number
        row = self._store.row(number, height)
        first = FAN * index
        if height == 0:
            width = min(FAN, len(self._seen) - first)
            self._seen[first : first + width] = (*row, *(DEAD,) * (width - len(row)))
            return
        # Most of what is below stays as it is.
        now = self._levels[height - 1][first : first + FAN]
        for below, (old, new) in enumerate(zip(now, (*row, *(NOTHING,) * (len(now) - len(row))), strict=True), first):
            if old != new:
                self._set(height - 1, below, new)


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """A leaf of a region in many states: its different rows in the order in which they were met, and who has which."""

    first: int  # its first cell, counted from the region's
    rows: tuple[Row, ...]
    which: npt.NDArray[np.int64] | None  # None: all have the only one


def stretches(store: Store, numbers: Sequence[int], height: int) -> Iterator[Stretch]:
    """What a region of this height held when it had these numbers, leaf by leaf; leaves that never held anything not.

    Takes as long as there are differences, and a look at each state for each leaf that is not always the same.
    """
    distinct, which = _told_apart(numbers)
    yield from _stretches(store, distinct, which, height, 0)


def _stretches(
    store: Store, numbers: Sequence[int], which: npt.NDArray[np.int64] | None, height: int, first: int
) -> Iterator[Stretch]:
    rows = [store.row(n, height) for n in numbers]
    if height == 0:
        yield Stretch(first, tuple(rows), which)
        return
    for position in range(max(map(len, rows), default=0)):
        children, told = _told_apart([row[position] if position < len(row) else NOTHING for row in rows])
        if children != [NOTHING]:
            below = None if told is None or which is None else told[which]
            yield from _stretches(store, children, below, height - 1, first + position * FAN**height)


def _told_apart(numbers: Sequence[int]) -> tuple[list[int], npt.NDArray[np.int64] | None]:
    """The different ones, in order, and which of them each is."""
    places: dict[int, int] = {}
    which = [places.setdefault(n, len(places)) for n in numbers]
    return list(places), np.array(which, dtype=np.int64) if len(places) > 1 else None
