"""Scalars by the names that expressions over a function have for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never, final

from stateglass.program import Function, Pointer, Program, Record, Type
from stateglass.program.dependence import Leaf, RootKind
from stateglass.program.names import file_of, without_file

MOST_STEPS: Final = 3
"""How many pointers one after the other a name may follow."""


@final
class Naming:
    """Names for one function: of variables, and of what its parameters and some variables lead to."""

    def __init__(self, program: Program, function: Function, variables: Iterable[str]) -> None:
        self._program = program
        self._function = function
        starts = [(p.name, p.type) for p in function.parameters]
        starts += [(self.variable(v), program.variables[v].type) for v in variables]
        self._ways = self._follow(starts)

    def variable(self, name: str) -> str:
        """The name of a static variable in expressions over the function: with its file only if it is another file's.

        If the program has several of a name in one function, the first one has the number 1.
        """
        if f"{name}~2" in self._program.variables:
            return f"{name}~1"
        base, file = without_file(name), file_of(name)
        own = self._program.variables[name].span.file == self._function.span.file
        return base if file and own else name

    def of(self, leaf: Leaf) -> str | None:
        """The name of a leaf; None for what has no name from outside: a local, or memory that nothing leads to."""
        root = leaf.root
        match root.kind:
            case RootKind.GLOBAL:
                return f"{self.variable(root.name)}{leaf.pattern}"
            case RootKind.PARAMETER:
                return _behind(root.name, leaf.pattern)
            case RootKind.POINTEE:
                return self.of_pointee(str(root.type), leaf.pattern)
            case RootKind.LOCAL:
                return None
            case _:
                assert_never(root.kind)

    def of_pointee(self, type: str, pattern: str) -> str | None:
        """The name of a part of an object that is known only by its type."""
        way = self._ways.get(type)
        return None if way is None else _behind(way, pattern)

    def _follow(self, starts: list[tuple[str, Type]]) -> dict[str, str]:
        """For each type that pointers lead to, the shortest name of a pointer to it."""
        found: dict[str, str] = {}
        todo = [(name, type, 0) for name, type in starts]
        while todo:
            name, type, steps = todo.pop(0)
            if isinstance(type, Pointer) and str(type.target) not in found and steps < MOST_STEPS:
                found[str(type.target)] = name
                todo += self._members(name, type.target, steps + 1, "->")
            elif isinstance(type, Record):
                todo += self._members(name, type, steps, ".")
        return found

    def _members(self, name: str, type: Type, steps: int, dot: str) -> list[tuple[str, Type, int]]:
        if not isinstance(type, Record):
            return []
        found: list[tuple[str, Type, int]] = []
        for field in self._program.records[type.name].fields:
            if field.name:
                found.append((f"{name}{dot}{field.name}", field.type, steps))
            else:
                found += self._members(name, field.type, steps, dot)
        return found


def _behind(pointer: str, pattern: str) -> str:
    """What a pointer leads to."""
    if pattern.startswith("."):
        return f"{pointer}->{pattern[1:]}"
    return f"{pointer}{pattern}" if pattern else f"*{pointer}"
