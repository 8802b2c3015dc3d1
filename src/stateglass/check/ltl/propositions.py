"""The parts of a formula that speak of one position only: predicates and events under and, or, not, each of them once.

Conjunctions with signed edges (Kuehlmann, Paruthi, Krohm, Ganai: Robust Boolean reasoning, 2002): an edge is twice the
number of a node, and one more if it is negated, so that a part and its negation are always known to be that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.logic import predicates as p
from stateglass.logic import temporal as t

TRUE: Final = 0
FALSE: Final = 1


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A predicate on the state."""

    predicate: p.Predicate


@final
@dataclass(frozen=True, slots=True)
class Done:
    """An event, by its pattern."""

    pattern: str


@final
@dataclass(frozen=True, slots=True)
class Both:
    """Two edges."""

    left: int
    right: int


Node = Seen | Done | Both | None  # None: true


@final
class Propositions:
    """A growing table of what can be said of a position."""

    def __init__(self) -> None:
        self.nodes: list[Node] = [None]
        self._known: dict[object, int] = {}
        self._predicates: dict[object, int] = {}

    def of_leaf(self, formula: t.Constant | t.Holds | t.Happens) -> int:
        match formula:
            case t.Constant():
                return TRUE if formula.value else FALSE
            case t.Holds():
                return self._made(("holds", self._shape(formula.predicate)), Seen(formula.predicate))
            case t.Happens():
                return self._made(("happens", formula.pattern), Done(formula.pattern))
            case _:
                assert_never(formula)

    def both(self, left: int, right: int) -> int:
        left, right = min(left, right), max(left, right)
        if left == FALSE or left ^ 1 == right:
            return FALSE
        if left in (TRUE, right):
            return right
        return self._made((left, right), Both(left, right))

    def either(self, left: int, right: int) -> int:
        return self.both(left ^ 1, right ^ 1) ^ 1

    def same(self, left: int, right: int) -> int:
        return self.both(self.either(left ^ 1, right), self.either(left, right ^ 1))

    def _made(self, key: object, node: Node) -> int:
        found = self._known.get(key)
        if found is None:
            found = 2 * len(self.nodes)
            self._known[key] = found
            self.nodes.append(node)
        return found

    def _shape(self, predicate: p.Predicate) -> int:
        """A number that predicates have in common if and only if they are written alike."""
        done: dict[int, int] = {}
        work = [predicate]
        while work:
            top = work[-1]
            operands = top.operands if isinstance(top, p.Applied) else ()
            missing = [operand for operand in operands if id(operand) not in done]
            if missing:
                work += missing
                continue
            work.pop()
            key: object
            match top:
                case p.Number():
                    key = ("number", type(top.value), repr(top.value))
                case p.Text():
                    key = ("text", top.text)
                case p.Named():
                    key = ("name", top.name)
                case p.Applied():
                    key = (top.operator, *(done[id(operand)] for operand in operands))
                case _:
                    assert_never(top)
            done[id(top)] = self._predicates.setdefault(key, len(self._predicates))
        return done[id(predicate)]
