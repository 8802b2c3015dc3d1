"""A dependence graph while it is built, and what its vertices depend on in the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final


@final
class Vertices:
    """Vertices with what they depend on; an input depends on nothing but itself.

    `data` are the vertices that a value is made of, `control` those that decide whether it is computed; `further` ones
    are dependences that say nothing about the value. Where several definitions meet (`meeting`), whatever decides which
    of them is made decides about the value.

    For each vertex three sets of inputs grow, as bits of numbers, until they are a least fixed point: all that it
    depends on, those that its value is made of, and those that decide whether it is computed.
    """

    def __init__(self) -> None:
        self.data: list[list[int]] = []
        self.control: list[tuple[int, ...]] = []
        self.further: list[list[int]] = []
        self._meeting: list[bool] = []
        self._everything: list[int] = []
        self._values: list[int] = []
        self._deciders: list[int] = []

    def __len__(self) -> int:
        return len(self.data)

    def add(self, data: Iterable[int] = (), *, meeting: bool = False, everything: int = 0, values: int = 0) -> int:
        """A new vertex; an input starts with its own bit in its sets."""
        self.data.append(list(data))
        self.control.append(())
        self.further.append([])
        self._meeting.append(meeting)
        self._everything.append(everything)
        self._values.append(values)
        self._deciders.append(0)
        return len(self.data) - 1

    def everything(self, vertex: int) -> int:
        """The inputs that a vertex depends on, in whatever way."""
        return self._everything[vertex]

    def values(self, vertex: int) -> int:
        """The inputs that its value is made of."""
        return self._values[vertex]

    def deciders(self, vertex: int) -> int:
        """The inputs whose values decide whether it is computed."""
        return self._deciders[vertex]

    def solve(self) -> None:
        """The least solution; vertices are mostly made after those that they depend on, so a few rounds do."""
        changed = True
        while changed:
            changed = False
            for vertex in range(len(self.data)):
                changed |= self._improve(vertex)

    def _improve(self, vertex: int) -> bool:
        everything, values, deciders = self._everything[vertex], self._values[vertex], self._deciders[vertex]
        for p in self.data[vertex]:
            everything |= self._everything[p]
            values |= self._values[p]
            if self._meeting[vertex]:
                values |= self._deciders[p]
        for p in self.control[vertex]:
            everything |= self._everything[p]
            deciders |= self._values[p] | self._deciders[p]
        for p in self.further[vertex]:
            everything |= self._everything[p]
        old = self._everything[vertex], self._values[vertex], self._deciders[vertex]
        self._everything[vertex], self._values[vertex], self._deciders[vertex] = everything, values, deciders
        return old != (everything, values, deciders)
