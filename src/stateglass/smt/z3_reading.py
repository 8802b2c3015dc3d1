"""Expressions of z3 over bit-vectors as terms again: what an interpretation that was found says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, Final, final

import z3

from stateglass.smt.operators import Operator
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms

MOST_NODES: Final = 50_000
"""An expression with more parts than this says nothing to anybody."""


@final
class NotRead(Exception):
    """An expression has something that terms do not know: what it is."""


_FOLDED: Final = {
    z3.Z3_OP_BADD: Operator.ADD,
    z3.Z3_OP_BSUB: Operator.SUBTRACT,
    z3.Z3_OP_BMUL: Operator.MULTIPLY,
    z3.Z3_OP_BAND: Operator.BIT_AND,
    z3.Z3_OP_BOR: Operator.BIT_OR,
    z3.Z3_OP_BXOR: Operator.BIT_XOR,
    z3.Z3_OP_BUDIV: Operator.DIVIDE,
    z3.Z3_OP_BUDIV_I: Operator.DIVIDE,
    z3.Z3_OP_BUREM: Operator.REMAINDER,
    z3.Z3_OP_BUREM_I: Operator.REMAINDER,
    z3.Z3_OP_BSDIV: Operator.SIGNED_DIVIDE,
    z3.Z3_OP_BSDIV_I: Operator.SIGNED_DIVIDE,
    z3.Z3_OP_BSREM: Operator.SIGNED_REMAINDER,
    z3.Z3_OP_BSREM_I: Operator.SIGNED_REMAINDER,
    z3.Z3_OP_BSHL: Operator.SHIFT_LEFT,
    z3.Z3_OP_BLSHR: Operator.SHIFT_RIGHT,
    z3.Z3_OP_BASHR: Operator.SIGNED_SHIFT_RIGHT,
}
_COMPARED: Final = {
    z3.Z3_OP_ULT: (Operator.LESS, False),
    z3.Z3_OP_ULEQ: (Operator.LESS_EQUAL, False),
    z3.Z3_OP_UGT: (Operator.LESS, True),
    z3.Z3_OP_UGEQ: (Operator.LESS_EQUAL, True),
    z3.Z3_OP_SLT: (Operator.SIGNED_LESS, False),
    z3.Z3_OP_SLEQ: (Operator.SIGNED_LESS_EQUAL, False),
    z3.Z3_OP_SGT: (Operator.SIGNED_LESS, True),
    z3.Z3_OP_SGEQ: (Operator.SIGNED_LESS_EQUAL, True),
}


def walked(expression: Any, visit: Callable[[Any, list[Any]], Any]) -> Any:
    """What `visit` makes of an expression, given what it made of the operands; each part is visited once."""
    known: dict[int, Any] = {}
    stack = [expression]
    while stack:
        node = stack[-1]
        if node.get_id() in known:
            stack.pop()
            continue
        operands = node.children() if z3.is_app(node) else []
        missing = [o for o in operands if o.get_id() not in known]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if len(known) > MOST_NODES:
            raise NotRead("a very long condition")
        known[node.get_id()] = visit(node, [known[o.get_id()] for o in operands])
    return known[expression.get_id()]


def connected(terms: Terms, node: Any, operands: list[Term]) -> Term | None:
    """What truth values connect; None for anything else."""
    kind = node.decl().kind()
    match kind:
        case z3.Z3_OP_TRUE:
            return terms.true
        case z3.Z3_OP_FALSE:
            return terms.false
        case z3.Z3_OP_AND:
            return terms.both(*operands)
        case z3.Z3_OP_OR:
            return terms.either(*operands)
        case z3.Z3_OP_NOT:
            return terms.negation(*operands)
        case z3.Z3_OP_IMPLIES:
            return terms.either(terms.negation(operands[0]), operands[1])
        case z3.Z3_OP_XOR:
            return terms.negation(terms.equal(*operands))
        case _:
            return None


@final
class BitsReading:
    """Reads expressions over bit-vectors; `arguments` are what numbered variables stand for."""

    def __init__(self, terms: Terms, arguments: Sequence[Term]) -> None:
        self._terms = terms
        self._arguments = arguments

    def read(self, expression: Any) -> Term:
        found: Term = walked(expression, self._visit)
        return found

    def _visit(self, node: Any, operands: list[Term]) -> Term:
        if z3.is_var(node):
            index: int = z3.get_var_index(node)
            return self._arguments[index]
        if not z3.is_app(node):
            raise NotRead("a quantifier")
        found = connected(self._terms, node, operands)
        return found if found is not None else self._row(node, operands)

    def _row(self, node: Any, operands: list[Term]) -> Term:
        terms, kind = self._terms, node.decl().kind()
        if kind in _FOLDED:
            return reduce(partial(terms.binary, _FOLDED[kind]), operands)
        if kind in _COMPARED:
            operator, is_reversed = _COMPARED[kind]
            a, b = reversed(operands) if is_reversed else operands
            return terms.compare(operator, a, b)
        match kind:
            case z3.Z3_OP_BNUM:
                return terms.constant(node.as_long(), node.size())
            case z3.Z3_OP_EQ:
                return terms.equal(*operands)
            case z3.Z3_OP_DISTINCT if len(operands) == 2:
                return terms.negation(terms.equal(*operands))
            case z3.Z3_OP_ITE:
                return terms.choose(*operands)
            case z3.Z3_OP_BNEG:
                return terms.unary(Operator.NEGATE, *operands)
            case z3.Z3_OP_BNOT:
                return terms.unary(Operator.COMPLEMENT, *operands)
            case z3.Z3_OP_CONCAT:
                return reduce(terms.join, operands)
            case z3.Z3_OP_EXTRACT:
                return terms.part(operands[0], *node.params())
            case z3.Z3_OP_ZERO_EXT | z3.Z3_OP_SIGN_EXT:
                is_signed = kind == z3.Z3_OP_SIGN_EXT
                return terms.extend(operands[0], node.size(), is_signed=is_signed)
            case z3.Z3_OP_BIT2BOOL:
                bit = node.params()[0]
                return terms.equal(terms.part(operands[0], bit, bit), terms.constant(1, 1))
            case _:
                raise NotRead(f"`{node.decl().name()}`")
