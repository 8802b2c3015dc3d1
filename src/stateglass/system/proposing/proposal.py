"""The proposal for a program: its abstraction map, with a reason for each line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import Enum, Function, Program
from stateglass.program.abstractions import Abstraction, Top
from stateglass.program.callgraph import Reachable, reachable
from stateglass.program.layout import count_cells
from stateglass.program.names import is_literal, is_static_local, without_file
from stateglass.source import Span
from stateglass.system.maps.abstractions import (
    ArrayOf,
    MapAbstraction,
)
from stateglass.system.maps.conditions import VariableName
from stateglass.system.maps.entries import AbstractionMap, FileScope, FunctionScope, VariableEntry
from stateglass.system.maps.names import Names
from stateglass.system.maps.places import EVERY, PlaceName
from stateglass.system.proposing.choosing import choose
from stateglass.system.proposing.facts import Ledger
from stateglass.system.proposing.gathering import Gathering
from stateglass.system.proposing.objects import RESULT, Key, Objects

MOST_KEPT: Final = 256
"""Variables of more elements are not kept: each element would be a part of every state."""
HEAD: Final = "// Proposed from what the code does with its variables: please check."


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A variable of the map: what is kept of it, and why."""

    file: str
    function: str | None
    name: str
    abstraction: str
    reason: str


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """A map, and the functions that it starts from."""

    map: AbstractionMap
    functions: tuple[str, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All variables, in the order of the map."""
        found: list[Row] = []
        for scope in self.map.items:
            assert isinstance(scope, FileScope)
            for item in scope.items:
                function = item.name if isinstance(item, FunctionScope) else None
                entries = item.variables if isinstance(item, FunctionScope) else (item,)
                found += [Row(scope.file, function, str(e.place), str(e.abstraction), e.comment) for e in entries]
        return tuple(found)

    def __str__(self) -> str:
        return f"{HEAD}\n{self.map}"


def propose_abstractions(program: Program, functions: tuple[str, ...]) -> Proposal:
    """A map for all that a run of some functions may use, in the order of the program."""
    return _Proposing(program, functions).proposal()


@final
class _Proposing:
    def __init__(self, program: Program, functions: tuple[str, ...]) -> None:
        self._program = program
        self._entries = functions
        used: Reachable = reachable(program, functions)
        own = set(program.own_functions)
        self._functions = [f for n, f in program.functions.items() if n in used.functions and n in own]
        self._variables = [
            n
            for n, v in program.variables.items()
            if n in used.variables and not v.literal and not is_literal(n) and not v.span.in_library
        ]
        self._objects = Objects(program, self._functions, self._variables)
        self._ledger = Ledger()
        gathering = Gathering(program, self._objects, self._ledger)
        for name in self._variables:
            gathering.start(name)
        for function in self._functions:
            gathering.function(function)
        for name in functions:
            # The environment calls them with whatever their bounds allow.
            for parameter in program.functions[name].parameters:
                gathering.given(VariableName(name, parameter.name))
        self._ledger.settle()
        self._names = Names(program)

    def proposal(self) -> Proposal:
        files: dict[str, list[FunctionScope | VariableEntry]] = {}
        # What a header defines for several files is there once for each of them, and declared once for all.
        seen: set[Span] = set()
        for name in self._variables:
            variable = self._program.variables[name]
            if not is_static_local(name) and variable.span not in seen:
                seen.add(variable.span)
                place = without_file(name)
                entries = self._entries_of(VariableName(None, name), place, constant=variable.readonly)
                files.setdefault(variable.span.file, []).extend(entries)
        for function in self._functions:
            if function.span not in seen:
                seen.add(function.span)
                files.setdefault(function.span.file, []).append(self._function(function))
        names = _short_names(files)
        known = [f for f in self._program.files if f in files]
        ordered = [*known, *(f for f in files if f not in known)]
        scopes = tuple(FileScope(names[f], tuple(files[f])) for f in ordered if files[f])
        return Proposal(AbstractionMap(scopes), self._entries)

    def _function(self, function: Function) -> FunctionScope:
        entries: list[VariableEntry] = []
        for variable, shown in self._names.own_names(function).items():
            constant = variable.function is None and self._program.variables[variable.name].readonly
            if variable.function is not None or variable.name in self._variables:
                entries += self._entries_of(variable, shown, constant=constant)
        result, reason = None, ""
        key = Key(VariableName(function.name, RESULT))
        if key in self._objects.types:
            result, reason = self._choose(key, constant=False)
        name = without_file(function.name)
        return FunctionScope(name, result, variables=tuple(entries), comment=reason and f"returns: {reason}")

    def _entries_of(self, variable: VariableName, shown: str, *, constant: bool) -> list[VariableEntry]:
        found = []
        for pattern in self._objects.below(self._objects.type_of(variable)):
            chosen, reason = self._choose(Key(variable, pattern), constant=constant)
            steps = _steps(pattern)
            abstraction: MapAbstraction = chosen
            while steps and steps[-1] == EVERY:
                steps.pop()
                abstraction = ArrayOf(abstraction)
            found.append(VariableEntry(PlaceName(shown, tuple(steps)), abstraction, comment=reason))
        return found

    def _choose(self, key: Key, *, constant: bool) -> tuple[Abstraction, str]:
        type = self._objects.types[key]
        if count_cells(self._objects.type_of(key.variable), self._program.records) > MOST_KEPT:
            return Top(), f"more than {MOST_KEPT} elements"
        enum = self._program.enums.get(type.name) if isinstance(type, Enum) else None
        return choose(type, self._ledger.of(key), enum, constant)


def _steps(pattern: str) -> list[str | int]:
    """`.member[]` as steps."""
    steps: list[str | int] = []
    for member in pattern.replace("[]", ".[]").split("."):
        if member:
            steps.append(EVERY if member == "[]" else member)
    return steps


def _short_names(files: dict[str, list[FunctionScope | VariableEntry]]) -> dict[str, str]:
    """What files are called: without folders, where that leaves no doubt, so that the map holds from elsewhere too."""
    short = {f: os.path.basename(f) for f in files}
    return {f: s if list(short.values()).count(s) == 1 else f for f, s in short.items()}
