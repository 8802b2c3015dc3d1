"""Terms over truth values and rows of bits: shared wherever they are equal, simplified as they are made.

The same operands give the same object, so that terms are compared by identity and a formula is a graph, not a tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from stateglass.smt.comparisons import Comparisons
from stateglass.smt.operators import Operator
from stateglass.smt.rows import Rows
from stateglass.smt.store import Store
from stateglass.smt.term import Term
from stateglass.smt.truths import Truths


@final
class Terms:
    """Makes terms: all that the modules below it make, under one name."""

    def __init__(self) -> None:
        store = self._store = Store()
        self.false = store.false
        self.true = store.true
        self.variables = store.variables
        self.constant = store.constant
        self.truth = store.truth
        self.variable = store.variable
        self.named = store.named
        self.copy_of = store.copy_of
        self.made_again = store.made_again
        self.mark = store.mark
        self.forget = store.forget
        self.range_of = store.ranges.of
        truths = Truths(store)
        self.negation = truths.negation
        self.both = truths.both
        self.either = truths.either
        self.choose = truths.choose
        comparisons = Comparisons(store, truths)
        self.equal = comparisons.equal
        self.compare = comparisons.compare
        self.overflows = comparisons.overflows
        rows = Rows(store, truths)
        self.unary = rows.unary
        self.binary = rows.binary
        self.join = rows.join
        self.part = rows.part
        self.extend = rows.extend
        self.resize = rows.resize
        self.floating = rows.floating

    def __len__(self) -> int:
        return len(self._store)

    def subtract(self, a: Term, b: Term) -> Term:
        return self.binary(Operator.SUBTRACT, a, b)

    def bit(self, truth: Term, width: int) -> Term:
        """A truth value as the number 0 or 1."""
        return self.choose(truth, self.constant(1, width), self.constant(0, width))

    def value_for(self, term: Term, value: int) -> Term:
        """What can stand in the place of a term that has a value: a number of the same width, or a truth."""
        return self.constant(value, term.width) if term.width else self.truth(bool(value))

    def replaced(self, term: Term, old: Term, new: Term) -> Term:
        """A term in which another one stands for a part of it."""
        return self.substituted(term, {old: new})

    def substituted(self, term: Term, mapping: Mapping[Term, Term], known: dict[Term, Term] | None = None) -> Term:
        """A term in which others stand for parts of it, all at once.

        Whoever puts many terms through the same mapping hands in one dictionary for all of them, empty at first: what
        they share is then made once.
        """
        if known is None:
            known = {}
        if not known:
            known.update(mapping)
        stack = [term]
        while stack:
            node = stack[-1]
            missing = [o for o in node.operands if o not in known] if node not in known else []
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if node not in known:
                known[node] = self.remade(node, tuple([known[o] for o in node.operands]))
        return known[term]

    def remade(self, term: Term, operands: tuple[Term, ...]) -> Term:
        """The same operator with other operands."""
        operator = term.operator
        match operator:
            case _ if operands == term.operands:
                return term
            case Operator.NOT:
                return self.negation(*operands)
            case Operator.AND:
                return self.both(*operands)
            case Operator.OR:
                return self.either(*operands)
            case Operator.EQUAL:
                return self.equal(*operands)
            case Operator.LESS | Operator.LESS_EQUAL | Operator.SIGNED_LESS | Operator.SIGNED_LESS_EQUAL:
                return self.compare(operator, *operands)
            case Operator.ADD_OVERFLOWS | Operator.SUBTRACT_OVERFLOWS | Operator.MULTIPLY_OVERFLOWS:
                return self.overflows(operator, *operands)
            case Operator.CHOOSE:
                return self.choose(*operands)
            case Operator.NEGATE | Operator.COMPLEMENT:
                return self.unary(operator, *operands)
            case Operator.JOIN:
                return self.join(*operands)
            case Operator.PART:
                return self.part(operands[0], *term.extra)
            case Operator.ZERO_EXTEND | Operator.SIGN_EXTEND:
                return self.extend(operands[0], term.width, is_signed=operator is Operator.SIGN_EXTEND)
            case _ if operator >= Operator.FLOAT_ADD:
                return self.floating(operator, operands, term.width, term.extra)
            case _:
                return self.binary(operator, *operands)
