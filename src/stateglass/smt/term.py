"""One term: a node of the graph that formulas are."""

from __future__ import annotations

from typing import Any, final

from stateglass.smt.operators import Operator


@final
class Term:
    """A node of the graph. Only `Terms` makes them."""

    __slots__ = ("extra", "number", "operands", "operator", "width")

    def __init__(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any, number: int) -> None:
        self.operator = operator
        self.operands = operands
        self.width = width  # 0: a truth value
        self.extra = extra
        self.number = number

    @property
    def value(self) -> int | None:
        """The number that a constant is."""
        found: int | None = self.extra if self.operator is Operator.VALUE else None
        return found

    def __repr__(self) -> str:
        return self.shown(4)

    def shown(self, depth: int) -> str:
        """As text, down to some depth: as a tree, a graph can be too large to print."""
        if self.operator in (Operator.VALUE, Operator.VARIABLE):
            return str(self.extra)
        if depth == 0:
            return "…"
        extra = f" {self.extra}" if self.extra is not None else ""
        return f"({self.operator.name.lower()}{extra} {' '.join(o.shown(depth - 1) for o in self.operands)})"
