"""Floating-point terms as C: the same operations on the same formats, literals that read back as the same number.

What is no number is neither less than anything nor not less: the opposite of a comparison is written with `!`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, final

from stateglass.program import BinaryOperator, Comparison, Float, Int, Scalar, UnaryOperator
from stateglass.program.floats import exact, float_text
from stateglass.reflexion.arithmetic import NoWords, cast_to
from stateglass.smt import Operator, Term, Terms
from stateglass.source import NOWHERE
from stateglass.values.symbolic import Note, Symbolic

FLOAT: Final = Float(24, 4)
DOUBLE: Final = Float(53, 8)
_FORMATS: Final = {(8, 24): FLOAT, (11, 53): DOUBLE}
_NAMES: Final = {FLOAT: "float", DOUBLE: "double"}
_COMPARED: Final = {
    Operator.FLOAT_EQUAL: Comparison.EQUAL,
    Operator.FLOAT_LESS: Comparison.LESS,
    Operator.FLOAT_LESS_EQUAL: Comparison.LESS_EQUAL,
}
_MIRRORED: Final = {
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.LESS: Comparison.GREATER,
    Comparison.LESS_EQUAL: Comparison.GREATER_EQUAL,
}
_COMPUTED: Final = {
    Operator.FLOAT_ADD: (BinaryOperator.ADD, 12),
    Operator.FLOAT_SUBTRACT: (BinaryOperator.SUBTRACT, 12),
    Operator.FLOAT_MULTIPLY: (BinaryOperator.MULTIPLY, 13),
    Operator.FLOAT_DIVIDE: (BinaryOperator.DIVIDE, 13),
}
COMPARISONS: Final = frozenset(_COMPARED)
_RELATION, _UNARY, _ATOM = 10, 14, 16
"""How tightly words are bound."""


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An expression: its words, how tightly they are bound, and the value and type that C gives them."""

    text: str
    level: int
    value: Term
    type: Int | Float

    def bound(self, around: int) -> str:
        return self.text if self.level > around else f"({self.text})"


@final
class FloatWords:
    """Writes comparisons of floating-point numbers, and what integers are made of them."""

    def __init__(
        self,
        terms: Terms,
        names: Mapping[Term, tuple[str, Scalar]],
        integer: Callable[[Term, bool], Number],
        note: Note,
        used: Callable[[Term], None],
    ) -> None:
        """`integer` writes a term as a number with or without a sign; `note` hears of faults, `used` of names."""
        self._terms = terms
        self._domain = Symbolic(terms, note)
        self._names = names
        self._integer = integer
        self._used = used

    def comparison(self, term: Term, *, positive: bool) -> tuple[str, Term]:
        """A comparison or its opposite, and what C takes that for."""
        type, (left, right), sign = self._type(term.extra), term.operands, _COMPARED[term.operator]
        if left.operator is Operator.VALUE:
            left, right, sign = right, left, _MIRRORED[sign]
        one, other = self._both(left, right, type)
        meaning = self._domain.holds(sign, type, one.value, other.value)
        a, b = one.bound(_RELATION), other.bound(_RELATION)
        if positive:
            return f"{a} {sign.value} {b}", meaning
        if sign is Comparison.EQUAL:
            return f"{a} != {b}", self._terms.negation(meaning)
        return f"!({a} {sign.value} {b})", self._terms.negation(meaning)

    def truncated(self, term: Term) -> Number:
        """An integer that a number was made to: a cast."""
        format, bits, signed = term.extra
        number, type = self._value(term.operands[0], self._type(format)), Int(bits, signed)
        name = cast_to(type)
        if name is None:
            raise NoWords
        value = self._made(number, type)
        return Number(f"({name}){number.bound(_UNARY - 1)}", _UNARY, value, type)

    def _type(self, format: tuple[int, int]) -> Float:
        found = _FORMATS.get(format)
        if found is None:
            raise NoWords
        return found

    def _both(self, left: Term, right: Term, type: Float) -> tuple[Number, Number]:
        """Two operands in one type, without the casts that C adds by itself."""
        one, other = self._value(left, type), self._value(right, type)
        for a in (self._unconverted(left, one), one):
            for b in (self._unconverted(right, other), other):
                if _common(a.type, b.type) == type:
                    return self._converted(a, type), self._converted(b, type)
        raise NoWords

    def _converted(self, number: Number, type: Float) -> Number:
        return Number(number.text, number.level, self._made(number, type), type)

    def _made(self, number: Number, type: Scalar) -> Term:
        convert = self._domain.convert(number.type, type, NOWHERE)
        return number.value if convert is None else convert(number.value)

    def _unconverted(self, term: Term, whole: Number) -> Number:
        """What a conversion is made of: C makes it where the other operand asks for it."""
        if term in self._names:
            return whole
        match term.operator:
            case Operator.FLOAT_FROM_FLOAT:
                source, _ = term.extra
                return self._value(term.operands[0], self._type(source))
            case Operator.FLOAT_FROM_SIGNED | Operator.FLOAT_FROM_UNSIGNED:
                return self._whole(term)
            case _:
                return whole

    def _whole(self, term: Term) -> Number:
        """The integer that a number is made of, as wide as it was then."""
        inner, signed = term.operands[0], term.operator is Operator.FLOAT_FROM_SIGNED
        number = self._integer(inner, signed)
        assert isinstance(number.type, Int)
        if number.type.bits < inner.width:
            value = self._terms.resize(number.value, inner.width, is_signed=number.type.signed)
            return Number(number.text, number.level, value, Int(inner.width, signed))
        if number.type != Int(inner.width, signed):
            raise NoWords
        return number

    def _value(self, term: Term, type: Float) -> Number:
        """A number of exactly this type."""
        known = self._names.get(term)
        if known is not None:
            if known[1] != type:
                raise NoWords
            self._used(term)
            return Number(known[0], _ATOM, term, type)
        match term.operator:
            case Operator.VALUE:
                return self._literal(term, type)
            case Operator.FLOAT_FROM_FLOAT | Operator.FLOAT_FROM_SIGNED | Operator.FLOAT_FROM_UNSIGNED:
                number = self._unconverted(term, Number("", 0, term, type))
                text = f"({_NAMES[type]}){number.bound(_UNARY - 1)}"
                return Number(text, _UNARY, self._made(number, type), type)
            case Operator.BIT_XOR if term.operands[1].value == type.format.sign_bit:
                number = self._value(term.operands[0], type)
                value = self._domain.unary(UnaryOperator.NEGATE, type, NOWHERE)(number.value)
                return Number(f"-{number.bound(_UNARY)}", _UNARY, value, type)
            case operator if operator in _COMPUTED:
                if self._type(term.extra) != type:
                    raise NoWords
                sign, level = _COMPUTED[operator]
                left, right = term.operands
                one, other = self._both(left, right, type)
                value = self._domain.binary(sign, type, NOWHERE)(one.value, other.value)
                return Number(f"{one.bound(level - 1)} {sign.value} {other.bound(level)}", level, value, type)
            case _:
                raise NoWords

    def _literal(self, term: Term, type: Float) -> Number:
        text = float_text(term.extra, type.format)
        if text.endswith(".0"):
            text = f"{int(exact(term.extra, type.format))}.0"  # with all its digits, not only those that it needs
        if not text.lstrip("-")[0].isdigit():
            raise NoWords  # infinity and what is no number have no literals
        suffix = "f" if type == FLOAT else ""
        return Number(f"{text}{suffix}", _UNARY if text.startswith("-") else _ATOM, term, type)


def _common(one: Int | Float, other: Int | Float) -> Float | None:
    """The type that C computes in; None if that is an integer's."""
    floats = [t for t in (one, other) if isinstance(t, Float)]
    return max(floats, key=lambda t: t.digits, default=None)
