"""Which definitions of a leaf may reach a point; the value at entry is a definition too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.program.dependence.segments import Segments


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A vertex that gives a leaf a value.

    Only one that is `exact` rules out earlier definitions: others may store to another scalar, or to a part of the
    leaf.
    """

    vertex: int
    leaf: int
    exact: bool


@final
class Reaching:
    """Definitions as bits of one number, solved forwards over segments.

    `effects` has for each node the definitions that it makes, in order: one list, or one for each function that a call
    through a pointer may mean. No list at all means that the node does not return.

    The usual equations of reaching definitions, `(state & ~kill) | new`, over segments until nothing changes.
    """

    def __init__(
        self,
        segments: Segments,
        entry: Iterable[Definition],
        effects: Mapping[int, Sequence[Sequence[Definition]]],
        aliases: Mapping[int, tuple[int, ...]],
    ) -> None:
        self._segments = segments
        self._aliases = aliases
        self._numbers: dict[tuple[int, int], int] = {}
        self.vertices: list[int] = []
        self.of_leaf: dict[int, int] = {}
        start = 0
        for definition in entry:
            start |= self._bits(definition)
        for ways in effects.values():
            for way in ways:
                for definition in way:
                    self._bits(definition)
        everything = (1 << len(self.vertices)) - 1
        self._changes = {node: self._change(ways, everything) for node, ways in effects.items()}
        self.at_start = self._solve(start)

    def after(self, node: int, state: int) -> int:
        if node not in self._changes:
            return state
        kill, new = self._changes[node]
        return (state & ~kill) | new

    def definitions(self, leaf: int, state: int) -> int:
        return state & self.of_leaf.get(leaf, 0)

    def _bits(self, definition: Definition) -> int:
        """The bits of a definition: one for its leaf, and one for each leaf that may be the same scalar."""
        found = 0
        for leaf in (definition.leaf, *self._aliases.get(definition.leaf, ())):
            key = (definition.vertex, leaf)
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self.vertices)
                self.vertices.append(definition.vertex)
                self.of_leaf[leaf] = self.of_leaf.get(leaf, 0) | 1 << number
            found |= 1 << number
        return found

    def _change(self, ways: Sequence[Sequence[Definition]], everything: int) -> tuple[int, int]:
        """What a node certainly overwrites, whichever way it ends, and what may be new after it."""
        kill, new = everything, 0
        for way in ways:
            gone = fresh = 0
            for definition in way:
                if definition.exact:
                    gone |= self.of_leaf[definition.leaf]
                    fresh &= ~self.of_leaf[definition.leaf]
                fresh |= self._bits(definition)
            kill &= gone
            new |= fresh
        return kill, new

    def _solve(self, start: int) -> dict[int, int]:
        order = self._segments.order
        at_start = dict.fromkeys(order, 0)
        at_start[0] = start
        waiting = dict.fromkeys(order)
        while waiting:
            for segment in list(waiting):
                del waiting[segment]
                state = at_start[segment]
                for node in self._segments.runs[segment] if segment < len(self._segments.runs) else ():
                    state = self.after(node, state)
                for following in self._segments.successors[segment]:
                    if state & ~at_start[following]:
                        at_start[following] |= state
                        waiting[following] = None
        return at_start
