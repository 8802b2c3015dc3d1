"""The heap: a bounded pool of objects that come and go, named so that equal heaps are equal states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, final

from stateglass.explore.contents import DEAD, Cells, Content
from stateglass.explore.lives import Lives
from stateglass.explore.memory import BoundReached, Memory, Object
from stateglass.program import Array, Int
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

_BYTE: Final = Int(8, signed=False)
MOST_OBJECTS: Final = 256
MOST_BYTES: Final = 1 << 20


@final
class Heap:
    """Objects of bytes; of those of one size that are free, the first one is taken, so that names do not drift."""

    def __init__(self, memory: Memory, cells: Cells, lives: Lives) -> None:
        self._memory = memory
        self._lives = lives
        self._cells = cells
        self._by_size: dict[int, list[Object]] = {}
        self._known: dict[int, Object] = {}  # by address
        self._alive: set[int] = set()

    def allocate(self, size: int) -> int:
        pool = self._by_size.setdefault(size, [])
        # Not one that an old pointer may still lead to: it would lead to the new object.
        found = next((o for o in pool if o.address not in self._alive and not self._lives.mentioned(o)), None)
        if found is None:
            in_use = sum(self._known[a].size for a in self._alive)
            if len(self._alive) >= MOST_OBJECTS or in_use + size > MOST_BYTES:
                raise BoundReached(f"the pool for malloc is used up ({MOST_OBJECTS} objects, {MOST_BYTES >> 10:,} KiB)")
            name = f"heap({size})" if not pool else f"heap({size})#{len(pool) + 1}"
            found = self._memory.add(name, Array(_BYTE, size), careful=True, exposed=True)
            pool.append(found)
            self._known[found.address] = found
            self._cells += [DEAD] * (self._memory.cells - len(self._cells))
        self._alive.add(found.address)
        self._fill(found, None)
        return found.address

    def release(self, address: int, span: Span) -> None:
        """`free`: only what was allocated and not released since."""
        if address == 0:
            return
        if address not in self._alive:
            raise Fault(FaultKind.FREE, span)
        self._alive.remove(address)
        self._fill(self._known[address], DEAD)
        self._lives.end(self._known[address])

    def allocated(self, address: int, span: Span) -> int:
        """The size of an object on the heap."""
        if address not in self._alive:
            raise Fault(FaultKind.FREE, span)
        return self._known[address].size

    @property
    def objects(self) -> list[Object]:
        """All that ever were."""
        return list(self._known.values())

    @property
    def empty(self) -> bool:
        return not self._alive

    def lost(self, roots: Iterable[object]) -> list[Object]:
        """Objects that no cell outside of the heap leads to, not even by way of others; nobody can release them.

        `roots` are values outside of the cells. A number that is equal to an address by chance counts as a pointer.
        """
        alive = [self._known[a] for a in sorted(self._alive)]
        seen: set[object] = {root for root in roots if isinstance(root, int)}
        start = 0
        for found in sorted(alive, key=lambda o: o.first):
            seen.update(self._cells[start : found.first])
            start = found.first + len(found.shape)
        seen.update(self._cells[start:])
        while True:
            known = [o for o in alive if not seen.isdisjoint(range(o.address, o.address + o.size + 1))]
            if not known:
                return alive
            alive = [o for o in alive if o not in known]
            seen = {a for o in known for a in self._addresses_in(o)}

    def _addresses_in(self, found: Object) -> Iterator[int]:
        """Every number in an object that could be an address; nothing says where pointers begin."""
        size = self._memory.pointer_size
        order: Literal["big", "little"] = "big" if self._memory.big_endian else "little"
        content = self._cells[found.first : found.first + len(found.shape)]
        data = bytes(c & 255 if isinstance(c, int) else 0 for c in content)
        for start in range(len(data) - size + 1):
            yield int.from_bytes(data[start : start + size], order)

    def _fill(self, found: Object, content: Content) -> None:
        self._cells[found.first : found.first + len(found.shape)] = [content] * len(found.shape)

    # ---- states

    def addresses(self) -> tuple[int, ...]:
        """Where the objects are that exist."""
        return tuple(sorted(self._alive)) if self._alive else ()

    def restore(self, addresses: tuple[int, ...]) -> None:
        """These objects exist; the cells are somebody else's business."""
        self._alive = set(addresses)
