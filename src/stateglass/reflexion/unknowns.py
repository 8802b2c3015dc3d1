"""What is not known before a call: the value of every variable, parameter and pointer, as terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.machine import Machine
from stateglass.explore.memory import Object
from stateglass.explore.merging import new_value
from stateglass.explore.merging.contents import UNWRITTEN, Content
from stateglass.program import (
    Array,
    Cell,
    Function,
    FunctionType,
    Local,
    Opaque,
    Pointer,
    Program,
    Record,
    Scalar,
    Type,
    Variable,
    Void,
    is_scalar,
)
from stateglass.smt import Term, Terms
from stateglass.values import Concrete

MOST_TARGETS: Final = 64
"""So many objects a pointer may lead to before the call."""
TEXTS: Final = "the texts in the code"
"""How string literals are called: they have no names of their own."""


@final
@dataclass(frozen=True, slots=True)
class Unknown:
    """A scalar that the surroundings or an earlier call have set."""

    name: str
    type: Scalar
    term: Term


@final
class Unknowns:
    """The unknowns of one function. What no one asks for has no term."""

    def __init__(self, program: Program, function: Function, terms: Terms) -> None:
        self.terms = terms
        self.function = function
        extra = [made for p in function.parameters if (made := _pointed(p)) is not None]
        self.machine = Machine(program, Concrete(), extra)
        self.extra = tuple(extra)
        self.assumptions: dict[str, None] = {}
        self._program = program
        self._first = list(self.machine.cells)
        self._cells: dict[int, Content] = {}
        self._objects = tuple(self.machine.memory.objects)
        self._owner: list[tuple[Object, Cell]] = [(o, c) for o in self._objects for c in o.shape]
        self.variables: dict[int, Unknown] = {}
        self.arguments: list[Term | list[Content]] = [self._argument(p) for p in function.parameters]
        self.parameters: list[Unknown] = [
            Unknown(p.name, p.type, term)
            for p, term in zip(function.parameters, self.arguments, strict=True)
            if isinstance(term, Term) and is_scalar(p.type) and not isinstance(p.type, Pointer)
        ]

    def before(self, number: int) -> Content:
        """What a cell holds before the call."""
        found = self._cells.get(number)
        if found is None:
            found = self._cells[number] = self._made(number)
        return found

    def known_cells(self) -> list[tuple[int, Content]]:
        """All cells that somebody has asked for."""
        return list(self._cells.items())

    def is_constant(self, number: int) -> bool:
        return self._owner[number][0].readonly

    def name_of(self, number: int) -> str:
        owner, cell = self._owner[number]
        return shown(owner.name, cell.path)

    def cell(self, number: int) -> Cell:
        return self._owner[number][1]

    def _made(self, number: int) -> Content:
        owner, cell = self._owner[number]
        if owner.readonly:
            first = self._first[number]
            return self.terms.constant(first, cell.width) if isinstance(first, int) else UNWRITTEN
        name = shown(owner.name, cell.path)
        if isinstance(cell.type, Pointer):
            return self._pointer(name, cell.type, f"{name}@{number}")
        term = new_value(self.terms, f"{name}@{number}", cell.type)
        self.variables[number] = Unknown(name, cell.type, term)
        return term

    def _argument(self, parameter: Local) -> Term | list[Content]:
        type = parameter.type
        if isinstance(type, Record):
            shape = self.machine.memory.shape(type)
            return [new_value(self.terms, f"{parameter.name}{c.path}@{n}", c.type) for n, c in enumerate(shape)]
        assert is_scalar(type)
        if not isinstance(type, Pointer):
            return new_value(self.terms, parameter.name, type)
        own = self.machine.globals.get(f"*{parameter.name}")
        if own is None:
            return self._pointer(parameter.name, type, f"{parameter.name}@")
        self.assumptions[f"`{parameter.name}` points to an object of its own"] = None
        return self.terms.constant(own.address, 8 * type.size)

    def _pointer(self, name: str, type: Pointer, unknown: str) -> Term:
        """Null, or the address of one of the objects there are."""
        width = 8 * type.size
        targets = list(self._targets(type))[:MOST_TARGETS]
        literals = {n for n, v in self._program.variables.items() if v.literal}
        names = ", ".join(dict.fromkeys(TEXTS if n.partition("[")[0] in literals else n for n, _ in targets))
        self.assumptions[f"`{name}` is null{' or points to one of ' + names if names else ''}"] = None
        result = self.terms.constant(0, width)
        for number, (_, address) in enumerate(targets):
            chosen = self.terms.variable(f"{unknown}={number}", 0)
            result = self.terms.choose(chosen, self.terms.constant(address, width), result)
        return result

    def _targets(self, type: Pointer) -> Iterable[tuple[str, int]]:
        target, machine = type.target, self.machine
        if isinstance(target, FunctionType):
            for name, function in self._program.functions.items():
                same = tuple(p.type for p in function.parameters) == target.parameters
                if same and function.result == target.result and not name.startswith("%"):
                    yield name, machine.known.address(name)
            return
        for found in self._objects:
            # What is volatile is never read through a pointer to something that is not.
            if (found.readonly and not type.readonly) or found.address in machine.memory.volatile:
                continue
            if found.type == target:
                yield found.name, found.address
            elif isinstance(found.type, Array) and found.type.element == target:
                step = found.size // max(found.type.count, 1)
                yield from ((f"{found.name}[{n}]", found.address + n * step) for n in range(found.type.count))


def _pointed(parameter: Local) -> Variable | None:
    """The object that a pointer parameter leads to."""
    type = parameter.type
    if not isinstance(type, Pointer) or isinstance(type.target, FunctionType | Void | Opaque):
        return None
    target: Type = type.target
    return Variable(f"*{parameter.name}", target)


def shown(owner: str, path: str) -> str:
    """A scalar as C has it: `x`, `s.a[2]`, `p->state`."""
    if not owner.startswith("*"):
        return f"{owner}{path}"
    if path.startswith("."):
        return f"{owner[1:]}->{path[1:]}"
    return f"{owner[1:]}{path}" if path else owner
