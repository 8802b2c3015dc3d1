"""Choices: what they are between, and those between constants, each of which an operator can be applied to instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from stateglass.smt.operators import Operator
from stateglass.smt.term import Term

# Who makes terms looks at choices, too.
if TYPE_CHECKING:
    from stateglass.smt.terms import Terms


def chosen_between(term: Term) -> Iterator[Term]:
    """What choices choose between in the end, each once."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.operator is Operator.CHOOSE:
            stack.extend(node.operands[1:])
        else:
            yield node


def constants_chosen(term: Term) -> set[int] | None:
    """The constants that a term is one of; None if it may be anything else."""
    found: set[int] = set()
    for leaf in chosen_between(term):
        if leaf.value is None:
            return None
        found.add(leaf.value)
    return found


def with_outcomes(terms: Terms, term: Term, outcome: Callable[[Term], Term]) -> Term:
    """The same choices between other outcomes."""
    known: dict[Term, Term] = {}
    stack = [term]
    while stack:
        node = stack[-1]
        below = node.operands[1:] if node.operator is Operator.CHOOSE else ()
        missing = [o for o in below if o not in known]
        stack += missing
        if missing:
            continue
        stack.pop()
        if node not in known:
            known[node] = terms.choose(node.operands[0], *(known[o] for o in below)) if below else outcome(node)
    return known[term]


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
