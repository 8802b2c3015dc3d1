"""Comparisons of rows of bits, decided or made smaller by what both sides can be."""

from __future__ import annotations

from typing import Final, final

from stateglass.program.bits import ones, signed
from stateglass.smt.choices import settled
from stateglass.smt.operators import Operator
from stateglass.smt.store import Store
from stateglass.smt.term import Term
from stateglass.smt.truths import Truths


@final
class Comparisons:
    """Compares rows of bits that are equally wide."""

    def __init__(self, store: Store, truths: Truths) -> None:
        self._store = store
        self._truths = truths

    def equal(self, a: Term, b: Term) -> Term:
        if a is b:
            return self._store.true
        if a.operator is Operator.VALUE:
            a, b = b, a
        if b.operator is Operator.VALUE:
            if a.operator is Operator.VALUE:
                return self._store.false
            if b.width == 0:
                return a if b.extra else self._truths.negation(a)
            return self._equals_constant(a, b)
        if a.number > b.number:
            a, b = b, a
        return self._store.make(Operator.EQUAL, (a, b), 0)

    def _equals_constant(self, a: Term, constant: Term) -> Term:
        """Equality with a constant goes into choices: what is left speaks of conditions.

        Merged runs make long chains of choices between constants, and with these most of the chain goes away.
        """
        way: list[tuple[Term, Term, bool]] = []
        while a.operator is Operator.CHOOSE:
            condition, then, other = a.operands
            if then.operator is Operator.VALUE:
                way.append((condition, self._store.truth(then is constant), True))
                a = other
            elif other.operator is Operator.VALUE:
                way.append((condition, self._store.truth(other is constant), False))
                a = then
            else:
                break
        result = self._equals_number(a, constant)
        for condition, known, is_then in reversed(way):
            result = (
                self._truths.choose(condition, known, result)
                if is_then
                else self._truths.choose(condition, result, known)
            )
        return result

    def _equals_number(self, a: Term, constant: Term) -> Term:
        match a.operator:
            case Operator.VALUE:
                return self._store.truth(a is constant)
            case Operator.ZERO_EXTEND:
                inner = a.operands[0]
                if constant.extra > ones(inner.width):
                    return self._store.false
                return self.equal(inner, self._store.constant(constant.extra, inner.width))
            case Operator.SIGN_EXTEND:
                inner = a.operands[0]
                if signed(constant.extra, constant.width) != signed(constant.extra & ones(inner.width), inner.width):
                    return self._store.false
                return self.equal(inner, self._store.constant(constant.extra, inner.width))
            case Operator.ADD if a.operands[1].operator is Operator.VALUE:
                difference = constant.extra - a.operands[1].extra
                return self.equal(a.operands[0], self._store.constant(difference, constant.width))
            case _:
                pass
        return self._store.make(Operator.EQUAL, (a, constant), 0)

    def compare(self, operator: Operator, a: Term, b: Term) -> Term:
        """LESS, LESS_EQUAL and the signed ones."""
        strict = operator in (Operator.LESS, Operator.SIGNED_LESS)
        if a is b:
            return self._store.truth(not strict)
        known = self._store.folded(operator, (a, b), 0)
        if known is not None:
            return known
        if operator is Operator.LESS and b.value == 0:
            return self._store.false
        if operator is Operator.LESS_EQUAL and (a.value == 0 or b.value == ones(b.width)):
            return self._store.true
        if a.operator is Operator.CHOOSE and b.operator is Operator.VALUE and settled(a):
            return self._truths.in_choices(a, lambda x: self.compare(operator, x, b))
        if b.operator is Operator.CHOOSE and a.operator is Operator.VALUE and settled(b):
            return self._truths.in_choices(b, lambda x: self.compare(operator, a, x))
        decided = self._by_ranges(operator, a, b)
        if decided is not None:
            return self._store.truth(decided)
        narrow = self._narrow_comparison(operator, a, b)
        return narrow if narrow is not None else self._store.make(operator, (a, b), 0)

    def _by_ranges(self, operator: Operator, a: Term, b: Term) -> bool | None:
        """What a comparison comes to if all values of one side lie on the same side of those of the other."""
        (low, high), (least, most) = self._store.ranges.of(a), self._store.ranges.of(b)
        if operator in (Operator.LESS, Operator.LESS_EQUAL) and (low < 0 or least < 0):
            return None
        strict = operator in (Operator.LESS, Operator.SIGNED_LESS)
        if high < least or (not strict and high == least):
            return True
        return False if low > most or (strict and low == most) else None

    def _narrow_comparison(self, operator: Operator, a: Term, b: Term) -> Term | None:
        """A comparison of extended values is one of the values, where both sides allow it."""
        for extension, plain in (
            (Operator.ZERO_EXTEND, _UNSIGNED.get(operator, operator)),
            (Operator.SIGN_EXTEND, operator),
        ):
            if operator in _UNSIGNED.values() and extension is Operator.SIGN_EXTEND:
                continue
            width = next((x.operands[0].width for x in (a, b) if x.operator is extension), 0)
            if not width:
                continue
            sides = [self._unextended(x, extension, width) for x in (a, b)]
            if sides[0] is not None and sides[1] is not None:
                return self.compare(plain, sides[0], sides[1])
        return None

    def _unextended(self, a: Term, extension: Operator, width: int) -> Term | None:
        if a.operator is extension and a.operands[0].width == width:
            return a.operands[0]
        if a.operator is Operator.VALUE:
            narrow = a.extra & ones(width)
            back = narrow if extension is Operator.ZERO_EXTEND else signed(narrow, width) & ones(a.width)
            return self._store.constant(narrow, width) if back == a.extra else None
        return None

    def overflows(self, operator: Operator, a: Term, b: Term) -> Term:
        """Whether a signed operation leaves the width."""
        known = self._store.folded(operator, (a, b), 0)
        if known is not None:
            return known
        if self._stays_inside(operator, a, b):
            return self._store.false
        if operator is not Operator.SUBTRACT_OVERFLOWS and a.operator is Operator.VALUE:
            a, b = b, a
        if b.operator is Operator.VALUE:
            least, most = -(1 << (a.width - 1)), (1 << (a.width - 1)) - 1
            number = signed(b.extra, b.width)
            if operator is Operator.MULTIPLY_OVERFLOWS:
                if number in (0, 1):
                    return self._store.false
            else:
                by = number if operator is Operator.ADD_OVERFLOWS else -number
                if by == 0:
                    return self._store.false
                if by > 0:
                    return self.compare(Operator.SIGNED_LESS, self._store.constant(most - by, a.width), a)
                if by >= least:
                    return self.compare(Operator.SIGNED_LESS, a, self._store.constant(least - by, a.width))
                return self.compare(Operator.SIGNED_LESS_EQUAL, self._store.constant(0, a.width), a)
        return self._store.make(operator, (a, b), 0)

    def _stays_inside(self, operator: Operator, a: Term, b: Term) -> bool:
        (low, high), (least, most) = self._store.ranges.of(a), self._store.ranges.of(b)
        match operator:
            case Operator.ADD_OVERFLOWS:
                ends = low + least, high + most
            case Operator.SUBTRACT_OVERFLOWS:
                ends = low - most, high - least
            case _:
                products = [x * y for x in (low, high) for y in (least, most)]
                ends = min(products), max(products)
        return -(1 << (a.width - 1)) <= ends[0] and ends[1] < 1 << (a.width - 1)


_UNSIGNED: Final = {
    Operator.SIGNED_LESS: Operator.LESS,
    Operator.SIGNED_LESS_EQUAL: Operator.LESS_EQUAL,
}
