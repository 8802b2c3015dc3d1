"""The dependences of a program: functions after those that they call, recursive ones until nothing changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from stateglass.graphs.lists import components, members
from stateglass.program.callgraph import mentioned, reachable, statements_of
from stateglass.program.dependence.functions import FunctionDependence
from stateglass.program.dependence.leaves import Leaf, Memory
from stateglass.program.dependence.summaries import BOTTOM, CALLED, Summary, bits
from stateglass.program.nodes import Call, Statement, Terminator
from stateglass.program.program import Function, Program


@final
@dataclass(frozen=True, slots=True)
class NodePlace:
    """A statement or terminator and the function that it stands in."""

    function: str
    index: int  # in textual order
    node: Statement | Terminator


@final
@dataclass(frozen=True, slots=True)
class Influence:
    """What depends on a scalar, in a function and those that it calls."""

    leaf: Leaf
    first_read: bool  # on some path it is read before it is certainly written
    written: bool  # it may be written
    dependent: tuple[NodePlace, ...]  # nodes that depend on its value at entry
    decided: tuple[NodePlace, ...]  # decisions whose outcome depends on that value
    tested: frozenset[tuple[str, int]]  # decisions that read it themselves: function and index


@final
class Dependences:
    """Answers for all functions that can be reached from some roots."""

    def __init__(self, program: Program, roots: Iterable[str]) -> None:
        self._program = program
        self._pointed = [program.functions[n] for n in sorted(mentioned(program)[0]) if n in program.functions]
        names = reachable(program, roots).functions
        if any(_calls_pointer(program.functions[n]) for n in names):
            # The pointer may have been set by code that these functions do not reach.
            names = reachable(program, [*names, *(f.name for f in self._pointed)]).functions
        self._functions = [program.functions[n] for n in names]
        self._memory = Memory(program, self._functions)
        self._start: dict[str, int] = {}
        self._nodes: list[NodePlace] = []
        self._callees: dict[str, dict[int, list[str]]] = {}
        for function in self._functions:
            self._start[function.name] = len(self._nodes)
            nodes = list(statements_of(function.blocks))
            self._nodes += [NodePlace(function.name, i, n) for i, n in enumerate(nodes)]
            self._callees[function.name] = {
                i: found for i, n in enumerate(nodes) if isinstance(n, Call) and (found := self._meant(n))
            }
        self._summaries: dict[str, Summary] = {}
        for group in self._groups():
            self._solve(group)

    def influences(self, function: str) -> list[Influence]:
        """All scalars with a name outside of a function whose values at entry it may use."""
        summary = self._summaries[function]
        return [self._influence(summary, leaf) for leaf in summary.inputs if leaf != CALLED]

    def flows(self, function: str) -> dict[Leaf, frozenset[Leaf]]:
        """For each scalar that a function may write: those whose values at entry decide what it holds in the end."""
        leaves = self._memory.leaves
        outputs = self._summaries[function].outputs
        return {
            leaves[leaf]: frozenset(leaves[i] for i in output.inputs if i != CALLED)
            for leaf, output in outputs.items()
            if leaf >= 0
        }

    def _influence(self, summary: Summary, number: int) -> Influence:
        tested = self._places(summary.tested.get(number, 0))
        return Influence(
            self._memory.leaves[number],
            number in summary.first_read,
            number in summary.outputs,
            self._places(summary.dependent.get(number, 0)),
            self._places(summary.decided.get(number, 0)),
            frozenset((place.function, place.index) for place in tested),
        )

    def _places(self, numbers: int) -> tuple[NodePlace, ...]:
        return tuple(self._nodes[n] for n in bits(numbers))

    def _meant(self, call: Call) -> list[str]:
        """The functions with a body that a call may mean; through a pointer, those that take so many arguments."""
        if isinstance(call.callee, str):
            return [call.callee] if call.callee in self._program.functions else []
        count = len(call.arguments)
        return [f.name for f in self._pointed if len(f.parameters) == count or (f.variadic and count)]

    def _groups(self) -> list[list[Function]]:
        numbers = {f.name: i for i, f in enumerate(self._functions)}
        following = [
            [numbers[c] for found in self._callees[f.name].values() for c in found if c in numbers]
            for f in self._functions
        ]
        return [[self._functions[n] for n in group] for group in members(components(following))]

    def _solve(self, group: list[Function]) -> None:
        for function in group:
            self._summaries[function.name] = BOTTOM
        again = True
        while again:
            again = False
            for function in group:
                callees = self._callees[function.name]
                found = {n: [self._summaries[c] for c in names] for n, names in callees.items()}
                start = self._start[function.name]
                summary = FunctionDependence(self._program, self._memory, function, start, found).summary()
                recursive = len(group) > 1 or any(function.name in names for names in callees.values())
                again |= recursive and summary != self._summaries[function.name]
                self._summaries[function.name] = summary


def _calls_pointer(function: Function) -> bool:
    return any(isinstance(n, Call) and not isinstance(n.callee, str) for n in statements_of(function.blocks))
