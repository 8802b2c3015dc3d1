"""Which variables a value rests on: those that give it whatever the others hold.

From the roots downwards only what decides is followed: of a choice the condition and the chosen side, of a conjunction
that is false one false operand. All variables that are not met may have any value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stateglass.smt.batch import evaluated, needed
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term


def deciding(roots: Sequence[Term], values: Mapping[Term, int]) -> set[Term]:
    """The variables that decide about some terms for one valuation.

    Of several reasons the first is followed, so they are not always the fewest.
    """
    nodes = needed(roots)
    known = dict(zip(nodes, evaluated(nodes, values), strict=True))
    seen: set[Term] = set()
    stack = list(roots)
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            stack.extend(_reasons(term, known))
    return {term for term in seen if term.operator is Operator.VARIABLE}


def _reasons(term: Term, known: Mapping[Term, int]) -> Sequence[Term]:
    """The operands that a value rests on."""
    match term.operator:
        case Operator.CHOOSE:
            condition, yes, no = term.operands
            return condition, yes if known[condition] else no
        case Operator.AND if not known[term]:
            return [next(o for o in term.operands if not known[o])]
        case Operator.OR if known[term]:
            return [next(o for o in term.operands if known[o])]
        case _:
            return term.operands
