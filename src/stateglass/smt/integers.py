"""Terms as z3's expressions over integers: rows of bits become the numbers that they are, and still wrap around.

Engines for Horn clauses generalise far better from linear integer arithmetic than from bits. Each row of bits is read
as a signed or as an unsigned number; where an operation may leave the width, what comes out says so. What is not linear
becomes an unknown within its range: then more is possible than in the program, never less.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

from z3 import z3core

from stateglass.program.bits import ones, signed
from stateglass.smt.batch import needed
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms
from stateglass.smt.z3_asts import Asts

MOST_RUNS: Final = 3
"""A mask with more rows of ones than this makes a number that nothing is known of."""


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An expression for what a row of bits is, read as signed or unsigned, and between which numbers it lies."""

    ast: Any
    low: int
    high: int
    is_signed: bool | None  # how it is meant; None: nobody has said


def window(width: int, is_signed: bool) -> tuple[int, int]:
    """The least and the greatest number of so many bits."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, ones(width))


@final
class Integers:
    """Translates for one context; `unsigned` are the variables that are read as unsigned numbers.

    Without `wraps` signed sums and differences are taken to fit, as they do wherever leaving the width is an error.
    """

    def __init__(self, asts: Asts, terms: Terms, unsigned: Collection[Term], *, wraps: bool = True) -> None:
        self._wraps = wraps
        self._asts = asts
        self._terms = terms
        self._unsigned = unsigned
        self._truths: dict[Term, Any] = {}
        self._numbers: dict[Term, Number] = {}
        self._readings: dict[tuple[Term, bool], Number] = {}
        self._unknowns: dict[Term, list[Any]] = {}
        self._facts: dict[Term, list[Any]] = {}
        self._node: Term = terms.true  # what is being translated: facts are about it

    def sort(self, variable: Term) -> Any:
        return self._asts.number_sort if variable.width else self._asts.truth_sort

    def truth(self, term: Term) -> Any:
        self._translate(term)
        return self._truths[term]

    def argument(self, term: Term, like: Term) -> Any:
        """A term, read in the way in which a variable is read."""
        if not term.width:
            return self.truth(term)
        self._translate(term)
        return self._read(term, like not in self._unsigned).ast

    def beside(self, roots: Sequence[Term]) -> tuple[list[Any], list[Any]]:
        nodes = needed(roots)
        return [u for node in nodes for u in self._unknowns.get(node, ())], [
            fact for node in nodes for fact in self._facts.get(node, ())
        ]

    def _translate(self, term: Term) -> None:
        if term in self._truths or term in self._numbers:
            return
        for node in needed([term]):
            self._node = node
            if node.width == 0:
                if node not in self._truths:
                    self._truths[node] = self._truth(node)
            elif node not in self._numbers:
                self._numbers[node] = self._number(node)

    # ---- expressions, with constants folded as they are made

    def _constant(self, value: int) -> Any:
        return self._asts.numeral(value, self._asts.number_sort)

    def _sum(self, *parts: tuple[int, Number]) -> Number:
        """Some numbers, each so many times, as if there were no width."""
        low = sum(c * (n.low if c > 0 else n.high) for c, n in parts)
        high = sum(c * (n.high if c > 0 else n.low) for c, n in parts)
        fixed = sum(c * n.low for c, n in parts if n.low == n.high)
        asts = [self._times(c, n.ast) for c, n in parts if n.low != n.high and c]
        if fixed or not asts:
            asts.append(self._constant(fixed))
        made = asts[0] if len(asts) == 1 else self._asts.of_many(z3core.Z3_mk_add, asts)
        meant = next((n.is_signed for _, n in parts if n.is_signed is not None), None)
        return Number(made, low, high, meant)

    def _times(self, count: int, ast: Any) -> Any:
        return ast if count == 1 else self._asts.of_many(z3core.Z3_mk_mul, [self._constant(count), ast])

    def _at_most(self, a: Any, b: Any) -> Any:
        return self._asts.made(z3core.Z3_mk_le, a, b)

    def _less(self, a: Any, b: Any) -> Any:
        return self._asts.made(z3core.Z3_mk_lt, a, b)

    def _choice(self, condition: Any, then: Number, other: Number) -> Number:
        meant = then.is_signed if then.is_signed is not None else other.is_signed
        made = self._asts.choose(condition, then.ast, other.ast)
        return Number(made, min(then.low, other.low), max(then.high, other.high), meant)

    def _fixed(self, value: int) -> Number:
        return Number(self._constant(value), value, value, None)

    def _unknown(self, low: int, high: int, meant: bool | None = None) -> Number:
        """Any number between two others."""
        node = self._node
        mine = self._unknowns.setdefault(node, [])
        made = self._asts.constant(f"v{node.number}.{len(mine)}", self._asts.number_sort)
        mine.append(made)
        self._tell(self._at_most(self._constant(low), made), self._at_most(made, self._constant(high)))
        return Number(made, low, high, meant)

    def _tell(self, *facts: Any) -> None:
        self._facts.setdefault(self._node, []).extend(facts)

    # ---- readings

    def _read(self, term: Term, is_signed: bool) -> Number:
        """The number that a term is, read in one of the two ways."""
        key = (term, is_signed)
        if key not in self._readings:
            # What is said of the reading belongs to the term, whoever asks for it first.
            asking, self._node = self._node, term
            self._readings[key] = self._as(self._numbers[term], term.width, is_signed)
            self._node = asking
        return self._readings[key]

    def _as(self, number: Number, width: int, is_signed: bool) -> Number:
        least, most = window(width, is_signed)
        if least <= number.low and number.high <= most:
            return number
        if number.low == number.high:
            value = number.low & ones(width)
            return self._fixed(signed(value, width) if is_signed else value)
        return self._wrapped(number, width, is_signed)

    def _wrapped(self, number: Number, width: int, is_signed: bool) -> Number:
        """What is left of a number in so many bits."""
        least, most = window(width, is_signed)
        turns = range((number.low - least) >> width, ((number.high - least) >> width) + 1)
        if turns == range(1):
            return Number(number.ast, number.low, number.high, is_signed)
        may_fit = 0 in turns and turns[0] >= -1 and turns[-1] <= 1
        if may_fit and not self._wraps and is_signed and number.is_signed:
            return Number(number.ast, max(number.low, least), min(number.high, most), True)
        if turns[0] < -1 or turns[-1] > 1:
            times = self._unknown(turns[0], turns[-1])
            left = self._sum((1, number), (-(1 << width), times)).ast
            self._tell(self._at_most(self._constant(least), left), self._at_most(left, self._constant(most)))
            return Number(left, least, most, is_signed)
        made = number.ast
        if 1 in turns:
            less = self._sum((1, number), (-1, self._fixed(1 << width))).ast
            made = self._asts.choose(self._less(self._constant(most), number.ast), less, made)
        if -1 in turns:
            more = self._sum((1, number), (1, self._fixed(1 << width))).ast
            made = self._asts.choose(self._less(number.ast, self._constant(least)), more, made)
        return Number(made, least, most, is_signed)

    def _result(self, number: Number, width: int) -> Number:
        """What an operation comes to, read as its operands are meant."""
        return self._wrapped(number, width, number.is_signed is not False)

    # ---- truth values

    def _truth(self, node: Term) -> Any:
        asts, operator = self._asts, node.operator
        match operator:
            case Operator.VALUE:
                return asts.true if node.extra else asts.false
            case Operator.NOT:
                return asts.negation(self._truths[node.operands[0]])
            case Operator.AND:
                return asts.both([self._truths[o] for o in node.operands])
            case Operator.OR:
                return asts.either([self._truths[o] for o in node.operands])
            case Operator.CHOOSE:
                return asts.choose(*(self._truths[o] for o in node.operands))
            case Operator.EQUAL:
                return asts.made(z3core.Z3_mk_eq, *self._same(*node.operands))
            case Operator.LESS | Operator.LESS_EQUAL | Operator.SIGNED_LESS | Operator.SIGNED_LESS_EQUAL:
                is_signed = operator in (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)
                a, b = (self._read(o, is_signed).ast for o in node.operands)
                strict = operator in (Operator.LESS, Operator.SIGNED_LESS)
                return self._less(a, b) if strict else self._at_most(a, b)
            case Operator.ADD_OVERFLOWS | Operator.SUBTRACT_OVERFLOWS:
                a, b = (self._read(o, True) for o in node.operands)
                return self._leaves(self._sum((1, a), (1 if operator is Operator.ADD_OVERFLOWS else -1, b)), node)
            case Operator.MULTIPLY_OVERFLOWS if (by := node.operands[1].value) is not None:
                width = node.operands[0].width
                return self._leaves(self._sum((signed(by, width), self._read(node.operands[0], True))), node)
            case _:  # variables, products, floating-point numbers
                made = asts.constant(f"v{node.number}", asts.truth_sort)
                self._unknowns[node] = [made]
                return made

    def _same(self, a: Term, b: Term) -> tuple[Any, Any]:
        if not a.width:
            return self._truths[a], self._truths[b]
        meant = [self._numbers[o].is_signed for o in (a, b)]
        is_signed = next((m for m in meant if m is not None), True)
        return self._read(a, is_signed).ast, self._read(b, is_signed).ast

    def _leaves(self, number: Number, node: Term) -> Any:
        """Whether a number does not fit into the width of the operands, read as signed."""
        least, most = window(node.operands[0].width, True)
        below = self._less(number.ast, self._constant(least))
        return self._asts.either([below, self._less(self._constant(most), number.ast)])

    # ---- numbers

    def _number(self, node: Term) -> Number:
        width, operands = node.width, node.operands
        match node.operator:
            case Operator.VALUE:
                return self._fixed(signed(node.extra, width))
            case Operator.VARIABLE:
                is_signed = node not in self._unsigned
                return self._unknown(*window(width, is_signed), is_signed)
            case Operator.CHOOSE:
                then, other = (self._numbers[o] for o in operands[1:])
                meant = next((n.is_signed for n in (then, other) if n.is_signed is not None), True)
                sides = (self._read(o, meant) for o in operands[1:])
                return self._choice(self._truths[operands[0]], *sides)
            case Operator.ZERO_EXTEND:
                number = self._read(operands[0], False)
                return Number(number.ast, number.low, number.high, None)
            case Operator.SIGN_EXTEND:
                return self._read(operands[0], True)
            case Operator.NEGATE:
                return self._result(self._sum((-1, self._numbers[operands[0]])), width)
            case Operator.COMPLEMENT:
                return self._result(self._sum((-1, self._numbers[operands[0]]), (-1, self._fixed(1))), width)
            case Operator.ADD:
                return self._result(self._sum(*((1, self._numbers[o]) for o in operands)), width)
            case Operator.SUBTRACT:
                return self._result(self._sum((1, self._numbers[operands[0]]), (-1, self._numbers[operands[1]])), width)
            case Operator.JOIN:
                high, low = (self._read(o, False) for o in operands)
                return self._sum((1 << operands[1].width, high), (1, low))
            case Operator.PART:
                return self._part(node)
            case _:
                return self._product(node)

    def _part(self, node: Term) -> Number:
        inner, (_, low) = node.operands[0], node.extra
        number = self._numbers[inner]
        if low:
            number = self._quotient(self._read(inner, False), 1 << low)
        return self._result(number, node.width)

    def _quotient(self, number: Number, by: int) -> Number:
        """Rounded down; the divisor is positive."""
        if by == 1:
            return number
        found = self._unknown(number.low // by, number.high // by, number.is_signed)
        least = self._times(by, found.ast)
        above = self._sum((by, found), (1, self._fixed(by))).ast
        self._tell(self._at_most(least, number.ast), self._less(number.ast, above))
        return found

    def _remainder(self, number: Number, by: int) -> Number:
        """What is left after rounding down."""
        if number.low // by == number.high // by:
            return self._sum((1, number), (1, self._fixed(-(number.low // by) * by)))
        left = self._sum((1, number), (-by, self._quotient(number, by)))
        return Number(left.ast, 0, by - 1, number.is_signed)

    def _product(self, node: Term) -> Number:
        """What is linear only if one side is a constant."""
        a, b, operator = node.operands[0], node.operands[-1], node.operator
        by = b.value
        if by is None or operator >= Operator.FLOAT_ADD:
            return self._of_truths(node) or self._guessed(node)
        match operator:
            case Operator.MULTIPLY:
                return self._result(self._sum((signed(by, node.width), self._numbers[a])), node.width)
            case Operator.SHIFT_LEFT:
                return self._result(self._sum((1 << by, self._numbers[a])), node.width)
            case Operator.SHIFT_RIGHT if by < node.width:
                return self._quotient(self._read(a, False), 1 << by)
            case Operator.SIGNED_SHIFT_RIGHT:
                return self._quotient(self._read(a, True), 1 << min(by, node.width - 1))
            case Operator.DIVIDE if by:
                return self._quotient(self._read(a, False), by)
            case Operator.REMAINDER if by:
                return self._remainder(self._read(a, False), by)
            case Operator.SIGNED_DIVIDE | Operator.SIGNED_REMAINDER if signed(by, node.width) > 0:
                return self._towards_zero(operator, self._read(a, True), by)
            case Operator.BIT_AND:
                return self._masked(a, by) or self._guessed(node)
            case Operator.BIT_OR | Operator.BIT_XOR:
                # What both have counts twice in the sum.
                kept = self._masked(a, by)
                if kept is None:
                    return self._guessed(node)
                twice = -1 if operator is Operator.BIT_OR else -2
                total = self._sum((1, self._read(a, False)), (1, self._fixed(by)), (twice, kept))
                return Number(total.ast, *window(node.width, False), total.is_signed)
            case _:
                return self._guessed(node)

    def _of_truths(self, node: Term) -> Number | None:
        """An operation on numbers that are 0 or 1."""
        a, b = node.operands[0], node.operands[-1]
        if node.operator >= Operator.FLOAT_ADD:
            return None
        is_truth = [0 <= self._numbers[o].low and self._numbers[o].high <= 1 for o in (a, b)]
        zero, one = self._fixed(0), self._fixed(1)
        if node.operator is Operator.MULTIPLY and any(is_truth):
            if not is_truth[1]:
                a, b = b, a
            return self._choice(self._is(b, 0), zero, self._numbers[a])
        if not all(is_truth):
            return None
        sides = [self._is(a, 1), self._is(b, 1)]
        match node.operator:
            case Operator.BIT_AND:
                return self._choice(self._asts.both(sides), one, zero)
            case Operator.BIT_OR:
                return self._choice(self._asts.either(sides), one, zero)
            case Operator.BIT_XOR:
                return self._choice(self._asts.made(z3core.Z3_mk_eq, *sides), zero, one)
            case _:
                return None

    def _is(self, term: Term, value: int) -> Any:
        return self._asts.made(z3core.Z3_mk_eq, self._numbers[term].ast, self._constant(value))

    def _towards_zero(self, operator: Operator, number: Number, by: int) -> Number:
        """Division as C has it: the sign of the dividend decides on which side is rounded."""
        below = self._less(number.ast, self._constant(0))
        size = number
        if number.low < 0:
            least = max(-number.low, number.high)
            size = Number(self._asts.choose(below, self._sum((-1, number)).ast, number.ast), 0, least, True)
        is_quotient = operator is Operator.SIGNED_DIVIDE
        found = self._quotient(size, by) if is_quotient else self._remainder(size, by)
        if number.low >= 0:
            return found
        made = self._asts.choose(below, self._sum((-1, found)).ast, found.ast)
        return Number(made, -found.high, found.high, True)

    def _masked(self, term: Term, mask: int) -> Number | None:
        """The bits of a number that a mask has, if these are few rows."""
        runs: list[tuple[int, int]] = []
        at = 0
        while mask >> at:
            at += ((mask >> at) & -(mask >> at)).bit_length() - 1
            end = at
            while mask >> end & 1:
                end += 1
            runs.append((at, end))
            at = end
        if len(runs) > MOST_RUNS:
            return None
        whole = self._read(term, False)
        parts: list[tuple[int, Number]] = []
        for start, end in runs:
            rest = self._quotient(whole, 1 << start)
            parts.append((1 << start, rest if end == term.width else self._remainder(rest, 1 << (end - start))))
        return self._sum(*parts)

    def _guessed(self, node: Term) -> Number:
        """What is not linear: any number that the operation may give."""
        meant = next((self._numbers[o].is_signed for o in node.operands if o.width), None)
        return self._unknown(*self._terms.range_of(node), meant is not False)
