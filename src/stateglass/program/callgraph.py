"""Who calls whom: what can be reached from some functions, pointers to functions included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from stateglass.program.nodes import (
    AddressOf,
    Allocate,
    Block,
    Call,
    FunctionReference,
    Global,
    Input,
    Statement,
    Terminator,
)
from stateglass.program.program import Program
from stateglass.program.walk import Node, base_of, everything_below, nodes_in


@final
@dataclass(frozen=True, slots=True)
class Reachable:
    """What a run that starts in some functions may use, in the order it is met."""

    functions: tuple[str, ...]  # with a body
    externals: tuple[str, ...]  # without
    results_used: frozenset[str]  # externals whose result some call looks at
    inputs: tuple[Input, ...]
    variables: frozenset[str]
    allocates: bool  # memory from the heap


def reachable(program: Program, roots: Iterable[str]) -> Reachable:
    """A function whose address is taken counts as called, and its result as used."""
    return _Search(program).run(roots)


@final
class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[str, None] = {}
        self.externals: dict[str, None] = {}
        self.used: set[str] = set()
        self.inputs: dict[str, Input] = {}
        self.variables: set[str] = set()
        self.allocates = False
        self.todo: list[str] = []

    def run(self, roots: Iterable[str]) -> Reachable:
        self.todo = list(roots)
        while self.todo:
            name = self.todo.pop(0)
            if name not in self.program.functions:
                self.externals[name] = None
            elif name not in self.functions:
                self.functions[name] = None
                for node in statements_of(self.program.functions[name].blocks):
                    self._look(node)
        return Reachable(
            tuple(self.functions),
            tuple(self.externals),
            frozenset(self.used),
            tuple(self.inputs.values()),
            frozenset(self.variables),
            self.allocates,
        )

    def _look(self, node: Statement | Terminator) -> None:
        self.allocates |= isinstance(node, Allocate)
        if isinstance(node, Input):
            self.inputs.setdefault(node.name, node)
        if isinstance(node, Call) and isinstance(node.callee, str):
            self.todo.append(node.callee)
            if node.result is not None:
                self.used.add(node.callee)
        for inner in nodes_in(node):
            self._mention(inner)

    def _mention(self, node: object) -> None:
        if isinstance(node, FunctionReference):
            self.todo.append(node.name)
            self.used.add(node.name)
        elif isinstance(node, Global) and node.name not in self.variables:
            self.variables.add(node.name)
            variable = self.program.variables.get(node.name)
            for initial in variable.initial if variable is not None else ():
                for inner in everything_below(initial.value):
                    self._mention(inner)


def mentioned(program: Program) -> tuple[frozenset[str], frozenset[str]]:
    """Functions that pointers may lead to, and variables that they may lead to."""
    functions: set[str] = set()
    variables: set[str] = set()
    for node in nodes_of(program):
        if isinstance(node, FunctionReference):
            functions.add(node.name)
        elif isinstance(node, AddressOf):
            base = base_of(node.place)
            if isinstance(base, Global):
                variables.add(base.name)
    return frozenset(functions), frozenset(variables)


def unknown_variables(program: Program) -> dict[str, str]:
    """Variables that start with something which is not known, or lead to such a one from the start; and why."""
    found = {v.name: v.unsupported for v in program.variables.values() if v.unsupported}
    size = -1
    while found and size != len(found):
        size = len(found)
        for variable in program.variables.values():
            for initial in variable.initial:
                for node in everything_below(initial.value):
                    if isinstance(node, Global) and node.name in found:
                        found.setdefault(variable.name, found[node.name])
    return found


def nodes_of(program: Program) -> Iterator[Node]:
    """Every expression and place in the code, then those in the initial values of variables."""
    for function in program.functions.values():
        for statement in statements_of(function.blocks):
            yield from nodes_in(statement)
    for variable in program.variables.values():
        for initial in variable.initial:
            yield from everything_below(initial.value)


def statements_of(blocks: Iterable[Block]) -> Iterator[Statement | Terminator]:
    """All statements and terminators, in textual order."""
    for block in blocks:
        yield from block.statements
        yield block.terminator
