"""Arithmetic on rows of bits, and rows cut, joined and made wider, simplified as they are made."""

from __future__ import annotations

from typing import Any, Final, final

from stateglass.program.bits import ones, signed
from stateglass.smt.choices import settled
from stateglass.smt.floating import single
from stateglass.smt.operators import Operator
from stateglass.smt.store import Store
from stateglass.smt.term import Term
from stateglass.smt.truths import Truths


@final
class Rows:
    """Makes rows of bits from others. Operands of one operator must be equally wide, except where it says otherwise."""

    def __init__(self, store: Store, truths: Truths) -> None:
        self._store = store
        self._truths = truths

    def unary(self, operator: Operator, a: Term) -> Term:
        """NEGATE and COMPLEMENT."""
        if a.operator is operator:
            return a.operands[0]
        known = self._store.folded(operator, (a,), a.width)
        return known if known is not None else self._store.make(operator, (a,), a.width)

    def binary(self, operator: Operator, a: Term, b: Term) -> Term:
        """The arithmetic and bit-wise operators and the shifts, whose count is as wide as the value."""
        assert a.width == b.width
        known = self._store.folded(operator, (a, b), a.width)
        if known is not None:
            return known
        if operator in _COMMUTATIVE and (
            a.operator is Operator.VALUE or (b.operator is not Operator.VALUE and a.number > b.number)
        ):
            a, b = b, a
        if b.operator is Operator.VALUE:
            simple = self._with_constant(operator, a, b.extra)
            if simple is not None:
                return simple
            if operator is Operator.ADD and a.operator is Operator.ADD and a.operands[1].operator is Operator.VALUE:
                return self.binary(operator, a.operands[0], self.binary(operator, a.operands[1], b))
            if operator is Operator.SUBTRACT:
                return self.binary(Operator.ADD, a, self.unary(Operator.NEGATE, b))
        if a is b and operator in (Operator.SUBTRACT, Operator.BIT_XOR):
            return self._store.constant(0, a.width)
        if a is b and operator in (Operator.BIT_AND, Operator.BIT_OR):
            return a
        if a.operator is Operator.CHOOSE and b.operator is Operator.VALUE and settled(a):
            return self._truths.in_choices(a, lambda x: self.binary(operator, x, b))
        if b.operator is Operator.CHOOSE and a.operator is Operator.VALUE and settled(b):
            return self._truths.in_choices(b, lambda x: self.binary(operator, a, x))
        return self._store.make(operator, (a, b), a.width)

    def _with_constant(self, operator: Operator, a: Term, number: int) -> Term | None:
        """What an operator with a constant on its right comes to, where that is something simpler."""
        width = a.width
        zero, all_ones = self._store.constant(0, width), self._store.constant(-1, width)
        if number == 0:
            if operator in _KEEP_ON_ZERO:
                return a
            if operator in (Operator.MULTIPLY, Operator.BIT_AND):
                return zero
        if number == 1:
            if operator in (Operator.MULTIPLY, Operator.DIVIDE) or (operator is Operator.SIGNED_DIVIDE and width > 1):
                return a
            if operator is Operator.REMAINDER or (operator is Operator.SIGNED_REMAINDER and width > 1):
                return zero
        if number == ones(width):
            if operator is Operator.BIT_AND:
                return a
            if operator is Operator.BIT_OR:
                return all_ones
            if operator is Operator.BIT_XOR:
                return self.unary(Operator.COMPLEMENT, a)
        if operator in (Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT) and number >= width:
            return zero
        if number and number & (number - 1) == 0:
            shift = number.bit_length() - 1
            if operator is Operator.MULTIPLY:
                return self.binary(Operator.SHIFT_LEFT, a, self._store.constant(shift, width))
            if operator is Operator.DIVIDE:
                return self.binary(Operator.SHIFT_RIGHT, a, self._store.constant(shift, width))
            if operator is Operator.REMAINDER:
                return self.binary(Operator.BIT_AND, a, self._store.constant(number - 1, width))
        return None

    def join(self, high: Term, low: Term) -> Term:
        """Two rows of bits as one."""
        if high.operator is Operator.VALUE and low.operator is Operator.VALUE:
            return self._store.constant(high.extra << low.width | low.extra, high.width + low.width)
        if high.value == 0:
            return self.extend(low, high.width + low.width, is_signed=False)
        if (
            high.operator is Operator.PART
            and low.operator is Operator.PART
            and high.operands[0] is low.operands[0]
            and high.extra[1] == low.extra[0] + 1
        ):
            return self.part(high.operands[0], high.extra[0], low.extra[1])
        return self._store.make(Operator.JOIN, (high, low), high.width + low.width)

    def part(self, a: Term, high: int, low: int) -> Term:
        """The bits `high` down to `low`."""
        width = high - low + 1
        if width == a.width:
            return a
        if a.operator is Operator.VALUE:
            return self._store.constant(a.extra >> low, width)
        match a.operator:
            case Operator.PART:
                start = a.extra[1]
                return self.part(a.operands[0], high + start, low + start)
            case Operator.JOIN:
                upper, lower = a.operands
                if low >= lower.width:
                    return self.part(upper, high - lower.width, low - lower.width)
                if high < lower.width:
                    return self.part(lower, high, low)
                return self.join(self.part(upper, high - lower.width, 0), self.part(lower, lower.width - 1, low))
            case Operator.ZERO_EXTEND | Operator.SIGN_EXTEND:
                inner = a.operands[0]
                if high < inner.width:
                    return self.part(inner, high, low)
                if low == 0:
                    return self.extend(inner, width, is_signed=a.operator is Operator.SIGN_EXTEND)
                if a.operator is Operator.ZERO_EXTEND and low >= inner.width:
                    return self._store.constant(0, width)
            case Operator.CHOOSE if settled(a):
                return self._truths.in_choices(a, lambda x: self.part(x, high, low))
            case _:
                pass
        return self._store.make(Operator.PART, (a,), width, (high, low))

    def extend(self, a: Term, width: int, *, is_signed: bool) -> Term:
        """More bits in front: copies of the sign, or zeros."""
        if width == a.width:
            return a
        if a.operator is Operator.VALUE:
            return self._store.constant(signed(a.extra, a.width) if is_signed else a.extra, width)
        operator = Operator.SIGN_EXTEND if is_signed else Operator.ZERO_EXTEND
        if a.operator is operator or (is_signed and a.operator is Operator.ZERO_EXTEND):
            return self.extend(a.operands[0], width, is_signed=a.operator is Operator.SIGN_EXTEND)
        if a.operator is Operator.CHOOSE and settled(a):
            return self._truths.in_choices(a, lambda x: self.extend(x, width, is_signed=is_signed))
        return self._store.make(operator, (a,), width)

    def resize(self, a: Term, width: int, *, is_signed: bool) -> Term:
        """Bits cut off in front, or put there."""
        if width < a.width:
            return self.part(a, width - 1, 0)
        return self.extend(a, width, is_signed=is_signed)

    def floating(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any) -> Term:
        """An operation on floating-point numbers; only what has constants alone is simplified."""
        if all(o.operator is Operator.VALUE for o in operands):
            known = single(operator, extra, [o.extra for o in operands], [o.width for o in operands])
            return self._store.constant(known, width) if width else self._store.truth(bool(known))
        return self._store.make(operator, operands, width, extra)


_COMMUTATIVE: Final = frozenset({Operator.ADD, Operator.MULTIPLY, Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR})
_KEEP_ON_ZERO: Final = frozenset(
    {
        Operator.ADD,
        Operator.SUBTRACT,
        Operator.BIT_OR,
        Operator.BIT_XOR,
        Operator.SHIFT_LEFT,
        Operator.SHIFT_RIGHT,
        Operator.SIGNED_SHIFT_RIGHT,
    }
)
