"""Terms over the unknowns as C that a person would have written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from stateglass.program import Bool, Enum, Enumeration, Float, Int, Scalar, representation
from stateglass.smt import Operator, Term
from stateglass.smt.operators import ones, signed

LARGEST: Final = 15
"""A condition that is made of more terms than this says less to a person than an example does."""


@final
class NoWords(Exception):
    """A term is too large, or nothing that C has an operator for."""


_COMPARISONS: Final = {
    Operator.EQUAL: ("==", "!="),
    Operator.LESS: ("<", ">="),
    Operator.LESS_EQUAL: ("<=", ">"),
    Operator.SIGNED_LESS: ("<", ">="),
    Operator.SIGNED_LESS_EQUAL: ("<=", ">"),
}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ARITHMETIC: Final = {
    Operator.ADD: ("+", 12),
    Operator.SUBTRACT: ("-", 12),
    Operator.MULTIPLY: ("*", 13),
    Operator.DIVIDE: ("/", 13),
    Operator.SIGNED_DIVIDE: ("/", 13),
    Operator.REMAINDER: ("%", 13),
    Operator.SIGNED_REMAINDER: ("%", 13),
    Operator.BIT_AND: ("&", 8),
    Operator.BIT_XOR: ("^", 7),
    Operator.BIT_OR: ("|", 6),
    Operator.SHIFT_LEFT: ("<<", 11),
    Operator.SHIFT_RIGHT: (">>", 11),
    Operator.SIGNED_SHIFT_RIGHT: (">>", 11),
}
_UNARY, _ATOM = 14, 16


@final
class Wording:
    """Writes terms; `names` are those of the unknowns, with their types."""

    def __init__(self, names: Mapping[Term, tuple[str, Scalar]], enums: Mapping[str, Enumeration]) -> None:
        self._names = names
        self._enums = enums

    def truth(self, term: Term) -> str:
        """A condition as text."""
        if _size(term) > LARGEST:
            raise NoWords
        return self._truth(term, positive=True)

    def _truth(self, term: Term, *, positive: bool) -> str:
        if term.operator is Operator.NOT:
            return self._truth(term.operands[0], positive=not positive)
        if term.operator in (Operator.AND, Operator.OR):
            together = (term.operator is Operator.AND) is positive
            parts = [self._truth(o, positive=positive) for o in term.operands]
            if together:
                return " && ".join(f"({p})" if " || " in p else p for p in parts)
            return " || ".join(f"({p})" if " && " in p else p for p in parts)
        if term.operator in _COMPARISONS:
            return self._comparison(term, positive=positive)
        if term in self._names:
            name = self._names[term][0]
            return name if positive else f"!{name}"
        raise NoWords

    def _comparison(self, term: Term, *, positive: bool) -> str:
        left, right = term.operands
        word = _COMPARISONS[term.operator][0 if positive else 1]
        is_signed = term.operator in (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)
        if left.operator is Operator.VALUE:
            left, right, word = right, left, _MIRRORED[word]
        type = self._type(left) or self._type(right)
        if isinstance(type, Bool) and right.value in (0, 1) and word in ("==", "!="):
            name, _ = self._value(left, is_signed)
            return name if bool(right.value) is (word == "==") else f"!{name}"
        if term.operator is Operator.EQUAL:
            is_signed = type is None or representation(type).signed
        number = right.value
        if number is not None:
            # `x > 4` rather than `x >= 5` where the code or the state says so is a matter of taste; 0 and 1 are not.
            plain = signed(number, right.width) if is_signed else number
            if word == ">=" and plain == 1:
                word, number = ">", number - 1
            elif word == "<" and plain == 1:
                word, number = "<=", number - 1
            shown = self._constant(number & ones(right.width), right.width, type, is_signed)
        else:
            shown = self._operand(right, 10, is_signed)
        return f"{self._operand(left, 10, is_signed)} {word} {shown}"

    def _operand(self, term: Term, around: int, is_signed: bool) -> str:
        text, level = self._value(term, is_signed)
        return text if level > around else f"({text})"

    def _value(self, term: Term, is_signed: bool) -> tuple[str, int]:
        """A number as text, and how tightly it is bound."""
        if term in self._names:
            return self._names[term][0], _ATOM
        match term.operator:
            case Operator.VALUE:
                return self._constant(term.extra, term.width, None, is_signed), _ATOM
            case Operator.ZERO_EXTEND | Operator.SIGN_EXTEND:
                return self._value(term.operands[0], term.operator is Operator.SIGN_EXTEND)
            case Operator.PART if term.extra[1] == 0 and term.width in (8, 16, 32, 64):
                inner = self._operand(term.operands[0], _UNARY - 1, is_signed)
                return f"({'' if is_signed else 'u'}int{term.width}_t){inner}", _UNARY
            case Operator.NEGATE | Operator.COMPLEMENT:
                sign = "-" if term.operator is Operator.NEGATE else "~"
                return f"{sign}{self._operand(term.operands[0], _UNARY - 1, is_signed)}", _UNARY
            case Operator.ADD if term.operands[1].operator is Operator.VALUE:
                return self._sum(term, is_signed)
            case operator if operator in _ARITHMETIC:
                sign, level = _ARITHMETIC[operator]
                left, right = term.operands
                return (
                    f"{self._operand(left, level - 1, is_signed)} {sign} {self._operand(right, level, is_signed)}",
                    level,
                )
            case _:
                raise NoWords

    def _sum(self, term: Term, is_signed: bool) -> tuple[str, int]:
        left, right = term.operands
        by = signed(right.extra, right.width)
        return f"{self._operand(left, 11, is_signed)} {'+' if by >= 0 else '-'} {abs(by)}", 12

    def _type(self, term: Term) -> Scalar | None:
        while term.operator in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND) and term not in self._names:
            term = term.operands[0]
        found = self._names.get(term)
        return found[1] if found is not None else None

    def _constant(self, value: int, width: int, type: Scalar | None, is_signed: bool) -> str:
        if isinstance(type, Float):
            raise NoWords
        if isinstance(type, Enum):
            bits = representation(type)
            number = signed(value & ones(bits.bits), bits.bits) if bits.signed else value & ones(bits.bits)
            for name, member in self._enums[type.name].members if type.name in self._enums else ():
                if member == number:
                    return name
        plain = Int(width, is_signed)
        return str(signed(value, plain.bits) if is_signed else value)


def _size(term: Term) -> int:
    count, stack = 0, [term]
    while stack and count <= LARGEST:
        found = stack.pop()
        count += found.operator not in (Operator.ZERO_EXTEND, Operator.SIGN_EXTEND)
        stack.extend(found.operands)
    return count
