"""Containers among the variables of a program, which states show by what they contain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.explore.cells.memory import Object
from stateglass.explore.machine import Machine
from stateglass.explore.shown.actions import Texts
from stateglass.explore.shown.showing import is_container
from stateglass.explore.states import Snapshot
from stateglass.model import Proposition, Sort
from stateglass.program import Array, Record, RecordLayout, Type, size_of

MOST_STATES: Final = 20_000
"""Of models with more states, only the sizes of containers are shown."""


@final
@dataclass(frozen=True, slots=True)
class Container:
    """One that is a variable, or part of one."""

    name: str
    type: Record
    address: int
    cells: frozenset[int]
    size: int  # the cell that has the number of elements


def containers_of(
    variable: Object, called: Mapping[str, str], records: Mapping[str, RecordLayout]
) -> Iterator[Container]:
    """The outermost containers in a variable whose parts are `called` something, by their paths."""
    for type, offset, path in _found(variable.type, records, 0, ""):
        inside = {n: c for n, c in enumerate(variable.shape, variable.first) if c.path.startswith(f"{path}.")}
        shown = [called.get(c.path, variable.name + c.path) for c in inside.values()]
        counts = [n for n, c in inside.items() if c.path.endswith(".count")]
        before, _, _ = shown[0].rpartition(f".{_first_member(type, records)}") if shown else ("", "", "")
        if before and counts:
            yield Container(before, type, variable.address + offset, frozenset(inside), counts[0])


def _found(
    type: Type, records: Mapping[str, RecordLayout], offset: int, path: str
) -> Iterator[tuple[Record, int, str]]:
    if is_container(type):
        assert isinstance(type, Record)
        yield type, offset, path
    elif isinstance(type, Record) and not records[type.name].union:
        for field in records[type.name].fields:
            yield from _found(
                field.type, records, offset + field.offset, f"{path}.{field.name}" if field.name else path
            )
    elif isinstance(type, Array):
        step = size_of(type.element, records)
        for index in range(type.count):
            yield from _found(type.element, records, offset + index * step, f"{path}[{index}]")


def _first_member(type: Record, records: Mapping[str, RecordLayout]) -> str:
    """What the first part of a container is called that is none of its bases."""
    field = records[type.name].fields[0]
    while "<" in field.name and isinstance(field.type, Record):
        field = records[field.type.name].fields[0]
    return field.name


def shown_contents(
    machine: Machine, texts: Texts, containers: Sequence[Container], states: Sequence[Snapshot]
) -> list[Proposition]:
    """What each container holds in each state, as text."""
    if not containers:
        return []
    known: dict[tuple[int, int, int], list[str]] = {}
    rows: list[list[str]] = []
    for state in states:
        key = state.variables, state.others, state.heap
        if key not in known:
            machine.restore(state)
            known[key] = [texts.object(c.address, c.type) for c in containers]
        rows.append(known[key])
    found = []
    for container, column in zip(containers, zip(*rows, strict=True), strict=True):
        numbers = {text: number for number, text in enumerate(sorted(set(column)))}
        values = np.array([numbers[text] for text in column], dtype=np.int64)
        named = tuple((number, text) for text, number in numbers.items())
        found.append(Proposition(container.name, Sort.ENUM, values, named))
    return found
