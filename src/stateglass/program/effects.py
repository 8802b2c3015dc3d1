"""What functions may change, those they call included."""

from __future__ import annotations

from typing import final

from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import AddressOf, Call, CopyBytes, Dereference, Global, Local, Release
from stateglass.program.program import ANYTHING, OpenOrder, Program
from stateglass.program.walk import base_of, everything_below, nodes_in, stored_by


@final
class Effects:
    """Answers for one program; functions without a body change nothing (that is in the ledger)."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._stored: dict[str, frozenset[str]] = {}
        self._callees: dict[str, frozenset[str]] = {}
        self._addressed: frozenset[str] | None = None

    def stored(self, functions: frozenset[str]) -> frozenset[str]:
        """The variables that may be written; `ANYTHING` through pointers."""
        found: set[str] = set()
        seen: set[str] = set()
        todo = list(functions)
        while todo:
            name = todo.pop()
            if name == ANYTHING:
                found.add(ANYTHING)
            elif name in self._program.functions and name not in seen:
                seen.add(name)
                self._look_at(name)
                found |= self._stored[name]
                todo += self._callees[name]
        return frozenset(found)

    def matters(self, order: OpenOrder) -> bool:
        """Whether a call may change what is read before or after it."""
        stored = self.stored(order.callees)
        if not stored:
            return False
        if ANYTHING in order.callees or order.reads & stored:
            return True
        if ANYTHING in stored and order.reads & self._addressed_variables():
            return True
        return ANYTHING in order.reads and bool(stored & self._addressed_variables())

    def _look_at(self, name: str) -> None:
        if name in self._stored:
            return
        stored: set[str] = set()
        callees: set[str] = set()
        for node in statements_of(self._program.functions[name].blocks):
            if isinstance(node, Call):
                callees.add(node.callee if isinstance(node.callee, str) else ANYTHING)
            elif isinstance(node, CopyBytes | Release):
                stored.add(ANYTHING)
            place = stored_by(node)
            match base_of(place) if place is not None else None:
                case Global(variable):
                    stored.add(variable)
                case Dereference():
                    stored.add(ANYTHING)
                case Local() | None:
                    pass
        self._stored[name] = frozenset(stored)
        self._callees[name] = frozenset(callees)

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
