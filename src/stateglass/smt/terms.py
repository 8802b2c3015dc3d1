"""Terms over truth values and rows of bits: shared wherever they are equal, simplified as they are made.

The same operands give the same object, so that terms are compared by identity and a formula is a graph, not a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, final

from stateglass.smt.choices import settled
from stateglass.smt.floating import single
from stateglass.smt.operators import FOLDS, Operator, ones, signed
from stateglass.smt.ranges import Range, Ranges
from stateglass.smt.term import Term

Mark = tuple[int, int, int]
MOST_FLATTENED: Final = 16
"""A conjunction or disjunction with at most so many operands becomes part of the one it stands in."""


@final
class Terms:
    """Makes terms. Operands of one operator must have the same width, except where it says otherwise."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Term] = {}
        self.false = self._make(Operator.VALUE, (), 0, 0)
        self.true = self._make(Operator.VALUE, (), 0, 1)
        self.variables: list[Term] = []
        self._ranges = Ranges()

    def _make(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any = None) -> Term:
        key = (operator, operands, width, extra)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Term(operator, operands, width, extra, len(self._known))
        return found

    def made_again(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any) -> Term:
        """A term that was made elsewhere, as it was."""
        if operator is Operator.VARIABLE:
            return self.variable(extra, width)
        return self._make(operator, operands, width, extra)

    def __len__(self) -> int:
        return len(self._known)

    def mark(self) -> Mark:
        """What has been made so far, for `forget`."""
        return len(self._known), len(self.variables), len(self._ranges)

    def forget(self, mark: Mark) -> None:
        """Everything that was made since: whoever made it must not use it any more."""
        while len(self._known) > mark[0]:
            self._known.popitem()
        del self.variables[mark[1] :]
        self._ranges.forget(mark[2])

    def constant(self, value: int, width: int) -> Term:
        """A number, cut to the width."""
        return self._make(Operator.VALUE, (), width, value & ones(width))

    def truth(self, value: bool) -> Term:
        return self.true if value else self.false

    def variable(self, name: str, width: int) -> Term:
        """A new unknown; names must be different."""
        key = (Operator.VARIABLE, (), width, name)
        assert key not in self._known, f"two variables are called {name}"
        made = self._make(*key)
        self.variables.append(made)
        return made

    def range_of(self, a: Term) -> Range:
        """The least and the greatest signed number that a row of bits may be, as far as a glance tells."""
        return self._ranges.of(a)

    # ---- truth values

    def negation(self, a: Term) -> Term:
        if a.operator is Operator.VALUE:
            return self.false if a.extra else self.true
        if a.operator is Operator.NOT:
            return a.operands[0]
        return self._make(Operator.NOT, (a,), 0)

    def both(self, *operands: Term) -> Term:
        """All of some truth values."""
        return self._connect(Operator.AND, operands, self.true, self.false)

    def either(self, *operands: Term) -> Term:
        """One of some truth values, or more."""
        return self._connect(Operator.OR, operands, self.false, self.true)

    def _connect(self, operator: Operator, operands: Iterable[Term], neutral: Term, strong: Term) -> Term:
        found: dict[Term, None] = {}
        for operand in operands:
            if operand is strong:
                return strong
            if operand.operator is operator and len(operand.operands) <= MOST_FLATTENED:
                found.update(dict.fromkeys(operand.operands))
            elif operand is not neutral:
                found[operand] = None
        dual = Operator.OR if operator is Operator.AND else Operator.AND
        absorbed = []
        for operand in found:
            if operand.operator is Operator.NOT:
                inner = operand.operands[0]
                # a | !a, and a | b | !(a | b), are true; a & !a, and a & b & !(a & b), are false.
                if inner in found or (inner.operator is operator and all(i in found for i in inner.operands)):
                    return strong
            elif operand.operator is dual and any(i in found for i in operand.operands):
                absorbed.append(operand)  # a | (a & b) is a
        for operand in absorbed:
            del found[operand]
        if len(found) == 2:
            merged = self._opposite(operator, dual, *found)
            if merged is not None:
                return merged
        if not found:
            return neutral
        if len(found) == 1:
            return next(iter(found))
        return self._make(operator, tuple(sorted(found, key=_number)), 0)

    def _opposite(self, operator: Operator, dual: Operator, a: Term, b: Term) -> Term | None:
        """`(g & c) | (g & !c)` is `g`, `c | (g & !c)` is `c | g`; the same with both connectives exchanged."""
        first = a.operands if a.operator is dual else (a,)
        second = b.operands if b.operator is dual else (b,)
        if len(first) > len(second):
            first, second = second, first
        others = set(second)
        lost = [x for x in first if x not in others]
        if len(lost) == 1:
            inverse = self.negation(lost[0])
            if inverse in others:
                rest = [x for x in second if x is not inverse]
                left = self._connect(dual, rest, *self._units(dual))
                if len(first) == len(second):
                    return left
                if len(first) == 1:
                    return self._connect(operator, (lost[0], left), *self._units(operator))
        return None

    def _units(self, operator: Operator) -> tuple[Term, Term]:
        return (self.true, self.false) if operator is Operator.AND else (self.false, self.true)

    # ---- comparisons

    def equal(self, a: Term, b: Term) -> Term:
        if a is b:
            return self.true
        if a.operator is Operator.VALUE:
            a, b = b, a
        if b.operator is Operator.VALUE:
            if a.operator is Operator.VALUE:
                return self.false
            if b.width == 0:
                return a if b.extra else self.negation(a)
            return self._equals_constant(a, b)
        if a.number > b.number:
            a, b = b, a
        return self._make(Operator.EQUAL, (a, b), 0)

    def _equals_constant(self, a: Term, constant: Term) -> Term:
        """Equality with a constant goes into choices: what is left speaks of conditions."""
        way: list[tuple[Term, Term, bool]] = []
        while a.operator is Operator.CHOOSE:
            condition, then, other = a.operands
            if then.operator is Operator.VALUE:
                way.append((condition, self.truth(then is constant), True))
                a = other
            elif other.operator is Operator.VALUE:
                way.append((condition, self.truth(other is constant), False))
                a = then
            else:
                break
        result = self._equals_number(a, constant)
        for condition, known, is_then in reversed(way):
            result = self.choose(condition, known, result) if is_then else self.choose(condition, result, known)
        return result

    def _equals_number(self, a: Term, constant: Term) -> Term:
        match a.operator:
            case Operator.VALUE:
                return self.truth(a is constant)
            case Operator.ZERO_EXTEND:
                inner = a.operands[0]
                if constant.extra > ones(inner.width):
                    return self.false
                return self.equal(inner, self.constant(constant.extra, inner.width))
            case Operator.SIGN_EXTEND:
                inner = a.operands[0]
                if signed(constant.extra, constant.width) != signed(constant.extra & ones(inner.width), inner.width):
                    return self.false
                return self.equal(inner, self.constant(constant.extra, inner.width))
            case Operator.ADD if a.operands[1].operator is Operator.VALUE:
                return self.equal(a.operands[0], self.subtract(constant, a.operands[1]))
            case _:
                pass
        return self._make(Operator.EQUAL, (a, constant), 0)

    def compare(self, operator: Operator, a: Term, b: Term) -> Term:
        """LESS, LESS_EQUAL and the signed ones."""
        strict = operator in (Operator.LESS, Operator.SIGNED_LESS)
        if a is b:
            return self.truth(not strict)
        known = self._folded(operator, (a, b), 0)
        if known is not None:
            return known
        if operator is Operator.LESS and b.value == 0:
            return self.false
        if operator is Operator.LESS_EQUAL and (a.value == 0 or b.value == ones(b.width)):
            return self.true
        if a.operator is Operator.CHOOSE and b.operator is Operator.VALUE and settled(a):
            return self._in_choices(a, lambda x: self.compare(operator, x, b))
        if b.operator is Operator.CHOOSE and a.operator is Operator.VALUE and settled(b):
            return self._in_choices(b, lambda x: self.compare(operator, a, x))
        decided = self._by_ranges(operator, a, b)
        if decided is not None:
            return self.truth(decided)
        narrow = self._narrow_comparison(operator, a, b)
        return narrow if narrow is not None else self._make(operator, (a, b), 0)

    def _by_ranges(self, operator: Operator, a: Term, b: Term) -> bool | None:
        """What a comparison comes to if all values of one side lie on the same side of those of the other."""
        (low, high), (least, most) = self._ranges.of(a), self._ranges.of(b)
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
            return self.constant(narrow, width) if back == a.extra else None
        return None

    def overflows(self, operator: Operator, a: Term, b: Term) -> Term:
        """Whether a signed operation leaves the width."""
        known = self._folded(operator, (a, b), 0)
        if known is not None:
            return known
        if self._stays_inside(operator, a, b):
            return self.false
        if operator is not Operator.SUBTRACT_OVERFLOWS and a.operator is Operator.VALUE:
            a, b = b, a
        if b.operator is Operator.VALUE:
            least, most = -(1 << (a.width - 1)), (1 << (a.width - 1)) - 1
            number = signed(b.extra, b.width)
            if operator is Operator.MULTIPLY_OVERFLOWS:
                if number in (0, 1):
                    return self.false
            else:
                by = number if operator is Operator.ADD_OVERFLOWS else -number
                if by == 0:
                    return self.false
                if by > 0:
                    return self.compare(Operator.SIGNED_LESS, self.constant(most - by, a.width), a)
                if by >= least:
                    return self.compare(Operator.SIGNED_LESS, a, self.constant(least - by, a.width))
                return self.compare(Operator.SIGNED_LESS_EQUAL, self.constant(0, a.width), a)
        return self._make(operator, (a, b), 0)

    def _stays_inside(self, operator: Operator, a: Term, b: Term) -> bool:
        (low, high), (least, most) = self._ranges.of(a), self._ranges.of(b)
        match operator:
            case Operator.ADD_OVERFLOWS:
                ends = low + least, high + most
            case Operator.SUBTRACT_OVERFLOWS:
                ends = low - most, high - least
            case _:
                products = [x * y for x in (low, high) for y in (least, most)]
                ends = min(products), max(products)
        return -(1 << (a.width - 1)) <= ends[0] and ends[1] < 1 << (a.width - 1)

    # ---- choices

    def choose(self, condition: Term, then: Term, other: Term) -> Term:
        """`then` if the condition is true, else `other`; of either kind."""
        if condition is self.true or then is other:
            return then
        if condition is self.false:
            return other
        if condition.operator is Operator.NOT:
            condition, then, other = condition.operands[0], other, then
        if then.width == 0:
            return self._choose_truth(condition, then, other)
        # What the condition says holds within the branches too.
        if then.operator is Operator.CHOOSE and then.operands[0] is condition:
            then = then.operands[1]
        if other.operator is Operator.CHOOSE and other.operands[0] is condition:
            other = other.operands[2]
        if other.operator is Operator.CHOOSE and other.operands[1] is then:
            return self.choose(self.either(condition, other.operands[0]), then, other.operands[2])
        if then is other:
            return then
        return self._make(Operator.CHOOSE, (condition, then, other), then.width)

    def _choose_truth(self, condition: Term, then: Term, other: Term) -> Term:
        if then is self.true:
            return self.either(condition, other)
        if then is self.false:
            return self.both(self.negation(condition), other)
        if other is self.true:
            return self.either(self.negation(condition), then)
        if other is self.false:
            return self.both(condition, then)
        return self._make(Operator.CHOOSE, (condition, then, other), 0)

    def _in_choices(self, a: Term, apply: Callable[[Term], Term]) -> Term:
        """What something makes of a choice between constants, however long: a choice between what it makes of those."""
        known: dict[Term, Term] = {}
        stack = [a]
        while stack:
            node = stack[-1]
            if node.operator is not Operator.CHOOSE:
                known[node] = apply(node)
            missing = [o for o in node.operands[1:] if o not in known]
            stack += missing
            if not missing:
                stack.pop()
                if node not in known:
                    condition, then, other = node.operands
                    known[node] = self.choose(condition, known[then], known[other])
        return known[a]

    # ---- rows of bits

    def _folded(self, operator: Operator, operands: Sequence[Term], width: int) -> Term | None:
        values = []
        for operand in operands:
            if operand.operator is not Operator.VALUE:
                return None
            values.append(operand.extra)
        return (
            self.constant(FOLDS[operator](values, operands[0].width), width)
            if width
            else self.truth(bool(FOLDS[operator](values, operands[0].width)))
        )

    def unary(self, operator: Operator, a: Term) -> Term:
        """NEGATE and COMPLEMENT."""
        if a.operator is operator:
            return a.operands[0]
        known = self._folded(operator, (a,), a.width)
        return known if known is not None else self._make(operator, (a,), a.width)

    def binary(self, operator: Operator, a: Term, b: Term) -> Term:
        """The arithmetic and bit-wise operators and the shifts, whose count is as wide as the value."""
        assert a.width == b.width
        known = self._folded(operator, (a, b), a.width)
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
            return self.constant(0, a.width)
        if a is b and operator in (Operator.BIT_AND, Operator.BIT_OR):
            return a
        if a.operator is Operator.CHOOSE and b.operator is Operator.VALUE and settled(a):
            return self._in_choices(a, lambda x: self.binary(operator, x, b))
        if b.operator is Operator.CHOOSE and a.operator is Operator.VALUE and settled(b):
            return self._in_choices(b, lambda x: self.binary(operator, a, x))
        return self._make(operator, (a, b), a.width)

    def subtract(self, a: Term, b: Term) -> Term:
        return self.binary(Operator.SUBTRACT, a, b)

    def _with_constant(self, operator: Operator, a: Term, number: int) -> Term | None:
        """What an operator with a constant on its right comes to, where that is something simpler."""
        width = a.width
        zero, all_ones = self.constant(0, width), self.constant(-1, width)
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
                return self.binary(Operator.SHIFT_LEFT, a, self.constant(shift, width))
            if operator is Operator.DIVIDE:
                return self.binary(Operator.SHIFT_RIGHT, a, self.constant(shift, width))
            if operator is Operator.REMAINDER:
                return self.binary(Operator.BIT_AND, a, self.constant(number - 1, width))
        return None

    def join(self, high: Term, low: Term) -> Term:
        """Two rows of bits as one."""
        if high.operator is Operator.VALUE and low.operator is Operator.VALUE:
            return self.constant(high.extra << low.width | low.extra, high.width + low.width)
        if high.value == 0:
            return self.extend(low, high.width + low.width, is_signed=False)
        if (
            high.operator is Operator.PART
            and low.operator is Operator.PART
            and high.operands[0] is low.operands[0]
            and high.extra[1] == low.extra[0] + 1
        ):
            return self.part(high.operands[0], high.extra[0], low.extra[1])
        return self._make(Operator.JOIN, (high, low), high.width + low.width)

    def part(self, a: Term, high: int, low: int) -> Term:
        """The bits `high` down to `low`."""
        width = high - low + 1
        if width == a.width:
            return a
        if a.operator is Operator.VALUE:
            return self.constant(a.extra >> low, width)
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
                    return self.constant(0, width)
            case Operator.CHOOSE if settled(a):
                return self._in_choices(a, lambda x: self.part(x, high, low))
            case _:
                pass
        return self._make(Operator.PART, (a,), width, (high, low))

    def extend(self, a: Term, width: int, *, is_signed: bool) -> Term:
        """More bits in front: copies of the sign, or zeros."""
        if width == a.width:
            return a
        if a.operator is Operator.VALUE:
            return self.constant(signed(a.extra, a.width) if is_signed else a.extra, width)
        operator = Operator.SIGN_EXTEND if is_signed else Operator.ZERO_EXTEND
        if a.operator is operator or (is_signed and a.operator is Operator.ZERO_EXTEND):
            return self.extend(a.operands[0], width, is_signed=a.operator is Operator.SIGN_EXTEND)
        if a.operator is Operator.CHOOSE and settled(a):
            return self._in_choices(a, lambda x: self.extend(x, width, is_signed=is_signed))
        return self._make(operator, (a,), width)

    def resize(self, a: Term, width: int, *, is_signed: bool) -> Term:
        """Bits cut off in front, or put there."""
        if width < a.width:
            return self.part(a, width - 1, 0)
        return self.extend(a, width, is_signed=is_signed)

    def floating(self, operator: Operator, operands: tuple[Term, ...], width: int, extra: Any) -> Term:
        """An operation on floating-point numbers; only what has constants alone is simplified."""
        if all(o.operator is Operator.VALUE for o in operands):
            known = single(operator, extra, [o.extra for o in operands], [o.width for o in operands])
            return self.constant(known, width) if width else self.truth(bool(known))
        return self._make(operator, operands, width, extra)

    def replaced(self, term: Term, old: Term, new: Term) -> Term:
        """A term in which another one stands for a part of it."""
        known: dict[Term, Term] = {old: new}
        stack = [term]
        while stack:
            node = stack[-1]
            missing = [o for o in node.operands if o not in known] if node not in known else []
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if node not in known:
                known[node] = self.remade(node, tuple(known[o] for o in node.operands))
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

    def bit(self, truth: Term, width: int) -> Term:
        """A truth value as the number 0 or 1."""
        return self.choose(truth, self.constant(1, width), self.constant(0, width))


def _number(term: Term) -> int:
    return term.number


_UNSIGNED: Final = {
    Operator.SIGNED_LESS: Operator.LESS,
    Operator.SIGNED_LESS_EQUAL: Operator.LESS_EQUAL,
}
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
