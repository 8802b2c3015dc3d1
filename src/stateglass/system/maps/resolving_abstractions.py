"""From an abstraction map to the abstractions of the cells of a program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, assert_never, final

from stateglass.program import (
    Array,
    Bool,
    Declaration,
    Enum,
    Float,
    Function,
    FunctionType,
    Int,
    Opaque,
    Pointer,
    Program,
    Record,
    Type,
    Void,
    cells_of,
    is_scalar,
)
from stateglass.program.abstractions import Abstraction, Free, Top
from stateglass.program.layout import count_cells
from stateglass.source import Code, InputError, Span
from stateglass.system.maps.abstractions import (
    ArrayOf,
    MapAbstraction,
)
from stateglass.system.maps.conditions import VariableName
from stateglass.system.maps.entries import AbstractionMap, FileScope, FunctionScope, VariableEntry
from stateglass.system.maps.names import Names, Part, members_of
from stateglass.system.maps.places import EVERY
from stateglass.system.maps.resolved import ResolvedAbstractions

MOST_CELLS: Final = 1 << 16
"""So many elements a variable may have whose elements are kept apart."""


@final
@dataclass(frozen=True, slots=True)
class _Said:
    """What an entry says about a cell, and how close to the cell it is: of two entries the closer one counts."""

    abstraction: Abstraction
    closeness: tuple[int, int]
    span: Span


def resolve_abstractions(map: AbstractionMap, program: Program) -> ResolvedAbstractions:
    """What a map means for a program. Everything that is wrong is one `InputError`."""
    resolving = _Resolving(program)
    for item in map.items:
        resolving.item(item, None)
    if resolving.names.problems:
        raise InputError(dict.fromkeys(resolving.names.problems))
    return resolving.result()


@final
class _Resolving:
    def __init__(self, program: Program) -> None:
        self.names = Names(program)
        self._program = program
        self._cells: dict[VariableName, dict[str, _Said]] = {}
        self._results: dict[str, tuple[Abstraction, Span]] = {}

    def result(self) -> ResolvedAbstractions:
        cells = {
            variable: MappingProxyType({path: s.abstraction for path, s in said.items()})
            for variable, said in self._cells.items()
        }
        results = {function: abstraction for function, (abstraction, _) in self._results.items()}
        return ResolvedAbstractions(MappingProxyType(cells), MappingProxyType(results))

    def item(self, item: FileScope | FunctionScope | VariableEntry, file: str | None) -> None:
        match item:
            case FileScope():
                found = self.names.file(item.file, item.span)
                for inner in item.items if found is not None else ():
                    self.item(inner, found)
            case FunctionScope():
                for function in self.names.functions(item.name, item.span, file):
                    self._function(item, function)
            case VariableEntry():
                for part in self.names.variables(item.place, file):
                    self._declare(item, part)
            case _:
                assert_never(item)

    def _function(self, scope: FunctionScope, function: Function | Declaration) -> None:
        if scope.result is not None:
            self._result(scope, function, scope.result)
        parameters = [p.name for p in function.parameters] if isinstance(function, Function) else []
        for entry in scope.parameters:
            if entry.place.name not in parameters:
                listed = ", ".join(f"`{p}`" for p in parameters)
                help = f"it has {listed}" if listed else ""
                self.names.problem(f"`{function.name}` has no parameter `{entry.place.name}`", entry.span, help)
        fitting = [e for e in scope.parameters if e.place.name in parameters]
        for entry in (*fitting, *scope.variables):
            if entry.place.scope is not None:
                message = (
                    f"`{entry.place.text('::')}` stands within `fun {scope.name}`, where only its own variables do"
                )
                self.names.problem(message, entry.place.span, "declare it outside of the function", Code.MAP)
                continue
            part = self.names.local(function, entry.place)
            if part is not None:
                self._declare(entry, part)

    def _result(self, scope: FunctionScope, function: Function | Declaration, abstraction: MapAbstraction) -> None:
        scalar = self._scalar(abstraction, function.result, f"what `{function.name}` returns", scope.span)
        known = self._results.get(function.name)
        if known is not None:
            message = f"what `{function.name}` returns is declared twice"
            self.names.problem(message, scope.span, f"the first time is at {known[1]}", Code.MAP)
        elif scalar is not None:
            self._results[function.name] = scalar, scope.span

    def _declare(self, entry: VariableEntry, part: Part) -> None:
        name = entry.place.text("::")
        scalar = self._scalar(entry.abstraction, part.type, f"`{name}`", entry.span)
        if scalar is None:
            return
        variable_type = self._type(part.variable)
        if count_cells(variable_type, self._program.records) > MOST_CELLS:
            if not isinstance(scalar, Top):
                message = f"`{name}` belongs to a variable of more than {MOST_CELLS:,} elements, which is always `top`"
                self.names.problem(message, entry.span, code=Code.MAP)
            return
        pattern = _pattern(part.steps, exact=is_scalar(part.type))
        paths = [
            c.path
            for c in cells_of(variable_type, self._program.records)
            if not c.padding and pattern.fullmatch(c.path)
        ]
        if not paths and is_scalar(part.type):
            message = f"`{name}` shares its bytes with other members of a union, and has no abstraction of its own"
            self.names.problem(message, entry.span, "give one for the members that it consists of", Code.MAP)
        elif not paths and isinstance(part.type, Array) and not isinstance(scalar, Top):
            message = f"how many elements `{name}` has is not known"
            self.names.problem(message, entry.span, "it stays `top`", Code.MAP)
        closeness = len(part.steps), sum(s != EVERY for s in part.steps)
        self._enter(part.variable, paths, _Said(scalar, closeness, entry.span), name)

    def _enter(self, variable: VariableName, paths: list[str], said: _Said, name: str) -> None:
        known = self._cells.setdefault(variable, {})
        for path in paths:
            before = known.get(path)
            if before is not None and before.closeness == said.closeness:
                self.names.problem(
                    f"`{name}` is declared twice", said.span, f"the first time is at {before.span}", Code.MAP
                )
                return
            if before is None or before.closeness < said.closeness:
                known[path] = said

    def _type(self, variable: VariableName) -> Type:
        if variable.function is None:
            return self._program.variables[variable.name].type
        function = self._program.functions[variable.function]
        return next(v.type for v in (*function.parameters, *function.locals) if v.name == variable.name)

    def _scalar(self, abstraction: MapAbstraction, type: Type, shown: str, span: Span) -> Abstraction | None:
        """The abstraction of all cells of a type; None after a problem if it does not fit."""
        if not isinstance(abstraction, ArrayOf) and isinstance(abstraction, Top):
            return abstraction
        message, help = "", ""
        match type:
            case Bool() | Int() | Enum():
                if not isinstance(abstraction, ArrayOf):
                    return abstraction
                message, help = f"{shown} is no array", f"write `{_element(abstraction)}`"
            case Array():
                if isinstance(abstraction, ArrayOf):
                    return self._scalar(abstraction.element, type.element, f"an element of {shown}", span)
                if isinstance(abstraction, Free):
                    return abstraction
                message, help = f"{shown} is an array", f"write `{abstraction} array`"
            case Pointer():
                if isinstance(abstraction, Free):
                    return abstraction
                message, help = f"{shown} is a pointer", "it can be `free`, which keeps what it points to, or `top`"
            case Float():
                message, help = f"{shown} is a floating-point number", "abstractions are for integers: it stays `top`"
            case Record():
                if isinstance(abstraction, Free):
                    return abstraction
                members = list(members_of(self._program.records[type.name], self._program))[:6]
                message, help = f"{shown} is a record", "declare its members: " + ", ".join(f"`.{m}`" for m in members)
            case Void():
                message, help = f"{shown} is nothing at all", "write `top`, or leave it out"
            case Opaque() | FunctionType():
                message, help = f"{shown} is of a type that is not modelled", "it stays `top`"
            case _:
                assert_never(type)
        self.names.problem(f"{message}, and `{abstraction}` does not fit", span, help, Code.MAP)
        return None


def _element(abstraction: MapAbstraction) -> MapAbstraction:
    while isinstance(abstraction, ArrayOf):
        abstraction = abstraction.element
    return abstraction


def _pattern(steps: tuple[str | int, ...], *, exact: bool) -> re.Pattern[str]:
    """Matches the paths of the cells of a part."""
    texts = [
        re.escape(f".{s}") if isinstance(s, str) else r"\[[0-9]+\]" if s == EVERY else re.escape(f"[{s}]")
        for s in steps
    ]
    return re.compile("".join(texts) + ("" if exact else r"(?:[.\[@].*)?"))
