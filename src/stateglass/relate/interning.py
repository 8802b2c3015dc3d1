"""Numbers for things in the order in which they are first seen, many at a time."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.int64]
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio as 64 bits: neighbours end up far apart


@final
class Interner:
    """A hash table on flat arrays from non-negative words to their numbers; open addressing, at most half full.

    A whole array of words is looked up at once: in each round all that are not placed yet try their next slot. As the
    table is at most half full, a few rounds do.
    """

    def __init__(self) -> None:
        self._slots = np.full(1 << 10, -1, dtype=np.int64)
        self._numbers = np.zeros(1 << 10, dtype=np.int64)
        self._words = [np.zeros(0, dtype=np.int64)]
        self.count = 0

    def intern(self, words: Words) -> Words:
        """The number of each word; new ones are numbered in the order in which they stand."""
        while 2 * (self.count + len(words)) > len(self._slots):
            self._grow()
        places, fresh = self._places(words)
        new = np.flatnonzero(fresh)
        # Of several writes to one slot the last one stays: from behind, that is the first occurrence.
        self._numbers[places[new[::-1]]] = new[::-1]
        firsts = new[self._numbers[places[new]] == new]
        self._numbers[places[firsts]] = np.arange(self.count, self.count + len(firsts))
        self._words.append(words[firsts])
        self.count += len(firsts)
        numbers: Words = self._numbers[places]
        return numbers

    def words(self) -> Words:
        """Every word, in the order of the numbers."""
        self._words = [np.concatenate(self._words)]
        return self._words[0]

    def newest(self) -> Words:
        """The words that were new in the last call of `intern`."""
        return self._words[-1]

    def _places(self, words: Words) -> tuple[Words, npt.NDArray[np.bool_]]:
        """The slot of each word, claimed if it had none, and whether it is new."""
        mask = len(self._slots) - 1
        shift = np.uint64(64 - mask.bit_length())
        places = ((words.astype(np.uint64) * _MULTIPLIER) >> shift).astype(np.int64)
        fresh = np.zeros(len(words), dtype=np.bool_)
        pending = np.arange(len(words))
        while len(pending):
            at, wanted = places[pending], words[pending]
            free = self._slots[at] < 0
            # Several words may claim one slot; the last to write has it, the others look further.
            self._slots[at[free]] = wanted[free]
            mine = self._slots[at] == wanted
            fresh[pending[free & mine]] = True
            pending = pending[~mine]
            places[pending] = (places[pending] + 1) & mask
        return places, fresh

    def _grow(self) -> None:
        words = self.words()
        self._slots = np.full(2 * len(self._slots), -1, dtype=np.int64)
        self._numbers = np.zeros(len(self._slots), dtype=np.int64)
        places, _ = self._places(words)
        self._numbers[places] = np.arange(self.count)
