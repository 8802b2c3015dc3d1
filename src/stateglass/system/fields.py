"""The variables of the object that is looked at: what they are called, and which of them everybody may use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from stateglass.program import Array, Bool, Enum, Float, Int, Program, Record, Type, cells_of
from stateglass.program.classes import Access, Class, DataMember
from stateglass.program.layout import size_of
from stateglass.program.names import is_made_up

_NamedScalar = tuple[str, str, Type, int]
"""The path to a scalar, what it is called, its type and where it begins, in bits."""


def names_of_parts(program: Program, owner: Class, taken: Collection[str]) -> dict[str, str]:
    """What the scalars of an object are called, by their paths: as the code of the class has it.

    What its bases have is called by its own name alone, unless another part, or a variable in `taken`, has that name.
    What nobody wrote has no name.
    """
    parts = list(_scalars(program, Record(owner.record), "", "", 0))
    count = Counter(shown for _, shown, _, _ in parts)
    names: dict[str, str] = {}
    for path, shown, _, _ in parts:
        if any(is_made_up(piece) for piece in path.split(".")):
            names[path] = ""
            continue
        called = shown if count[shown] == 1 else path.removeprefix(".")
        names[path] = called if called not in taken else f"{owner.name}.{called}"
    return names


def _scalars(program: Program, type: Type, path: str, shown: str, start: int) -> Iterator[_NamedScalar]:
    if isinstance(type, Record):
        layout = program.records[type.name]
        if layout.union:
            for cell in cells_of(type, program.records, start, path):
                if not cell.padding:
                    called = shown + cell.path.removeprefix(path)
                    yield cell.path, called.removeprefix("."), cell.type, cell.position
            return
        known = program.classes.get(type.name)
        members = {m.name for m in known.members} if known is not None else {f.name for f in layout.fields}
        for field in layout.fields:
            # What members classes of the library have is not known, but only a base is called like a template.
            is_base = isinstance(field.type, Record) and (field.name not in members or "<" in field.name)
            inner = f"{path}.{field.name}" if field.name else path
            called = shown if is_base or not field.name else f"{shown}.{field.name}" if shown else field.name
            yield from _scalars(program, field.type, inner, called, start + 8 * field.offset + field.bit)
    elif isinstance(type, Array):
        step = 8 * size_of(type.element, program.records)
        for i in range(type.count):
            yield from _scalars(program, type.element, f"{path}[{i}]", f"{shown}[{i}]", start + i * step)
    else:
        yield path, shown, type, start


PublicNumber = tuple[str, Type, int, bool]
"""What it is called, its type, where it begins, in bits, and whether it is constant."""


def public_numbers(program: Program, owner: Class) -> Iterator[PublicNumber]:
    """The numbers of an object that everybody may look at."""
    yield from _public(program, owner, "", 0, False)


def _public(
    program: Program, owner: Class, name: str, start: int, constant: bool
) -> Iterator[tuple[str, Type, int, bool]]:
    layout = program.records[owner.record]
    members: dict[str, DataMember] = {m.name: m for m in owner.members}
    for field in layout.fields:
        member = members.get(field.name)
        position = start + 8 * field.offset + field.bit
        inner = program.classes.get(field.type.name) if isinstance(field.type, Record) else None
        if member is None:
            if inner is not None and inner.record in owner.bases:
                yield from _public(program, inner, name, position, constant)
            continue
        if member.access is not Access.PUBLIC or member.reference or layout.union:
            continue
        called = f"{name}.{field.name}" if name else field.name
        if inner is not None:
            yield from _public(program, inner, called, position, constant or member.constant)
        elif isinstance(field.type, Bool | Int | Float | Enum):
            yield called, field.type, position, constant or member.constant
