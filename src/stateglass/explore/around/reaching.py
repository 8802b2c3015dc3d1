"""How far a function without a body writes behind a pointer, if nobody says it: to the end of the array, or all of it.

Both the exact and the merged engine ask here, so that they speak of the same values in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.explore.cells.memory import Memory, Object
from stateglass.program import Array, Bool, Enum, Float, Int, Opaque, Pointer, Program, Record, Type, Void, size_of
from stateglass.program.outside import is_to_characters, written_through
from stateglass.program.types import FunctionType
from stateglass.system import Choice, External, Lost, Write
from stateglass.system.bounds import default_values

BYTE_BITS: Final = 8


@final
@dataclass(frozen=True, slots=True)
class Reached:
    """Values that are written, one by one, and cells of which nothing is known afterwards."""

    writes: tuple[Write, ...]
    beyond: tuple[int, ...] = ()


def writes_of(
    external: External, types: Sequence[Type], characters: Sequence[bool], program: Program
) -> tuple[Write, ...]:
    """What a call writes with arguments of these types: what is said of it, and what is passed beside its parameters.

    Which arguments visibly lead to `characters` is known; others of such a type may lead to the record that these
    begin, and are like `void *`. That which is written as far as there is something comes last.
    """
    found = sorted(external.writes, key=lambda write: write.reach is not None)
    if external.beside is not None:
        declaration = program.declarations[external.name]
        further = [n for n in written_through(declaration, types) if n >= len(declaration.parameters)]
        found += [_beside(external, n, types[n], program) for n in further]
    return tuple(w if characters[w.argument] or not is_to_characters(types[w.argument]) else _as_void(w) for w in found)


def _as_void(write: Write) -> Write:
    return write if write.reach is None else replace(write, reach=replace(write.reach, size=0))


def _beside(external: External, number: int, type: Type, program: Program) -> Write:
    """An argument that no parameter is for goes by its own type."""
    assert external.beside is not None and isinstance(type, Pointer)
    target = type.target
    is_number = isinstance(target, Bool | Int | Float | Enum)
    size = 8 * size_of(target, program.records) if is_number else 0
    name = f"{external.name}.{number + 1}"
    values = default_values(target, program.enums) if is_number else None
    kind = target if isinstance(target, Bool | Int | Float | Enum) else Int(BYTE_BITS, signed=False)
    if external.beside.is_sampled:
        choice = Choice(name, kind, values or (0,))
    else:
        choice = Choice(name, kind, values or (), anything=values is None)
    return Write(number, 0, choice, replace(external.beside, size=size))


def reached(memory: Memory, program: Program, address: int, write: Write) -> Reached:
    """What a write comes to where its pointer leads to an address."""
    reach, choice = write.reach, write.choice
    plain = replace(write, reach=None)
    if reach is None:
        return Reached((plain,))
    assert isinstance(choice, Choice)
    found = memory.object_at(address)
    if found is None or found.readonly:
        return Reached((plain,) if reach.size else ())
    start = 8 * (address - found.address)
    count = _count(memory, found.type, start, reach.size) if reach.size else 0
    if not count and reach.size > BYTE_BITS:
        return Reached((plain,))
    if not count:
        return _all_behind(memory, program, found, start, write)
    further = replace(choice, values=choice.values[:1]) if reach.is_sampled else choice
    writes = (
        plain,
        *(
            Write(write.argument, write.position + n * reach.size, replace(further, name=f"{choice.name}[{n}]"))
            for n in range(1, min(count, reach.most))
        ),
    )
    cells = enumerate(found.shape, found.first)
    known, end = start + reach.most * reach.size, start + count * reach.size
    return Reached(writes, tuple(n for n, cell in cells if known <= cell.position < end))


def lost_cells(memory: Memory, address: int, lost: Lost) -> tuple[int, ...]:
    """The cells of which nothing is known after a call whose pointer leads to an address."""
    found = memory.object_at(address)
    if found is None or found.readonly:
        return ()
    start = 8 * (address - found.address)
    begins = [
        start + n * lost.size + lost.position for n in range(max(1, _count(memory, found.type, start, lost.size)))
    ]
    cells = enumerate(found.shape, found.first)
    return tuple(n for n, cell in cells if any(begin <= cell.position < begin + lost.bits for begin in begins))


def _all_behind(memory: Memory, program: Program, found: Object, start: int, write: Write) -> Reached:
    """Every number from a place to the end of an object; pointers stay."""
    assert write.reach is not None and isinstance(write.choice, Choice)
    numbers = [
        (n, cell)
        for n, cell in enumerate(found.shape, found.first)
        if cell.position >= start and not (cell.padding or isinstance(cell.type, Pointer) or memory.is_volatile(n))
    ]
    taken, rest = numbers[: write.reach.most], numbers[write.reach.most :]
    writes: list[Write] = []
    for n, (_, cell) in enumerate(taken):
        values = default_values(cell.type, program.enums)
        name = f"{write.choice.name}[{n}]" if n else write.choice.name
        if write.reach.is_sampled:
            choice = Choice(name, cell.type, (0,) if values is None else values[:1])
        else:
            choice = Choice(name, cell.type, values or (), anything=values is None)
        writes.append(Write(write.argument, cell.position - start, choice))
    return Reached(tuple(writes), tuple(n for n, _ in rest))


def _count(memory: Memory, type: Type, start: int, size: int) -> int:
    """How many objects of a size begin at a place and lie side by side; 0: none does."""
    whole = 8 * size_of(type, memory.records)
    if start >= whole:
        return 0
    match type:
        case Array(element):
            innermost: Type = element
            while isinstance(innermost, Array):
                innermost = innermost.element
            if any(8 * size_of(t, memory.records) == size for t in _nested(element)):
                return (whole - start) // size
            each = 8 * size_of(innermost, memory.records)
            return _count(memory, innermost, start % each, size) if each else 0
        case Record(name):
            layout = memory.records[name]
            if not start and whole == size:
                return 1
            if layout.union:
                return 0
            for field in layout.fields:
                first = 8 * field.offset + field.bit
                if first <= start < first + 8 * size_of(field.type, memory.records):
                    return _count(memory, field.type, start - first, size)
            return 0
        case Bool() | Int() | Float() | Enum() | Pointer():
            return int(not start and whole == size)
        case Void() | FunctionType() | Opaque():
            return 0
        case _:
            assert_never(type)


def _nested(type: Type) -> Iterator[Type]:
    yield type
    while isinstance(type, Array):
        type = type.element
        yield type
