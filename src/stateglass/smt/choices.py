"""Choices between constants: an operator on one can be applied to each of the constants instead."""

from __future__ import annotations

from stateglass.smt.operators import Operator
from stateglass.smt.term import Term


def settled(term: Term) -> bool:
    """Whether both outcomes of a choice are constants, or one is and the other is such a choice again."""
    return all(
        x.operator is Operator.VALUE or (x.operator is Operator.CHOOSE and _constant_leaves(x))
        for x in term.operands[1:]
    )


def _constant_leaves(term: Term) -> bool:
    # Only chains, in which one side of each choice is a constant: a tree with shared parts can be exponentially large
    # when each path through it is looked at.
    while term.operator is Operator.CHOOSE:
        _, then, other = term.operands
        if then.operator is not Operator.VALUE:
            then, other = other, then
        if then.operator is not Operator.VALUE:
            return False
        term = other
    return term.operator is Operator.VALUE
