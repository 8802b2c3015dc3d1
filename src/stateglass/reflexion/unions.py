"""Unions by those of their members that the code speaks of: the others are only other words for the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from stateglass.program import Array, Member, Program, Record, Scalar, Type, is_scalar, size_of
from stateglass.program.callgraph import statements_of
from stateglass.program.walk import nodes_in


@final
@dataclass(frozen=True, slots=True)
class View:
    """A scalar in a union, by its path from the union and where it begins, in bits."""

    path: str
    position: int
    type: Scalar


@final
@dataclass(frozen=True, slots=True)
class Region:
    """A union in a variable that is not part of another one."""

    path: str
    position: int  # in bits
    width: int
    type: Record


@final
class Unions:
    """Answers for some functions."""

    def __init__(self, program: Program, functions: Iterable[str]) -> None:
        self._program = program
        self._spoken_of: dict[str, set[str]] = {}
        for name in functions:
            for statement in statements_of(program.functions[name].blocks):
                for node in nodes_in(statement):
                    if isinstance(node, Member) and isinstance(node.base.type, Record):
                        self._spoken_of.setdefault(node.base.type.name, set()).add(node.field)

    def is_union(self, type: Type) -> bool:
        return isinstance(type, Record) and self._program.records[type.name].union

    def regions(self, type: Type, path: str = "", position: int = 0) -> Iterator[Region]:
        """The unions in an object."""
        match type:
            case Array(element, count):
                step = 8 * size_of(element, self._program.records)
                for number in range(count if self._has_union(element) else 0):
                    yield from self.regions(element, f"{path}[{number}]", position + number * step)
            case Record(name):
                layout = self._program.records[name]
                if layout.union:
                    yield Region(path, position, 8 * layout.size, type)
                    return
                for field in layout.fields:
                    inner = f"{path}.{field.name}" if field.name else path
                    yield from self.regions(field.type, inner, position + 8 * field.offset + field.bit)
            case _:
                return

    def _has_union(self, type: Type) -> bool:
        return next(self.regions(type.element if isinstance(type, Array) else type), None) is not None

    def views(self, type: Type, path: str = "", position: int = 0, *, each: bool = True) -> Iterator[View]:
        """The scalars below a union that the code speaks of, all if it speaks of none; not `each` element: `[]`."""
        match type:
            case Array(element, count):
                step = 8 * size_of(element, self._program.records)
                for number in range(count if each else min(count, 1)):
                    index = f"[{number}]" if each else "[]"
                    yield from self.views(element, f"{path}{index}", position + number * step, each=each)
            case Record(name):
                layout = self._program.records[name]
                spoken = self._spoken_of.get(name, set()) if layout.union else set()
                for field in layout.fields:
                    if not spoken or field.name in spoken:
                        inner = f"{path}.{field.name}" if field.name else path
                        yield from self.views(field.type, inner, position + 8 * field.offset + field.bit, each=each)
            case _ if is_scalar(type):
                yield View(path, position, type)
            case _:
                return
