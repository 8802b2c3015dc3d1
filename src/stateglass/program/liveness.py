"""Which local variables may still be read: the others are cleared, so that states do not differ in leftovers."""

from __future__ import annotations

from typing import final

from stateglass.program.callgraph import statements_of
from stateglass.program.nodes import (
    Declare,
    DeclareArray,
    Dereference,
    Element,
    End,
    Local,
    Member,
    Place,
    Statement,
    Terminator,
    successors,
)
from stateglass.program.program import Function
from stateglass.program.walk import Node, addressed_locals, everything_below, read_by, stored_by


@final
class Liveness:
    """The live locals of one function at every point; those whose address is taken count as live throughout."""

    def __init__(self, function: Function) -> None:
        self._blocks = function.blocks
        self.addressed = frozenset(addressed_locals(statements_of(function.blocks)))
        self._at_end = self._solve()

    def _solve(self) -> list[frozenset[str]]:
        """Backwards over the blocks until nothing changes."""
        everything = frozenset(self._mentioned())
        # Whatever is live at the end of a block, so is at its start what the block reads and what it lets pass.
        reads = [self._through(number, frozenset(), 0) for number in range(len(self._blocks))]
        passes = [self._through(number, everything, 0) for number in range(len(self._blocks))]
        before: list[list[int]] = [[] for _ in self._blocks]
        for number, block in enumerate(self._blocks):
            for target in successors(block.terminator):
                before[target].append(number)
        at_end: list[frozenset[str]] = [frozenset()] * len(self._blocks)
        work = list(range(len(self._blocks)))
        while work:
            number = work.pop()
            start = reads[number] | (at_end[number] & passes[number])
            for source in before[number]:
                if not start <= at_end[source]:
                    at_end[source] |= start
                    work.append(source)
        return at_end

    def _mentioned(self) -> set[str]:
        """The locals that some block reads."""
        return {
            name
            for statement in statements_of(self._blocks)
            for name in (
                *(n for top in read_by(statement) for n in _locals_in(top)),
                *(n for place in stored_by(statement) for n in _needed_for(place)),
            )
        }

    def _through(self, number: int, live: frozenset[str], index: int) -> frozenset[str]:
        """What is live before statement `index` of a block, given what is live at its end."""
        block = self._blocks[number]
        current = set(live)
        _step_back(block.terminator, current)
        for statement in reversed(block.statements[index:]):
            _step_back(statement, current)
        return frozenset(current)

    def before(self, block: int, index: int) -> frozenset[str]:
        """Locals that may be read from statement `index` of `block` on, or through a pointer."""
        return self._through(block, self._at_end[block], index) | self.addressed

    def awaiting(self, block: int, index: int) -> frozenset[str]:
        """Locals needed while statement `index`, a call or an input, waits for its result."""
        statement = self._blocks[block].statements[index]
        current = set(self._through(block, self._at_end[block], index + 1))
        _forget_stored(statement, current)
        return frozenset(current) | self.addressed


def _step_back(node: Statement | Terminator, live: set[str]) -> None:
    _forget_stored(node, live)
    for top in read_by(node):
        live.update(_locals_in(top))


def _forget_stored(node: Statement | Terminator, live: set[str]) -> None:
    """Removes what a node overwrites as a whole, and adds what it reads to find the place that it stores to."""
    if isinstance(node, Declare | DeclareArray | End):
        live.discard(node.local.name)
        return
    for place in stored_by(node):
        if isinstance(place, Local):
            live.discard(place.name)
        live.update(_needed_for(place))


def _needed_for(place: Place) -> set[str]:
    """The array or record that is stored into is not read; an index is, and a pointer."""
    found: set[str] = set()
    while isinstance(place, Member | Element):
        if isinstance(place, Element):
            found |= _locals_in(place.index)
        place = place.base
    return found | _locals_in(place.pointer) if isinstance(place, Dereference) else found


def _locals_in(node: Node) -> set[str]:
    return {n.name for n in everything_below(node) if isinstance(n, Local)}
