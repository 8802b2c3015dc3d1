"""Expressions of z3 over integers as terms again: each is computed in a row of bits that is wide enough for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import z3

from stateglass.smt.integers import window
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms
from stateglass.smt.z3_reading import NotRead, connected, walked

WIDEST: Final = 512
"""Numbers that need more bits than this are nothing that code is about."""


@final
@dataclass(frozen=True, slots=True)
class _Atom:
    """A row of bits as a number that no sum takes apart."""

    term: Term
    is_signed: bool

    @property
    def size(self) -> int:
        """How large it can be, whatever its sign."""
        low, high = window(self.term.width, self.is_signed)
        return max(-low, high)


@final
@dataclass(frozen=True, slots=True)
class _Sum:
    """A constant, and atoms with how many times each is counted."""

    constant: int
    counts: Mapping[_Atom, int]

    def plus(self, other: _Sum, times: int = 1) -> _Sum:
        counts = dict(self.counts)
        for atom, count in other.counts.items():
            counts[atom] = counts.get(atom, 0) + times * count
        return _Sum(self.constant + times * other.constant, {a: c for a, c in counts.items() if c})


_ORDERED: Final = {
    z3.Z3_OP_LE: (Operator.SIGNED_LESS_EQUAL, False),
    z3.Z3_OP_LT: (Operator.SIGNED_LESS, False),
    z3.Z3_OP_GE: (Operator.SIGNED_LESS_EQUAL, True),
    z3.Z3_OP_GT: (Operator.SIGNED_LESS, True),
}

_OPPOSITE: Final = {
    Operator.LESS: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.LESS,
    Operator.SIGNED_LESS: Operator.SIGNED_LESS_EQUAL,
    Operator.SIGNED_LESS_EQUAL: Operator.SIGNED_LESS,
}


@final
class NumbersReading:
    """Reads expressions over integers; `arguments` are what numbered variables stand for."""

    def __init__(self, terms: Terms, arguments: Sequence[Term], unsigned: Collection[Term]) -> None:
        self._terms = terms
        self._arguments = arguments
        self._unsigned = unsigned

    def read(self, expression: Any) -> Term:
        found = walked(expression, self._visit)
        assert isinstance(found, Term)
        return found

    def _visit(self, node: Any, operands: list[Any]) -> Term | _Sum:
        if z3.is_var(node):
            argument = self._arguments[z3.get_var_index(node)]
            return _Sum(0, {_Atom(argument, argument not in self._unsigned): 1}) if argument.width else argument
        if not z3.is_app(node):
            raise NotRead("a quantifier")
        if node.decl().kind() == z3.Z3_OP_NOT and operands[0].operator in _OPPOSITE:
            # What is not at most 5 is more than 5: invariants are read by people, too.
            compared = operands[0]
            return self._terms.compare(_OPPOSITE[compared.operator], compared.operands[1], compared.operands[0])
        found = connected(self._terms, node, operands)
        return found if found is not None else self._made(node, operands)

    def _made(self, node: Any, operands: list[Any]) -> Term | _Sum:
        kind = node.decl().kind()
        if kind in _ORDERED:
            operator, is_reversed = _ORDERED[kind]
            a, b = reversed(operands) if is_reversed else operands
            left, right = self._sides(a.plus(b, -1))
            return self._terms.compare(operator, left, right)
        match kind:
            case z3.Z3_OP_ANUM if node.is_int():
                return _Sum(node.as_long(), {})
            case z3.Z3_OP_EQ:
                return self._equal(*operands)
            case z3.Z3_OP_DISTINCT if len(operands) == 2:
                return self._terms.negation(self._equal(*operands))
            case z3.Z3_OP_ITE:
                return self._choice(*operands)
            case z3.Z3_OP_ADD:
                return _total(operands, 1)
            case z3.Z3_OP_SUB:
                return operands[0].plus(_total(operands[1:], 1), -1)  # type: ignore[no-any-return]
            case z3.Z3_OP_UMINUS:
                return _total(operands, -1)
            case z3.Z3_OP_MUL:
                return _product(operands)
            case z3.Z3_OP_MOD | z3.Z3_OP_IDIV:
                return self._divided(kind == z3.Z3_OP_MOD, *operands)
            case _:
                raise NotRead(f"`{node.decl().name()}`")

    def _equal(self, a: Term | _Sum, b: Term | _Sum) -> Term:
        if isinstance(a, Term):
            assert isinstance(b, Term)
            return self._terms.equal(a, b)
        assert isinstance(b, _Sum)
        return self._terms.equal(*self._sides(a.plus(b, -1), is_order=False))

    def _sides(self, difference: _Sum, *, is_order: bool = True) -> tuple[Term, Term]:
        """Two rows of the same width that compare as a sum and 0 do: what is subtracted goes to the other side."""
        more = {a: c for a, c in difference.counts.items() if c > 0}
        less = {a: -c for a, c in difference.counts.items() if c < 0}
        constant = difference.constant
        if constant == 0 and [*more.values()] == [1] == [*less.values()]:
            (a,), (b,) = more, less
            if a.term.width == b.term.width and a.is_signed is b.is_signed and (a.is_signed or not is_order):
                return a.term, b.term
        # A constant stands alone on its side if it can.
        is_left = constant > 0 if more and less else not more
        left, right = _Sum(constant if is_left else 0, more), _Sum(0 if is_left else -constant, less)
        width = max(_width(left), _width(right))
        return self._row(left, width), self._row(right, width)

    def _row(self, total: _Sum, width: int) -> Term:
        """A sum as a row of bits, read as signed; it must be wide enough for every part of it."""
        terms = self._terms
        made = terms.constant(total.constant, width)
        for atom, count in sorted(total.counts.items(), key=lambda item: item[0].term.number):
            row = terms.extend(atom.term, width, is_signed=atom.is_signed)
            made = terms.binary(Operator.ADD, made, terms.binary(Operator.MULTIPLY, row, terms.constant(count, width)))
        return made

    def _choice(self, condition: Term, then: Term | _Sum, other: Term | _Sum) -> Term | _Sum:
        if isinstance(then, Term):
            assert isinstance(other, Term)
            return self._terms.choose(condition, then, other)
        assert isinstance(other, _Sum)
        width = max(_width(then), _width(other))
        made = self._terms.choose(condition, self._row(then, width), self._row(other, width))
        return _Sum(0, {_Atom(made, True): 1})

    def _divided(self, is_remainder: bool, a: _Sum, b: _Sum) -> _Sum:
        """As z3 has it: what is left is never negative."""
        if b.counts or b.constant <= 0:
            raise NotRead("a division by a variable")
        terms, width = self._terms, max(_width(a), _width(b)) + 1
        row, by, zero = self._row(a, width), terms.constant(b.constant, width), terms.constant(0, width)
        left = terms.binary(Operator.SIGNED_REMAINDER, row, by)
        is_negative = terms.compare(Operator.SIGNED_LESS, left, zero)
        if is_remainder:
            made = terms.choose(is_negative, terms.binary(Operator.ADD, left, by), left)
        else:
            quotient = terms.binary(Operator.SIGNED_DIVIDE, row, by)
            below = terms.subtract(quotient, terms.constant(1, width))
            made = terms.choose(is_negative, below, quotient)
        return _Sum(0, {_Atom(made, True): 1})


def _total(operands: Sequence[_Sum], times: int) -> _Sum:
    found = _Sum(0, {})
    for operand in operands:
        found = found.plus(operand, times)
    return found


def _product(operands: Sequence[_Sum]) -> _Sum:
    found = _Sum(1, {})
    for operand in operands:
        if found.counts and operand.counts:
            raise NotRead("a product of variables")
        found, by = (operand, found.constant) if operand.counts else (found, operand.constant)
        found = _total([found], by)
    return found


def _width(total: _Sum) -> int:
    """How many bits hold the sum and each part of it."""
    size = abs(total.constant) + sum(abs(c) * a.size for a, c in total.counts.items())
    # An atom is made as wide as the sum before it is counted, and it may not be cut.
    width = max([size.bit_length() + 1, *(a.term.width + 1 for a in total.counts)])
    if width > WIDEST:
        raise NotRead("a very large number")
    return width
