"""What functions may read and change, those they call included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import (
    AddressOf,
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
    Dereference,
    Drop,
    End,
    Exit,
    Fail,
    Global,
    Input,
    Jump,
    Load,
    Local,
    Release,
    Return,
    Statement,
    Switch,
    Terminator,
    Unsupported,
)
from stateglass.program.program import ANYTHING, OpenOrder, Program
from stateglass.program.walk import (
    Bytes,
    Stretch,
    base_of,
    called_by,
    copied_by,
    everything_below,
    nodes_in,
    written_by,
)


@final
@dataclass(frozen=True, slots=True)
class _Use:
    """What functions do: variables by name, `ANYTHING` through pointers."""

    stored: frozenset[str]
    used: frozenset[str]  # read or stored
    outside: frozenset[str]  # functions without a body, and inputs: a model shows their order
    callees: frozenset[str]


@final
class Effects:
    """Answers for one program; functions without a body change nothing (a system lists that as an assumption).

    What they call back does: `callbacks` has functions by what calls them.
    """

    def __init__(self, program: Program, callbacks: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._program = program
        self._callbacks = callbacks or {}
        self._uses: dict[str, _Use] = {}
        self._sums: dict[frozenset[str], _Use] = {}
        self._addressed: frozenset[str] | None = None

    def matters(self, order: OpenOrder) -> bool:
        """Whether a call may change what is read before or after it."""
        return self._meet(self._of(order.callees).stored, order.reads)

    def interfere(self, order: OpenOrder) -> bool:
        """Whether it may matter which of two calls comes first: one changes what the other uses, or both are seen."""
        one, other = self._of(order.callees), self._of(order.beside)
        if self._meet(one.stored, other.used) or self._meet(other.stored, one.used):
            return True
        seen = one.outside | other.outside
        return bool(one.outside and other.outside) and not (len(seen) == 1 and self._is_source(*seen))

    def stored_by(self, functions: Iterable[str]) -> frozenset[str]:
        """The variables that functions may change, and all that they call; `ANYTHING` through pointers."""
        return self._of(frozenset(functions)).stored

    def _is_source(self, name: str) -> bool:
        """Whether two calls are alike whichever comes first: of an input, or of a function that is given nothing."""
        declared = self._program.declarations.get(name)
        return name != ANYTHING and (declared is None or not declared.parameters)

    def _meet(self, stored: frozenset[str], used: frozenset[str]) -> bool:
        """Whether something is in both; `ANYTHING` is whatever a pointer may lead to."""
        if not stored or not used:
            return False
        if stored & used:
            return True
        reached = self._addressed_variables()
        return (ANYTHING in stored and bool(used & reached)) or (ANYTHING in used and bool(stored & reached))

    def _of(self, functions: frozenset[str]) -> _Use:
        """What functions do, and all that they call."""
        if functions not in self._sums:
            seen: set[str] = set()
            todo = list(functions)
            uses: list[_Use] = []
            while todo:
                name = todo.pop()
                if name not in seen:
                    seen.add(name)
                    uses.append(self._own(name))
                    todo += uses[-1].callees
            self._sums[functions] = _Use(
                frozenset().union(*(u.stored for u in uses)),
                frozenset().union(*(u.used for u in uses)),
                frozenset().union(*(u.outside for u in uses)),
                frozenset(seen),
            )
        return self._sums[functions]

    def _own(self, name: str) -> _Use:
        if name == ANYTHING:
            return _Use(frozenset({ANYTHING}), frozenset({ANYTHING}), frozenset({ANYTHING}), frozenset())
        if name not in self._program.functions:
            return _Use(frozenset(), frozenset(), frozenset({name}), frozenset(self._callbacks.get(name, ())))
        if name not in self._uses:
            stored: set[str] = set()
            read: set[str] = set()
            callees: set[str] = set()
            for node in statements_of(self._program.functions[name].blocks):
                callee = called_by(node)
                if callee is not None:
                    callees.add(callee if isinstance(callee, str) else ANYTHING)
                stored |= _ended(node).union(*map(_outer, written_by(node)))
                read |= set().union(*map(_outer, copied_by(node)))
                for below in nodes_in(node):
                    if isinstance(below, Load | Aggregate):
                        read |= _outer(below.place)
            outside = frozenset(n.name for n in self._inputs(name))
            self._uses[name] = _Use(frozenset(stored), frozenset(stored | read), outside, frozenset(callees))
        return self._uses[name]

    def _inputs(self, name: str) -> list[Input]:
        return [n for n in statements_of(self._program.functions[name].blocks) if isinstance(n, Input)]

    def _addressed_variables(self) -> frozenset[str]:
        """Variables that a pointer may lead to, and `ANYTHING`."""
        if self._addressed is None:
            found = {ANYTHING}
            tops = [
                n
                for f in self._program.functions.values()
                for statement in statements_of(f.blocks)
                for n in nodes_in(statement)
            ]
            tops += [n for v in self._program.variables.values() for i in v.initial for n in everything_below(i.value)]
            for node in tops:
                if isinstance(node, AddressOf):
                    base = base_of(node.place)
                    if isinstance(base, Global):
                        found.add(base.name)
            self._addressed = frozenset(found)
        return self._addressed


def _ended(node: Statement | Terminator) -> set[str]:
    """What others may point to and what is no longer there afterwards."""
    match node:
        case Release():
            return {ANYTHING}
        case Assign() | Copy() | CopyBytes() | Clear() | Input() | Allocate() | AllocatedSize() | Call():
            return set()
        case Declare() | DeclareArray() | End() | Apart() | Unsupported():
            return set()
        case Jump() | Branch() | Switch() | Return() | Exit() | Fail() | Drop():
            return set()
        case _:
            assert_never(node)


def _outer(stretch: Stretch) -> set[str]:
    """What a place is part of, as others know it: a function's own variables are nobody else's."""
    if isinstance(stretch, Bytes):
        return {ANYTHING}
    match base_of(stretch):
        case Global(name):
            return {name}
        case Dereference():
            return {ANYTHING}
        case Local():
            return set()
