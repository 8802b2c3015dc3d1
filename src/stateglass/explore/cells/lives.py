"""Pointers to what is over: an address is used again, and an old pointer to it must not lead to the new owner.

When something ends, pointers to it are moved to its grave, a place of the same shape where nothing ever lives. An
address that hides in an integer or in single bytes cannot be told from a number: then all pointers stay what they are,
so that they still compare equal, and whoever takes an address anew asks first whether it may still be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final, final

from stateglass.explore.cells.contents import DEAD, Cells, Content
from stateglass.explore.cells.memory import Memory, Object
from stateglass.explore.cells.strays import is_stray, moved, taken_apart

MOST_LISTED: Final = 1 << 16
"""The addresses of objects up to this size are looked for all at once."""


@final
class Lives:
    """Looks after the pointers in the cells of a machine."""

    def __init__(self, memory: Memory, cells: Cells, constants: int) -> None:
        """The first cells are `constants`, which hold no addresses of what has an end."""
        self._memory = memory
        self._constants = constants
        self._cells = cells
        self._graves: dict[int, Object] = {}
        self._addresses: dict[int, frozenset[int]] = {}

    def end(self, over: Object) -> None:
        """Pointers to an object that is no more lead to its grave from now on."""
        if not self._held(over):
            return
        last, pointers = over.address + over.size, self._memory.pointers
        holding = [n for n, c in enumerate(self._cells) if c.__class__ is int and over.address <= c <= last]
        if pointers.issuperset(holding) and not self._in_bytes(over):
            self._bury(over, holding)

    def end_for_another(self, over: Object) -> bool:
        """The same when a new variable will begin at this very address; False if old pointers may be left."""
        last, pointers = over.address + over.size, self._memory.pointers
        holding = [n for n, c in enumerate(self._cells) if c.__class__ is int and over.address <= c <= last]
        self._bury(over, [n for n in holding if n in pointers])
        self._bury_strays(over)
        return not self._in_bytes(over)

    def _bury(self, over: Object, holding: list[int]) -> None:
        for number in holding:
            content = self._cells[number]
            assert isinstance(content, int)
            self._cells[number] = content - over.address + self._grave(over).address

    def _strays(self, over: Object) -> list[int]:
        """The cells that hold a stray pointer of an object."""
        if over.address not in self._memory.strayed:
            return []
        found = enumerate(self._cells)
        return [n for n, c in found if c.__class__ is int and is_stray(c) and taken_apart(c)[0] == over.address]

    def _bury_strays(self, over: Object) -> None:
        for number in self._strays(over):
            content, grave = self._cells[number], self._grave(over)
            assert isinstance(content, int)
            self._memory.strayed.add(grave.address)
            self._cells[number] = moved(content, grave.address - over.address)

    def followed(self, value: Any, over: Iterable[Object]) -> Any:
        """A pointer that is not in a cell at the moment, after these objects have ended."""
        if value.__class__ is int:
            for gone in over:
                if gone.address <= value <= gone.address + gone.size:
                    return value - gone.address + self._grave(gone).address
        return value

    def mentioned(self, over: Object) -> bool:
        """Whether anything may still hold an address of an object."""
        return self._held(over) or self._in_bytes(over) or bool(self._strays(over))

    def hidden(self, objects: Collection[Object]) -> bool:
        """Whether an address of some objects may lie elsewhere than in a pointer, or have left its object."""
        if any(self._in_bytes(o) or o.address in self._memory.strayed for o in objects):
            return True
        least, most = min(o.address for o in objects), max(o.address + o.size for o in objects)
        near = [n for n, c in enumerate(self._cells) if c.__class__ is int and least <= c <= most]
        partly = any(c.__class__ is tuple for c in self._cells)  # some bits of it are known, maybe those of an address
        return partly or not self._memory.pointers.issuperset(near)

    def _grave(self, over: Object) -> Object:
        grave = self._graves.get(over.address)
        if grave is None:
            grave = self._graves[over.address] = self._memory.add(over.name, over.type, careful=True)
            self._cells += [DEAD] * (self._memory.cells - len(self._cells))
        return grave

    def _held(self, over: Object) -> bool:
        """Whether the number in some cell is an address of an object, or equal to one by chance."""
        last = over.address + over.size
        if over.size > MOST_LISTED:
            return any(c.__class__ is int and over.address <= c <= last for c in self._cells[self._constants :])
        known = self._addresses.get(over.address)
        if known is None:
            known = self._addresses[over.address] = frozenset(range(over.address, last + 1))
        # This looks at all cells each time something ends, so the loop over them is Python's own.
        return not known.isdisjoint(self._cells[self._constants :])

    def _in_bytes(self, over: Object) -> bool:
        """The same for addresses that lie in cells of a byte each."""
        last, size = over.address + over.size, self._memory.pointer_size
        big = self._memory.big_endian
        # An address is looked for by all its bytes but the lowest: these are the same for 256 addresses, so that there
        # are few patterns to look for. Bytes may be signed or not, so that each has two spellings.
        for run in self._memory.byte_runs:
            contents = self._cells[run.start : run.stop]
            data = b""
            for high in range(over.address >> 8, (last >> 8) + 1):
                if high & 255 not in contents and (high & 255) - 256 not in contents:
                    continue
                data = data or _as_bytes(contents)
                pattern = high.to_bytes(size - 1, "big" if big else "little")
                at = data.find(pattern)
                while at >= 0:
                    low = at + size - 1 if big else at - 1
                    if 0 <= low < len(data) and over.address <= high << 8 | data[low] <= last:
                        return True
                    at = data.find(pattern, at + 1)
        return False


def _as_bytes(contents: list[Content]) -> bytes:
    try:
        return bytes(contents)  # type: ignore[arg-type]  # that is what is tried
    except (TypeError, ValueError):
        return bytes(c & 255 if isinstance(c, int) else 0 for c in contents)
