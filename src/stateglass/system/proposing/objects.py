"""The variables of a program as a proposal sees them: scalars by pattern, all elements of an array as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.program import (
    AddressOf,
    Array,
    Bool,
    Cell,
    Dereference,
    Element,
    Enum,
    Float,
    Function,
    FunctionType,
    Global,
    Int,
    Local,
    Member,
    Opaque,
    Place,
    Pointer,
    Program,
    Record,
    Scalar,
    Type,
    Void,
    cells_of,
    is_scalar,
)
from stateglass.program.callgraph import statements_of
from stateglass.program.layout import count_cells
from stateglass.program.walk import nodes_in
from stateglass.system.maps.conditions import VariableName

MOST_CELLS: Final = 1 << 12
"""The initial values of larger variables are not looked at."""
RESULT: Final = "()"
"""As a variable: what a function returns."""

_INDEX: Final = re.compile(r"\[[0-9]+\]")


@final
@dataclass(frozen=True, slots=True)
class Key:
    """A scalar of a variable, or that scalar of every element: `.member[]`."""

    variable: VariableName
    pattern: str = ""


def pointee(type: Type) -> VariableName:
    """A made-up variable for what pointers to a type lead to apart from the program's variables."""
    return VariableName(None, f"*{type}")


@final
class Objects:
    """Which scalars there are, and which of them a place in the code may be."""

    def __init__(
        self, program: Program, functions: Iterable[Function], variables: Iterable[str], *, unnamed: bool = False
    ) -> None:
        """`unnamed`: what pointers lead to is an object too (`pointee`), and members of unions are scalars."""
        self._program = program
        self._unnamed = unnamed
        self.types: dict[Key, Scalar] = {}
        self._whole: dict[VariableName, Type] = {}
        self._records: dict[str, list[Key]] = {}
        self._addressed: dict[Type, dict[Key, None]] = {}
        functions = list(functions)
        for name in variables:
            self._add(VariableName(None, name), program.variables[name].type)
        for function in functions:
            for local in (*function.parameters, *function.locals):
                self._add(VariableName(function.name, local.name), local.type)
            self._add(VariableName(function.name, RESULT), function.result)
        for function in functions:
            for node in statements_of(function.blocks):
                for inner in nodes_in(node):
                    if isinstance(inner, AddressOf):
                        self._note_address(inner, function.name)

    def keys(self, place: Place, function: str) -> list[Key]:
        """The scalars that a scalar place may be; none where nothing is known."""
        return [k for k in self.parts(place, function) if k in self.types]

    def parts(self, place: Place, function: str) -> list[Key]:
        """The variables, each with the pattern of a path into it, that a place of any type may be."""
        match place:
            case Global(name):
                return [Key(VariableName(None, name))]
            case Local(name):
                return [Key(VariableName(function, name))]
            case Member(base, field):
                step = f".{field}" if field else ""
                return [Key(k.variable, k.pattern + step) for k in self.parts(base, function)]
            case Element(base, _):
                return [Key(k.variable, f"{k.pattern}[]") for k in self.parts(base, function)]
            case Dereference(_, type):
                if self._unnamed and pointee(type) not in self._whole:
                    self._add(pointee(type), type)
                    if is_scalar(type):
                        self._addressed.setdefault(type, {})[Key(pointee(type))] = None
                if isinstance(type, Record):
                    return self._records.get(type.name, [])
                return list(self._addressed.get(type, ()))
            case _:
                assert_never(place)

    def below(self, type: Type) -> list[str]:
        """The patterns of the scalars of a type."""
        return [pattern for pattern, _ in self._scalars(type, "")]

    def keys_of(self, variable: VariableName) -> list[Key]:
        """The scalars of a variable; none of one that is not looked at, such as a text."""
        type = self._whole.get(variable)
        return [] if type is None else [Key(variable, pattern) for pattern in self.below(type)]

    def initial_cells(self, variable: VariableName) -> Iterator[tuple[Key, Cell]]:
        """The cells of a variable with the scalars that they belong to."""
        type = self._whole[variable]
        if count_cells(type, self._program.records) > MOST_CELLS:
            return
        for cell in cells_of(type, self._program.records):
            key = Key(variable, _INDEX.sub("[]", cell.path))
            if key in self.types and not cell.padding:
                yield key, cell

    def type_of(self, variable: VariableName) -> Type:
        return self._whole[variable]

    def _add(self, variable: VariableName, type: Type) -> None:
        self._whole[variable] = type
        for pattern, scalar in self._scalars(type, ""):
            self.types[Key(variable, pattern)] = scalar
        for name, pattern in self._records_in(type, ""):
            self._records.setdefault(name, []).append(Key(variable, pattern))

    def _scalars(self, type: Type, pattern: str) -> Iterator[tuple[str, Scalar]]:
        match type:
            case Bool() | Int() | Float() | Enum() | Pointer():
                yield pattern, type
            case Array(element, count):
                yield from self._scalars(element, f"{pattern}[]") if count else ()
            case Record(name):
                layout = self._program.records[name]
                # Members of a union share their bytes: what one of them holds says nothing about another.
                skipped = (layout.union and not self._unnamed) or layout.unsupported
                for field in layout.fields if not skipped else ():
                    yield from self._scalars(field.type, f"{pattern}.{field.name}" if field.name else pattern)
            case Void() | FunctionType() | Opaque():
                return
            case _:
                assert_never(type)

    def _records_in(self, type: Type, pattern: str) -> Iterator[tuple[str, str]]:
        if isinstance(type, Array):
            yield from self._records_in(type.element, f"{pattern}[]")
        elif isinstance(type, Record):
            yield type.name, pattern
            layout = self._program.records[type.name]
            for field in layout.fields if not layout.union or self._unnamed else ():
                yield from self._records_in(field.type, f"{pattern}.{field.name}" if field.name else pattern)

    def _note_address(self, node: AddressOf, function: str) -> None:
        if not is_scalar(node.type.target):
            return
        for key in [] if isinstance(node.place, Dereference) else self.parts(node.place, function):
            while key not in self.types and f"{key.pattern}[]" in self._patterns(key):
                key = Key(key.variable, f"{key.pattern}[]")
            if key in self.types and self.types[key] == node.type.target:
                self._addressed.setdefault(node.type.target, {})[key] = None

    def _patterns(self, key: Key) -> set[str]:
        """The patterns of a variable, and what they begin with."""
        found = set()
        for pattern in self.below(self._whole[key.variable]) if key.variable in self._whole else []:
            found |= {pattern[: m.end()] for m in re.finditer(r"\[\]", pattern)}
        return found
