"""The heap: a bounded pool of objects that come and go, named so that equal heaps are equal states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, final

from stateglass.explore.cells.byte_runs import byte_runs
from stateglass.explore.cells.contents import DEAD, Cells, Content
from stateglass.explore.cells.lives import Lives
from stateglass.explore.cells.memory import BoundReached, Memory, Object
from stateglass.program import Array, Int, Type, size_of
from stateglass.program.layout import is_modelled
from stateglass.source import Span
from stateglass.values import Fault, FaultKind

_BYTE: Final = Int(8, signed=False)
MOST_OBJECTS: Final = 256
MOST_BYTES: Final = 1 << 20


@final
class Heap:
    """Objects that come and go; of those of one type that are free, the first one is taken, so that names do not drift.

    What is known of the type of an object decides how it is cut into cells, and nothing else.
    """

    def __init__(self, memory: Memory, cells: Cells, lives: Lives) -> None:
        self._memory = memory
        self._lives = lives
        self._cells = cells
        self._pools: dict[Type, list[Object]] = {}
        self._known: dict[int, Object] = {}  # by address
        self._alive: set[int] = set()
        self._first = 1 << 64  # the lowest address
        self._pointers_in: dict[int, list[int]] = {}  # by address: which cells of an object hold pointers
        self._outside: list[int] = []
        self._count_of_pointers = 0

    def allocate(self, size: int, element: Type = _BYTE) -> int:
        """The address of a new object: an element or, if there is room for more, an array of them."""
        type = self._type_of(size, element)
        pool = self._pools.setdefault(type, [])
        # Not one that an old pointer may still lead to: it would lead to the new object.
        found = next((o for o in pool if o.address not in self._alive and not self._lives.mentioned(o)), None)
        if found is None:
            in_use = sum(self._known[a].size for a in self._alive)
            if len(self._alive) >= MOST_OBJECTS or in_use + size > MOST_BYTES:
                raise BoundReached(f"the pool for malloc is used up ({MOST_OBJECTS} objects, {MOST_BYTES >> 10:,} KiB)")
            name = f"heap({size if type == Array(_BYTE, size) else type})"
            found = self._memory.add(name if not pool else f"{name}#{len(pool) + 1}", type, careful=True, exposed=True)
            pool.append(found)
            self._known[found.address] = found
            self._first = min(self._first, found.address)
            self._memory.has_heap = True
            pointers = self._memory.pointers
            self._pointers_in[found.address] = [n for n, _ in enumerate(found.shape, found.first) if n in pointers]
            self._cells += [DEAD] * (self._memory.cells - len(self._cells))
        self._alive.add(found.address)
        self._fill(found, None)
        return found.address

    def _type_of(self, size: int, element: Type) -> Type:
        if size == 0 or not is_modelled(element, self._memory.records):
            return Array(_BYTE, size)
        one = size_of(element, self._memory.records)
        if size == one and element != _BYTE:
            return element
        return Array(element, size // one) if size % one == 0 else Array(_BYTE, size)

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
        is_pieced = False
        while alive:
            known = [o for o in alive if not seen.isdisjoint(range(o.address, o.address + o.size + 1))]
            if not known and is_pieced:
                break
            alive = [o for o in alive if o not in known]
            seen = {a for o in known for a in self._addresses_in(o)}
            if not known:  # pointers may be in pieces, as in unions: they are looked for last, since it takes time
                is_pieced = True
                seen = {a for o in self._memory.objects if o not in alive for a in self._pieced_together(o)}
        return alive

    def _pieced_together(self, found: Object) -> Iterator[int]:
        """Every number in an object that several cells, side by side, make as wide as a pointer."""
        width = 8 * self._memory.pointer_size
        for start, cell in enumerate(found.shape):
            number = total = 0
            for one, content in zip(found.shape[start:], self._cells[found.first + start :], strict=False):
                is_next = one.position == cell.position + total and one.width < width
                if total >= width or not is_next or not isinstance(content, int):
                    break
                bits = content & ((1 << one.width) - 1)
                number = number << one.width | bits if self._memory.big_endian else number | bits << total
                total += one.width
            if total == width:
                yield number

    def _addresses_in(self, found: Object) -> Iterator[int]:
        """Every number in an object that could be an address; in bytes, nothing says where pointers begin."""
        size = self._memory.pointer_size
        order: Literal["big", "little"] = "big" if self._memory.big_endian else "little"
        content = self._cells[found.first : found.first + len(found.shape)]
        yield from (c for c in content if c.__class__ is int)
        for run in byte_runs(found.shape, 0, size):
            data = bytes(c & 255 if isinstance(c, int) else 0 for c in content[run.start : run.stop])
            for start in range(len(data) - size + 1):
                yield int.from_bytes(data[start : start + size], order)

    def _fill(self, found: Object, content: Content) -> None:
        self._cells[found.first : found.first + len(found.shape)] = [content] * len(found.shape)

    # ---- states

    def settle(self, value: object = None) -> None:
        """Rename the objects in the order in which pointers lead to them: how they came about does not matter then.

        It is left, which is always right, where an address may have been used otherwise than as a pointer. `value` is
        outside of the cells, and may be an address as well.
        """
        if not self._alive or self._memory.addresses_matter:
            return
        moves = self._moves(self._in_order())
        going = [one for one, _ in moves]
        if moves and not self._lives.hidden(going) and not any(_may_lead_to(one, value) for one in going):
            self._move(moves)

    def _in_order(self) -> list[Object]:
        """The objects, as pointers outside of the heap lead to them, or others that come before."""
        memory, cells, alive = self._memory, self._cells, self._alive
        found: dict[int, Object] = {}

        def look(numbers: Iterable[int]) -> None:
            for number in numbers:
                value = cells[number]
                if value.__class__ is int and value >= self._first:
                    target = memory.object_at(value)
                    if target is not None and target.address in alive and target.address not in found:
                        found[target.address] = target
                        reached.append(target)

        reached: list[Object] = []
        look(self._pointers_outside())
        for one in reached:
            look(self._pointers_in[one.address])
        return reached

    def _pointers_outside(self) -> list[int]:
        """The cells outside of the heap that hold pointers."""
        pointers = self._memory.pointers
        if len(pointers) != self._count_of_pointers:
            self._count_of_pointers = len(pointers)
            self._outside = sorted(pointers.difference(*self._pointers_in.values()))
        return self._outside

    def _moves(self, reached: list[Object]) -> list[tuple[Object, Object]]:
        """Where each object has to go, if it has to: none if some are not reached, or old pointers are in the way."""
        if len(reached) != len(self._alive):
            return []
        free = {type: iter(pool) for type, pool in self._pools.items()}
        moves = [(one, place) for one in reached if (place := next(free[one.type])) is not one]
        vacant = (place for _, place in moves if place.address not in self._alive)
        return [] if any(map(self._lives.mentioned, vacant)) else moves

    def _move(self, moves: list[tuple[Object, Object]]) -> None:
        cells, memory = self._cells, self._memory
        by_address = {one.address: place.address - one.address for one, place in moves}
        for number in memory.pointers:
            value = cells[number]
            if value.__class__ is int and value >= self._first:
                target = memory.object_at(value)
                if target is not None and target.address in by_address:
                    cells[number] = value + by_address[target.address]
        contents = [(place, cells[one.first : one.first + len(one.shape)]) for one, place in moves]
        self._alive.difference_update(by_address)
        for one, _ in moves:
            self._fill(one, DEAD)
        for place, content in contents:
            cells[place.first : place.first + len(place.shape)] = content
            self._alive.add(place.address)

    def addresses(self) -> tuple[int, ...]:
        """Where the objects are that exist."""
        return tuple(sorted(self._alive)) if self._alive else ()

    def restore(self, addresses: tuple[int, ...]) -> None:
        """These objects exist; the cells are somebody else's business."""
        self._alive = set(addresses)


def _may_lead_to(found: Object, value: object) -> bool:
    if isinstance(value, tuple):
        return any(_may_lead_to(found, inner) for inner in value)
    return isinstance(value, int) and found.address <= value <= found.address + found.size
