"""Who calls whom: what can be reached from some functions, pointers to functions included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.program.nodes import (
    AddressOf,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
    Block,
    Branch,
    Call,
    Clear,
    Copy,
    CopyBytes,
    Declare,
    DeclareArray,
    Drop,
    End,
    Exit,
    Fail,
    FunctionReference,
    Global,
    Input,
    Jump,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
)
from stateglass.program.program import Program
from stateglass.program.walk import Node, base_of, everything_below, nodes_in


@final
@dataclass(frozen=True, slots=True)
class Reachable:
    """What a run that starts in some functions may use, in the order in which the search meets it."""

    functions: tuple[str, ...]  # with a body
    externals: tuple[str, ...]  # without
    results_used: frozenset[str]  # externals whose result some call looks at
    inputs: tuple[Input, ...]
    variables: frozenset[str]
    allocates: bool  # memory from the heap


def reachable(program: Program, roots: Iterable[str]) -> Reachable:
    """Everything that a run may use which starts in `roots`.

    A function whose address is taken counts as called, and its result as used: who calls it through a pointer, and what
    for, is not followed.
    """
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
        match node:
            case Allocate():
                self.allocates = True
            case Input(_, name):
                self.inputs.setdefault(name, node)
            case Call(result, str(callee)):
                self.todo.append(callee)
                if result is not None:
                    self.used.add(callee)
            case Call():
                pass  # whoever a pointer leads to is mentioned elsewhere
            case Assign() | Copy() | CopyBytes() | Clear() | AllocatedSize() | Release() | Apart() | Unsupported():
                pass
            case Declare() | DeclareArray() | End():
                pass
            case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
                pass
            case _:
                assert_never(node)
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
    """The functions, and the variables, whose addresses are taken anywhere: pointers may lead to these alone."""
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
    """The variables whose initial value is not known, or points to such a variable; and why."""
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
