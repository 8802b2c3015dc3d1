"""What lies where a member of a union does: states have one name for each scalar, that of its first member."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stateglass.program.layout import cells_of, size_of
from stateglass.program.program import Program
from stateglass.program.types import Array, Record, Type, is_scalar, representation

_STEP: Final = re.compile(r"\.(?P<member>\w+)|\[(?P<index>\d+)\]")


def names_in_states(program: Program, name: str) -> tuple[str, ...]:
    """The names that states have for what a member of a variable holds; none if there is no such member."""
    for variable in program.variables.values():
        path = name.removeprefix(variable.name)
        if path != name and path[:1] in (".", "["):
            return tuple(variable.name + part for part in _parts(program, variable.type, path))
    return ()


def _parts(program: Program, type: Type, path: str) -> Iterator[str]:
    found = _found(program, type, path, 0)
    if found is None:
        return
    start, part = found
    end = start + (representation(part).bits if is_scalar(part) else 8 * size_of(part, program.records))
    for cell in cells_of(type, program.records):
        if not cell.padding and cell.position < end and start < cell.position + cell.width:
            yield cell.path


def _found(program: Program, type: Type, path: str, position: int) -> tuple[int, Type] | None:
    """Where what a path leads to begins, in bits, and its type."""
    if not path:
        return position, type
    step = _STEP.match(path)
    if step is None:
        return None
    rest = path[step.end() :]
    match type:
        case Array(element, count) if step["index"] and int(step["index"]) < count:
            at = position + 8 * int(step["index"]) * size_of(element, program.records)
            return _found(program, element, rest, at)
        case Record(record) if step["member"]:
            for field in program.records[record].fields:
                at = position + 8 * field.offset + field.bit
                if field.name == step["member"]:
                    return _found(program, field.type, rest, at)
                inside = None if field.name else _found(program, field.type, path, at)
                if inside is not None:
                    return inside
    return None
