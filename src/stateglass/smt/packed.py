"""Terms as plain data, for other processes: the same graph comes back, made in the same order.

The order matters: simplification and the solver look at the numbers of terms, and answers must be the same in every
process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from stateglass.smt.batch import needed
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms


@final
@dataclass(frozen=True, slots=True)
class Packed:
    """Some terms and all they are made of; operands are places among the nodes."""

    nodes: tuple[tuple[int, tuple[int, ...], int, Any], ...]  # operator, operands, width, extra
    roots: tuple[int, ...]


def packed(roots: Sequence[Term]) -> Packed:
    order = needed(roots)
    places = {term: place for place, term in enumerate(order)}
    nodes = tuple((int(t.operator), tuple(places[o] for o in t.operands), t.width, t.extra) for t in order)
    return Packed(nodes, tuple(places[root] for root in roots))


def unpacked(data: Packed) -> tuple[Terms, list[Term]]:
    """New terms, and the roots among them."""
    terms = Terms()
    made: list[Term] = []
    for operator, operands, width, extra in data.nodes:
        made.append(terms.made_again(Operator(operator), tuple(made[o] for o in operands), width, extra))
    return terms, [made[root] for root in data.roots]
