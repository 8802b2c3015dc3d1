"""Terms as z3's expressions over bit-vectors: what Horn clauses are made of when numbers are rows of bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, final

from z3 import z3core

from stateglass.smt.batch import needed
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term
from stateglass.smt.z3_asts import Asts

_BINARY: Final[dict[Operator, Callable[..., Any]]] = {
    Operator.EQUAL: z3core.Z3_mk_eq,
    Operator.LESS: z3core.Z3_mk_bvult,
    Operator.LESS_EQUAL: z3core.Z3_mk_bvule,
    Operator.SIGNED_LESS: z3core.Z3_mk_bvslt,
    Operator.SIGNED_LESS_EQUAL: z3core.Z3_mk_bvsle,
    Operator.ADD: z3core.Z3_mk_bvadd,
    Operator.SUBTRACT: z3core.Z3_mk_bvsub,
    Operator.MULTIPLY: z3core.Z3_mk_bvmul,
    Operator.DIVIDE: z3core.Z3_mk_bvudiv,
    Operator.REMAINDER: z3core.Z3_mk_bvurem,
    Operator.SIGNED_DIVIDE: z3core.Z3_mk_bvsdiv,
    Operator.SIGNED_REMAINDER: z3core.Z3_mk_bvsrem,
    Operator.BIT_AND: z3core.Z3_mk_bvand,
    Operator.BIT_OR: z3core.Z3_mk_bvor,
    Operator.BIT_XOR: z3core.Z3_mk_bvxor,
    Operator.SHIFT_LEFT: z3core.Z3_mk_bvshl,
    Operator.SHIFT_RIGHT: z3core.Z3_mk_bvlshr,
    Operator.SIGNED_SHIFT_RIGHT: z3core.Z3_mk_bvashr,
    Operator.JOIN: z3core.Z3_mk_concat,
}
_STAYS_INSIDE: Final[dict[Operator, tuple[Callable[..., Any], Callable[..., Any]]]] = {
    Operator.ADD_OVERFLOWS: (z3core.Z3_mk_bvadd_no_overflow, z3core.Z3_mk_bvadd_no_underflow),
    Operator.SUBTRACT_OVERFLOWS: (z3core.Z3_mk_bvsub_no_overflow, z3core.Z3_mk_bvsub_no_underflow),
    Operator.MULTIPLY_OVERFLOWS: (z3core.Z3_mk_bvmul_no_overflow, z3core.Z3_mk_bvmul_no_underflow),
}
_TAKES_SIGN: Final = frozenset(
    {z3core.Z3_mk_bvadd_no_overflow, z3core.Z3_mk_bvsub_no_underflow, z3core.Z3_mk_bvmul_no_overflow}
)


class Encoding(Protocol):
    """How terms become expressions of z3. What it does not know becomes an unknown that may be anything."""

    def sort(self, variable: Term) -> Any:
        """Of what a variable becomes."""
        ...

    def truth(self, term: Term) -> Any: ...

    def argument(self, term: Term, like: Term) -> Any:
        """A term, where a variable stood."""
        ...

    def beside(self, roots: Sequence[Term]) -> tuple[list[Any], list[Any]]:
        """The unknowns that the translated terms speak of, and what holds of these."""
        ...


@final
class Bits:
    """Rows of bits as bit-vectors; a floating-point operation becomes an unknown."""

    def __init__(self, asts: Asts) -> None:
        self._asts = asts
        self._known: dict[Term, Any] = {}
        self._unknown: dict[Term, Any] = {}

    def sort(self, variable: Term) -> Any:
        return self._asts.bits_sort(variable.width) if variable.width else self._asts.truth_sort

    def truth(self, term: Term) -> Any:
        return self.translated(term)

    def argument(self, term: Term, like: Term) -> Any:
        assert term.width == like.width
        return self.translated(term)

    def translated(self, term: Term) -> Any:
        known = self._known
        if term not in known:
            for node in needed([term]):
                if node not in known:
                    known[node] = self._made(node, [known[o] for o in node.operands])
        return known[term]

    def beside(self, roots: Sequence[Term]) -> tuple[list[Any], list[Any]]:
        return [self._unknown[node] for node in needed(roots) if node in self._unknown], []

    def _made(self, node: Term, operands: list[Any]) -> Any:
        asts = self._asts
        match node.operator:
            case Operator.VALUE if node.width == 0:
                return asts.true if node.extra else asts.false
            case Operator.VALUE:
                return asts.numeral(node.extra, self.sort(node))
            case Operator.NOT:
                return asts.negation(*operands)
            case Operator.AND:
                return asts.both(operands)
            case Operator.OR:
                return asts.either(operands)
            case Operator.CHOOSE:
                return asts.choose(*operands)
            case Operator.NEGATE:
                return asts.made(z3core.Z3_mk_bvneg, *operands)
            case Operator.COMPLEMENT:
                return asts.made(z3core.Z3_mk_bvnot, *operands)
            case Operator.PART:
                return asts.made(z3core.Z3_mk_extract, *node.extra, *operands)
            case Operator.ZERO_EXTEND:
                return asts.made(z3core.Z3_mk_zero_ext, node.width - node.operands[0].width, *operands)
            case Operator.SIGN_EXTEND:
                return asts.made(z3core.Z3_mk_sign_ext, node.width - node.operands[0].width, *operands)
            case operator if operator in _STAYS_INSIDE:
                return asts.negation(asts.both([self._inside(f, operands) for f in _STAYS_INSIDE[operator]]))
            case operator if operator in _BINARY:
                return asts.made(_BINARY[operator], *operands)
            case _:  # variables, and floating-point operations
                made = self._unknown[node] = asts.constant(f"v{node.number}", self.sort(node))
                return made

    def _inside(self, function: Callable[..., Any], operands: list[Any]) -> Any:
        more = (True,) if function in _TAKES_SIGN else ()
        return self._asts.made(function, *operands, *more)
