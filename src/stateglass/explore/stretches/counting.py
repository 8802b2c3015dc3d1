"""Loops that count: whether they go on is known before each round, so that they need no rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.merging.order import Order
from stateglass.program import (
    Assign,
    Binary,
    Branch,
    Compare,
    Comparison,
    Expression,
    Function,
    Global,
    Load,
    Local,
    Place,
    PointerAdd,
    successors,
)
from stateglass.program.walk import Node, everything_below, nodes_in
from stateglass.smt import Term

MOST_ROUNDS: Final = 64
"""So many rounds of all loops together are run in one stretch."""
_ORDERED: Final = (Comparison.LESS, Comparison.LESS_EQUAL, Comparison.GREATER, Comparison.GREATER_EQUAL)


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """Whether a loop goes on, and the variables that count."""

    condition: Expression
    moved: tuple[Place, ...]


@final
class Counting:
    """Knows which loops of a function count."""

    def __init__(self, function: Function, order: Order) -> None:
        self._function = function
        self._order = order
        self._known: dict[int, Counted | None] = {}

    def condition(self, head: int) -> Counted | None:
        """What says at the beginning of a loop whether it goes on, if that is something that rounds move."""
        if head not in self._known:
            self._known[head] = self._found(head)
        return self._known[head]

    def _found(self, head: int) -> Counted | None:
        block = self._function.blocks[head]
        inside = {number for number, spot in self._order.spots.items() if head in spot.heads}
        if not isinstance(block.terminator, Branch) or all(s in inside for s in successors(block.terminator)):
            return None
        if not all(isinstance(statement, Assign) for statement in block.statements):
            return None  # asking must do nothing else
        asked = _read(n for node in (*block.statements, block.terminator) for n in nodes_in(node))
        moved = {
            statement.place: None
            for number in inside
            for statement in self._function.blocks[number].statements
            if isinstance(statement, Assign) and statement.place in asked and _is_moved(statement)
            if self._is_in_every_round(number, head, inside)
        }
        return Counted(block.terminator.condition, tuple(moved)) if moved else None

    def _is_in_every_round(self, block: int, head: int, inside: Collection[int]) -> bool:
        """Whether no round of a loop gets past a block of it."""
        if block == head:
            return True
        waiting, seen = [head], {head, block}
        while waiting:
            for following in successors(self._function.blocks[waiting.pop()].terminator):
                if following == head:
                    return False
                if following in inside and following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return True


def _read(nodes: Iterable[Node]) -> set[Place]:
    """The variables that are read as a whole."""
    return {n.place for n in nodes if isinstance(n, Load) and isinstance(n.place, Local | Global)}


def _is_moved(statement: Assign) -> bool:
    """Whether a variable gets a value that is computed from its own, perhaps by way of a temporary one."""
    below = list(everything_below(statement.value))
    if not any(isinstance(n, Binary | PointerAdd) for n in below):
        return False
    return any(p == statement.place or (isinstance(p, Local) and p.name.startswith("%")) for p in _read(below))


def is_far(condition: Expression, value: Callable[[Expression], Term]) -> bool:
    """Whether what is compared is too far apart for all rounds to be run."""
    if not isinstance(condition, Compare) or condition.operator not in _ORDERED:
        return False
    left, right = value(condition.left), value(condition.right)
    if left.value is None or right.value is None:
        return False
    distance = (left.value - right.value) % (1 << left.width)
    return min(distance, (1 << left.width) - distance) > MOST_ROUNDS
