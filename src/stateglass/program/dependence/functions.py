"""The dependences inside one function, given what the functions that it calls mean.

The graph has a vertex for each node of the function (with the same number), for each input at entry, for each input and
output of each function that a call may mean, and for each set of definitions that meet where a leaf is read. An edge
leads from a vertex to what it depends on. Solving the graph once gives the function's summary; for recursive functions
summaries grow until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.program.callgraph import statements_of
from stateglass.program.dependence.accesses import Access, Accesses
from stateglass.program.dependence.leaves import Memory, RootKind
from stateglass.program.dependence.reaching import Definition, Reaching
from stateglass.program.dependence.segments import Segments, cut
from stateglass.program.dependence.solving import Vertices
from stateglass.program.dependence.summaries import CALLED, ENDS, RESULT, Output, Summary, bits
from stateglass.program.names import is_made_up
from stateglass.program.nodes import (
    Aggregate,
    Allocate,
    AllocatedSize,
    Apart,
    Assign,
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
    Expression,
    Fail,
    Input,
    Jump,
    Local,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
)
from stateglass.program.program import Function, Program


@final
@dataclass(frozen=True, slots=True)
class Given:
    """What the caller gives for one input of a callee: the content of leaves, or the value of an expression."""

    leaves: tuple[int, ...] = ()
    value: Expression | Aggregate | None = None


@final
@dataclass(slots=True)
class _Callee:
    """One function that a call may mean, with the vertices for its inputs and outputs."""

    summary: Summary
    given: dict[int, Given]
    inputs: dict[int, int]
    outputs: dict[int, int]


@final
class FunctionDependence:
    """One function's graph, built and solved at once; `number` is that of its first node in the whole program."""

    def __init__(
        self, program: Program, memory: Memory, function: Function, number: int, callees: Mapping[int, list[Summary]]
    ) -> None:
        """`callees` has, by node, the summaries of the functions with a body that a call may mean."""
        self._program = program
        self._memory = memory
        self._function = function
        self._number = number
        self._accesses = Accesses(memory, function.name)
        ending = {node for node, found in callees.items() if any(ENDS in s.outputs or not s.returns for s in found)}
        calls = {id(node): n for n, node in enumerate(statements_of(function.blocks))}
        self.segments: Segments = cut(function, lambda call: calls[id(call)] in ending)
        # The order matters from here on: vertices of nodes come first, so that their numbers are those of the nodes;
        # definitions need the vertices of callees, and edges need the definitions.
        self._vertices = Vertices()
        for _ in self.segments.nodes:
            self._vertices.add()
        self._access = [self._accesses.of(node) for node in self.segments.nodes]
        self._calls = {n: [self._callee(n, s) for s in found] for n, found in callees.items()}
        self._inputs: dict[int, int] = {}  # leaf, or CALLED: its bit
        self._entry: dict[int, int] = {}  # its vertex
        self._reaching = self._definitions()
        self._merged: dict[tuple[int, int], int] = {}
        self.first_read: set[int] = set()
        self._tested: dict[int, int] = {}
        self._kept = self._kept_for_later()
        self._decisions: dict[int, list[int]] = {}  # by node: vertices that its condition reads
        self.run: set[int] = set()  # nodes that are reached
        self._connect()
        self._leaving = self._returned()
        self._vertices.solve()

    # ---- definitions

    def _callee(self, node: int, summary: Summary) -> _Callee:
        call = self.segments.nodes[node]
        assert isinstance(call, Call)
        given = {i: self._given(call, i) for i in summary.inputs if i != CALLED}
        inputs = {i: self._vertices.add() for i in summary.inputs}
        outputs = {o: self._vertices.add() for o in summary.outputs}
        return _Callee(summary, given, inputs, outputs)

    def _given(self, call: Call, number: int) -> Given:
        leaf = self._memory.leaves[number]
        match leaf.root.kind:
            case RootKind.GLOBAL | RootKind.POINTEE:
                return Given((number,))
            case RootKind.PARAMETER:
                argument = self._argument(call, leaf.root.function, leaf.root.name)
                if argument is None or isinstance(argument, Aggregate):
                    return Given()
                return Given(tuple(n for n, _ in self._memory.moved(leaf, argument, self._function.name)))
            case RootKind.LOCAL:
                return Given(value=self._argument(call, leaf.root.function, leaf.root.name))

    def _argument(self, call: Call, function: str, parameter: str) -> Expression | Aggregate | None:
        names = [p.name for p in self._program.functions[function].parameters]
        position = names.index(parameter)
        return call.arguments[position] if position < len(call.arguments) else None

    def _definitions(self) -> Reaching:
        effects: dict[int, list[list[Definition]]] = {}
        leaves: dict[int, None] = {}
        for node, access in enumerate(self._access):
            leaves |= dict.fromkeys((*access.reads, *(leaf for leaf, _ in access.writes)))
            own = [Definition(node, leaf, exact) for leaf, exact in access.writes]
            statement = self.segments.nodes[node]
            if node in self._calls:
                effects[node] = [
                    [*self._written(statement, c, len(self._calls[node]) == 1), *own]
                    for c in self._calls[node]
                    if c.summary.returns
                ]
                for callee in self._calls[node]:
                    leaves |= dict.fromkeys(n for given in callee.given.values() for n in given.leaves)
            elif isinstance(statement, Call):
                seen, changed = self._accesses.handed_out(statement)
                leaves |= dict.fromkeys((*seen, *changed))
                self._access[node] = Access((*access.reads, *seen), access.writes)
                effects[node] = [[*(Definition(node, leaf, False) for leaf in changed), *own]]
            elif own:
                effects[node] = [own]
            leaves |= dict.fromkeys(d.leaf for way in effects.get(node, ()) for d in way)
        outer = [leaf for leaf in leaves if self._is_input(leaf)]
        for leaf in (CALLED, *outer):
            self._inputs[leaf] = bit = len(self._inputs)
            values = 0 if leaf == CALLED else 1 << bit
            self._entry[leaf] = self._vertices.add(everything=1 << bit, values=values)
        # That the function was called reaches every node that is run at all.
        entry = [Definition(self._entry[leaf], leaf, True) for leaf in (CALLED, *outer)]
        return Reaching(self.segments, entry, effects, self._memory.aliases(leaves))

    def _is_input(self, number: int) -> bool:
        root = self._memory.leaves[number].root
        if root.kind is not RootKind.LOCAL:
            return True
        return any(p.name == root.name for p in self._function.parameters)

    def _written(self, call: Statement | Terminator, callee: _Callee, only: bool) -> list[Definition]:
        assert isinstance(call, Call)
        found: list[Definition] = []
        for number, vertex in callee.outputs.items():
            if number in (RESULT, ENDS):
                continue
            leaf = self._memory.leaves[number]
            always = callee.summary.outputs[number].always and only
            if leaf.root.kind is RootKind.PARAMETER:
                argument = self._argument(call, leaf.root.function, leaf.root.name)
                if argument is None or isinstance(argument, Aggregate):
                    continue
                moved = self._memory.moved(leaf, argument, self._function.name)
                found += [Definition(vertex, n, exact and always) for n, exact in moved]
            else:
                found.append(Definition(vertex, number, always))
        return found

    # ---- edges

    def _connect(self) -> None:
        segments, vertices = self.segments, self._vertices
        deciders: dict[int, int] = {}
        for n, run in enumerate(segments.runs):
            last = run[-1]
            ends = [c.outputs[ENDS] for c in self._calls.get(last, ()) if ENDS in c.outputs]
            deciders[n] = vertices.add(ends) if isinstance(segments.nodes[last], Call) else last
        loops = range(len(segments.successors), len(segments.decided_by) - 1)
        deciders |= {n: vertices.add() for n in loops}
        called = self._entry[CALLED]
        for n in loops:
            vertices.control[deciders[n]] = (called, *(deciders[d] for d in segments.decided_by[n]))
        for segment in segments.order:
            if segment >= len(segments.runs):
                continue
            control = (called, *(deciders[d] for d in segments.decided_by[segment]))
            vertices.control[deciders[segment]] = control
            state = self._reaching.at_start[segment]
            for node in segments.runs[segment]:
                if not self._reaching.definitions(CALLED, state):
                    break
                self.run.add(node)
                vertices.control[node] = control
                vertices.data[node] += self._read(self._access[node].reads, state)
                for callee in self._calls.get(node, ()):
                    self._pass(node, callee, state, control)
                self._decide(node, state)
                state = self._reaching.after(node, state)

    def _pass(self, node: int, callee: _Callee, state: int, control: Sequence[int]) -> None:
        """The edges into a callee's inputs, and from its outputs to the inputs that its summary names."""
        call, vertices = self.segments.nodes[node], self._vertices
        assert isinstance(call, Call)
        # Which function is called, and what no parameter takes, may matter for all that it does.
        loose = [] if isinstance(call.callee, str) else self._read(self._accesses.reads(call.callee), state)
        for argument in call.arguments[callee.summary.parameters :]:
            loose += self._read(self._accesses.reads(argument), state)
        for number, vertex in callee.inputs.items():
            if number == CALLED:
                vertices.data[vertex] += loose
                vertices.further[vertex] += control
                continue
            given = callee.given[number]
            vertices.data[vertex] += self._read(given.leaves, state, number not in callee.summary.first_read)
            if given.value is not None:
                vertices.data[vertex] += self._read(self._accesses.reads(given.value), state)
        for number, vertex in callee.outputs.items():
            output = callee.summary.outputs[number]
            vertices.data[vertex] += [*(callee.inputs[i] for i in output.values if i != CALLED), *loose]
            vertices.further[vertex] += [callee.inputs[i] for i in output.inputs]
            vertices.control[vertex] = tuple(control)
        if RESULT in callee.outputs:
            vertices.data[node].append(callee.outputs[RESULT])

    def _read(self, leaves: Iterable[int], state: int, quietly: bool = False) -> list[int]:
        """Vertices for what may be in some leaves; equal sets of definitions share one."""
        found: list[int] = []
        for leaf in leaves:
            reaching = self._reaching.definitions(leaf, state)
            if not reaching:
                continue
            key = (leaf, reaching)
            if key not in self._merged:
                defining = list(dict.fromkeys(self._reaching.vertices[b] for b in bits(reaching)))
                self._merged[key] = self._vertices.add(defining, meeting=len(defining) > 1)
            merged = self._merged[key]
            found.append(merged)
            if not quietly and self._entry.get(leaf) in self._vertices.data[merged]:
                self.first_read.add(leaf)
        return found

    def _decide(self, node: int, state: int) -> None:
        """Where control goes is decided by a condition, or by which function a pointer means."""
        match self.segments.nodes[node]:
            case Branch(top) | Switch(top):
                pass
            case Call(_, callee):
                if isinstance(callee, str):
                    return
                top = callee
            case Jump() | Return() | Exit() | Fail() | Drop():
                return
            case Assign() | Copy() | CopyBytes() | Clear() | Allocate() | AllocatedSize() | Release() | Input():
                return
            case Declare() | DeclareArray() | End() | Apart() | Unsupported():
                return
            case other:
                assert_never(other)
        leaves = self._accesses.reads(top)
        self._decisions[node] = self._read(leaves, state)
        for leaf in self._written_there(leaves):
            self._tested[leaf] = self._tested.get(leaf, 0) | 1 << self._number + node

    def _kept_for_later(self) -> dict[int, list[int]]:
        """For each temporary, the leaves that its value is made of: `k++ > 3` tests a copy of `k`, and so `k`."""
        found: dict[int, list[int]] = {}
        for node, access in zip(self.segments.nodes, self._access, strict=True):
            if isinstance(node, Assign) and isinstance(node.place, Local) and is_made_up(node.place.name):
                for leaf, _ in access.writes:
                    found.setdefault(leaf, []).extend(access.reads)
        return found

    def _written_there(self, leaves: Iterable[int]) -> set[int]:
        """The leaves that the user sees in an expression: temporaries are replaced by what they are made of."""
        found: set[int] = set()
        todo = list(leaves)
        while todo:
            leaf = todo.pop()
            if leaf not in found:
                found.add(leaf)
                todo += self._kept.get(leaf, ())
        return found

    def _returned(self) -> dict[int, int]:
        """By leaf, a vertex for what it holds when the function returns, if that may be something new.

        Also by RESULT, for what is returned, and by ENDS, for whether the function ends the program.
        """
        states = 0
        results: list[int] = []
        ends: list[int] = []
        self.returns = False
        for segment in self.segments.order:
            for node in self.segments.runs[segment] if segment < len(self.segments.runs) else ():
                if node not in self.run:
                    break
                ends += [c.outputs[ENDS] for c in self._calls.get(node, ()) if ENDS in c.outputs]
                match self.segments.nodes[node]:
                    case Return(value):
                        self.returns = True
                        states |= self._at_end(segment)
                        results += [node] if value is not None else []
                    case Exit() | Fail() | Drop():
                        ends.append(node)
                    case Jump() | Branch() | Switch():
                        pass
                    case Assign() | Copy() | CopyBytes() | Clear() | Allocate() | AllocatedSize() | Release() | Input():
                        pass
                    case Call() | Declare() | DeclareArray() | End() | Apart() | Unsupported():
                        pass
                    case other:
                        assert_never(other)
        entries = set(self._entry.values())
        found: dict[int, int] = {}
        for leaf, all_of_it in self._reaching.of_leaf.items():
            if leaf == CALLED or self._memory.leaves[leaf].root.kind is RootKind.LOCAL:
                continue
            reaching = states & all_of_it
            defining = list(dict.fromkeys(self._reaching.vertices[b] for b in bits(reaching)))
            if any(d not in entries for d in defining):
                found[leaf] = self._vertices.add(defining, meeting=len(defining) > 1)
        if results:
            found[RESULT] = self._vertices.add(results, meeting=len(results) > 1)
        if ends:
            found[ENDS] = self._vertices.add(ends, meeting=True)
        return found

    def _at_end(self, segment: int) -> int:
        state = self._reaching.at_start[segment]
        for node in self.segments.runs[segment]:
            state = self._reaching.after(node, state)
        return state

    # ---- answers

    def summary(self) -> Summary:
        vertices = self._vertices
        names = list(self._inputs)
        dependent = dict.fromkeys(names, 0)
        decided = dict.fromkeys(names, 0)
        tested = dict(self._tested)
        nodes = 0
        for node in self.run:
            one = 1 << self._number + node
            if counts(self.segments.nodes[node]):
                nodes |= one
                for bit in bits(vertices.everything(node)):
                    dependent[names[bit]] |= one
            for bit in bits(_union(vertices.values(v) for v in self._decisions.get(node, ()))):
                decided[names[bit]] |= one
            for callee in self._calls.get(node, ()):
                nodes |= callee.summary.nodes
                self._inside(callee, names, dependent, decided, tested)
        used = [n for n in names if n == CALLED or dependent[n] or decided[n]]
        outputs = {leaf: self._output(leaf, vertex, names) for leaf, vertex in self._leaving.items()}
        used = list(dict.fromkeys([*used, *(i for o in outputs.values() for i in o.inputs)]))
        return Summary(
            self.returns,
            tuple(used),
            frozenset(self.first_read),
            outputs,
            dependent,
            decided,
            tested,
            nodes,
            len(self._function.parameters),
        )

    def _inside(
        self,
        callee: _Callee,
        names: list[int],
        dependent: dict[int, int],
        decided: dict[int, int],
        tested: dict[int, int],
    ) -> None:
        summary, vertices = callee.summary, self._vertices
        for number, vertex in callee.inputs.items():
            for bit in bits(vertices.everything(vertex)):
                dependent[names[bit]] |= summary.dependent.get(number, 0)
            for bit in bits(vertices.values(vertex)):
                decided[names[bit]] |= summary.decided.get(number, 0)
            if number != CALLED:
                for leaf in callee.given[number].leaves:
                    tested[leaf] = tested.get(leaf, 0) | summary.tested.get(number, 0)

    def _output(self, leaf: int, vertex: int, names: list[int]) -> Output:
        vertices = self._vertices
        values = vertices.values(vertex)
        always = leaf >= 0 and self._entry.get(leaf) not in vertices.data[vertex]
        return Output(
            frozenset(names[b] for b in bits(vertices.everything(vertex))),
            frozenset(names[b] for b in bits(values)),
            always,
        )


def counts(node: Statement | Terminator) -> bool:
    """Whether a node stands for something in the source; the lives of variables and plain jumps do not."""
    return not isinstance(node, Jump | Declare | DeclareArray | End)


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
