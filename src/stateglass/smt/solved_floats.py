"""Floating-point operators in bitwuzla's theory: bit patterns in, bit patterns out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, final

import bitwuzla

from stateglass.program.bits import ones
from stateglass.program.floats import FloatFormat, encode
from stateglass.smt.floating import FloatKind, format_of
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term

_Kind = bitwuzla.Kind
_ARITHMETIC: Final = {
    Operator.FLOAT_ADD: _Kind.FP_ADD,
    Operator.FLOAT_SUBTRACT: _Kind.FP_SUB,
    Operator.FLOAT_MULTIPLY: _Kind.FP_MUL,
    Operator.FLOAT_DIVIDE: _Kind.FP_DIV,
}
_COMPARED: Final = {
    Operator.FLOAT_EQUAL: _Kind.FP_EQUAL,
    Operator.FLOAT_LESS: _Kind.FP_LT,
    Operator.FLOAT_LESS_EQUAL: _Kind.FP_LEQ,
}


@final
class SolvedFloats:
    """Translates for one solver; `tell` adds facts about the constants that are made on the way."""

    def __init__(self, manager: bitwuzla.TermManager, tell: Callable[[Any], None]) -> None:
        self._manager = manager
        self._tell = tell
        self._nearest = manager.mk_rm_value(bitwuzla.RoundingMode.RNE)
        self._towards_zero = manager.mk_rm_value(bitwuzla.RoundingMode.RTZ)
        self._made = 0

    def made(self, node: Term, operands: list[Any]) -> Any:
        operator, term = node.operator, self._manager.mk_term
        if operator in _ARITHMETIC:
            numbers = [self._number(o, node.extra) for o in operands]
            result = term(_ARITHMETIC[operator], [self._nearest, *numbers])
            return self._quieted(operands, numbers, self._bits(result, node.extra), node.extra)
        if operator in _COMPARED:
            return term(_COMPARED[operator], [self._number(o, node.extra) for o in operands])
        match operator:
            case Operator.FLOAT_FROM_FLOAT:
                return self._converted(operands[0], *node.extra)
            case Operator.FLOAT_FROM_SIGNED | Operator.FLOAT_FROM_UNSIGNED:
                signed = operator is Operator.FLOAT_FROM_SIGNED
                kind = _Kind.FP_TO_FP_FROM_SBV if signed else _Kind.FP_TO_FP_FROM_UBV
                return self._bits(term(kind, [self._nearest, operands[0]], list(node.extra)), node.extra)
            case _:
                kind, width, signed = node.extra
                number = self._number(operands[0], kind)
                fits = self._fits(number, kind, width, signed)
                if operator is Operator.FLOAT_FITS:
                    return fits
                to = _Kind.FP_TO_SBV if signed else _Kind.FP_TO_UBV
                integer = term(to, [self._towards_zero, number], [width])
                return term(_Kind.ITE, [fits, integer, self._constant(0, width)])

    def _constant(self, value: int, width: int) -> Any:
        return self._manager.mk_bv_value(self._manager.mk_bv_sort(width), value)

    def _number(self, bits: Any, kind: FloatKind) -> Any:
        return self._manager.mk_term(_Kind.FP_TO_FP_FROM_BV, [bits], list(kind))

    def _bits(self, number: Any, kind: FloatKind) -> Any:
        """The bit pattern of a number. There is no operator for it, as a NaN has many patterns.

        A new constant stands for it, and a fact says which pattern it has. There is exactly one for every number, so
        that the fact never rules out a valuation.
        """
        manager, term, format = self._manager, self._manager.mk_term, format_of(kind)
        self._made += 1
        bits = manager.mk_const(manager.mk_bv_sort(format.width), f"%float.{self._made}")
        nan = term(_Kind.FP_IS_NAN, [number])
        default = term(_Kind.EQUAL, [bits, self._constant(format.default_nan, format.width)])
        same = term(_Kind.EQUAL, [self._number(bits, kind), number])
        self._tell(term(_Kind.ITE, [nan, default, same]))
        return bits

    def _quieted(self, operands: list[Any], numbers: list[Any], bits: Any, kind: FloatKind) -> Any:
        """The first NaN among the operands, made quiet; the bits if there is none."""
        term, format = self._manager.mk_term, format_of(kind)
        quiet = self._constant(format.quiet_bit, format.width)
        # From the last to the first: what is put around the others goes before them.
        for operand, number in reversed(list(zip(operands, numbers, strict=True))):
            nan = term(_Kind.BV_OR, [operand, quiet])
            bits = term(_Kind.ITE, [term(_Kind.FP_IS_NAN, [number]), nan, bits])
        return bits

    def _converted(self, operand: Any, source: FloatKind, target: FloatKind) -> Any:
        term, old, new = self._manager.mk_term, format_of(source), format_of(target)
        number = self._number(operand, source)
        bits = self._bits(term(_Kind.FP_TO_FP_FROM_FP, [self._nearest, number], list(target)), target)
        sign = term(_Kind.BV_EXTRACT, [operand], [old.width - 1, old.width - 1])
        exponent = self._constant(ones(new.exponent_bits), new.exponent_bits)
        payload = term(_Kind.BV_EXTRACT, [operand], [old.digits - 2, max(old.digits - new.digits, 0)])
        if new.digits > old.digits:
            payload = term(_Kind.BV_CONCAT, [payload, self._constant(0, new.digits - old.digits)])
        payload = term(_Kind.BV_OR, [payload, self._constant(new.quiet_bit, new.digits - 1)])
        nan = term(_Kind.BV_CONCAT, [sign, exponent, payload])
        return term(_Kind.ITE, [term(_Kind.FP_IS_NAN, [number]), nan, bits])

    def _fits(self, number: Any, kind: FloatKind, width: int, signed: bool) -> Any:
        """Whether what is left without the fraction is a number of the integer type."""
        term, format = self._manager.mk_term, format_of(kind)
        whole = term(_Kind.FP_RTI, [self._towards_zero, number])
        low, above = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
        finite = term(_Kind.NOT, [term(_Kind.FP_IS_INF, [number])])  # a bound may be beyond the format
        not_below = term(_Kind.FP_LEQ, [self._exact(low, kind, format), whole])
        return term(_Kind.AND, [finite, not_below, term(_Kind.FP_LT, [whole, self._exact(above, kind, format)])])

    def _exact(self, value: int, kind: FloatKind, format: FloatFormat) -> Any:
        return self._number(self._constant(encode(int(value < 0), Fraction(abs(value)), format), format.width), kind)
