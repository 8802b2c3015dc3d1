"""Terms evaluated for thousands of valuations at once: what random runs are made of.

Each term is one array operation over all valuations. That both sides of a choice are computed costs less than telling
valuations apart; so operators must have a result everywhere, also where C has none, and agree with `operators.FOLDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from stateglass.program.bits import ones
from stateglass.smt import floating
from stateglass.smt.operators import FOLDS, Operator
from stateglass.smt.term import Term

WIDEST: Final = 64
Column = NDArray[Any]
"""One value for each valuation: truth values, or unsigned numbers of 64 bits."""


@final
class NotInBatches(Exception):
    """A term is wider than the machine's numbers."""


def needed(roots: Iterable[Term]) -> list[Term]:
    """All terms that some terms are made of, each after its operands: a term is made, and numbered, after those."""
    found: set[Term] = set()
    stack = list(roots)
    while stack:
        term = stack.pop()
        if term not in found:
            found.add(term)
            stack.extend(term.operands)
    return sorted(found, key=lambda t: t.number)


def evaluate(term: Term, values: Mapping[Term, int]) -> int:
    """The value of one term for one valuation of its variables."""
    return evaluated([term], values)[0]


def evaluated(terms: Sequence[Term], values: Mapping[Term, int]) -> list[int]:
    """The values of some terms for one valuation of their variables.

    Without recursion, since terms are deep; of a choice only what is chosen is computed, of a connective only as many
    operands as decide it, since terms are large.
    """
    known: dict[Term, int] = {}
    stack = list(reversed(terms))
    looked_at: dict[Term, int] = {}  # by connective: its first operand that is not known to leave it open
    while stack:
        node = stack[-1]
        missing: Sequence[Term] = ()
        if node in known:
            pass
        elif node.operator is Operator.VALUE:
            known[node] = node.extra
        elif node.operator is Operator.VARIABLE:
            known[node] = values[node]
        elif node.operator is Operator.CHOOSE:
            condition, then, other = node.operands
            if condition not in known:
                missing = (condition,)
            elif (chosen := then if known[condition] else other) not in known:
                missing = (chosen,)
            else:
                known[node] = known[chosen]
        elif node.operator in (Operator.AND, Operator.OR):
            strong, place = node.operator is Operator.OR, looked_at.get(node, 0)
            operands = node.operands
            while place < len(operands) and operands[place] in known and bool(known[operands[place]]) is not strong:
                place += 1
            if place < len(operands) and operands[place] not in known:
                missing = (operands[place],)
                looked_at[node] = place
            else:
                known[node] = int(strong if place < len(operands) else not strong)
        else:
            missing = [o for o in node.operands if o not in known]
            if not missing:
                known[node] = _single(node, [known[o] for o in node.operands])
        if missing:
            stack += missing
        else:
            stack.pop()
    return [known[term] for term in terms]


def _single(node: Term, operands: list[int]) -> int:
    match node.operator:
        case Operator.JOIN:
            return operands[0] << node.operands[1].width | operands[1]
        case Operator.PART:
            lowest: int = node.extra[1]
            return operands[0] >> lowest & ones(node.width)
        case Operator.ZERO_EXTEND:
            return operands[0]
        case Operator.SIGN_EXTEND:
            inner = node.operands[0].width
            return (operands[0] | -(operands[0] >> (inner - 1)) << inner) & ones(node.width)
        case operator:
            fold = FOLDS.get(operator)
            if fold is None:
                return floating.single(operator, node.extra, operands, [o.width for o in node.operands])
            return fold(operands, node.operands[0].width)


@final
class Batch:
    """Some terms made ready to be evaluated together, as often as one likes."""

    def __init__(self, roots: Sequence[Term]) -> None:
        self._roots = roots
        self._order = needed(roots)
        last: dict[Term, int] = {}
        for position, term in enumerate(self._order):
            if term.width > WIDEST:
                raise NotInBatches(f"a term of {term.width} bits")
            for operand in term.operands:
                last[operand] = position
        # A column is dropped after its last use: a large formula has more terms than fit into memory as columns.
        kept = set(roots)
        self._over: list[list[Term]] = [[] for _ in self._order]
        for term, position in last.items():
            if term not in kept:
                self._over[position].append(term)

    @property
    def size(self) -> int:
        """How many terms are computed."""
        return len(self._order)

    def run(self, values: Mapping[Term, Column], count: int) -> list[Column]:
        """The value of each root for `count` valuations; a variable that is not given is 0."""
        columns: dict[Term, Column] = {}
        with np.errstate(all="ignore"):
            for term, over in zip(self._order, self._over, strict=True):
                columns[term] = computed(term, columns, values, count)
                for finished in over:
                    del columns[finished]
        return [columns[root] for root in self._roots]


def computed(term: Term, columns: Mapping[Term, Column], values: Mapping[Term, Column], count: int) -> Column:
    """The column of a term, of those of its operands; a variable without values is 0."""
    if term.operator is Operator.VALUE:
        return np.full(count, bool(term.extra)) if term.width == 0 else np.full(count, term.extra, np.uint64)
    if term.operator is Operator.VARIABLE:
        known = values.get(term)
        if known is not None:
            return known
        return np.zeros(count, np.uint64 if term.width else np.bool_)
    given = [columns[o] for o in term.operands]
    if term.operator >= Operator.FLOAT_ADD:
        return floating.computed(term.operator, term.extra, given, [o.width for o in term.operands])
    return _COLUMNS[term.operator](term, given)


def _mask(column: Column, width: int) -> Column:
    return column if width == WIDEST else column & np.uint64(ones(width))


def _signed(column: Column, width: int) -> Column:
    shift = np.uint64(WIDEST - width)
    return (column << shift).view(np.int64) >> np.int64(WIDEST - width)


def _unsigned(column: Column, width: int) -> Column:
    return _mask(column.astype(np.int64, copy=False).view(np.uint64), width)


def _plain(apply: Callable[..., Column]) -> Callable[[Term, list[Column]], Column]:
    return lambda term, v: _mask(apply(*v), term.width)


def _compared(apply: Callable[[Column, Column], Column], *, signed: bool) -> Callable[[Term, list[Column]], Column]:
    def compare(term: Term, v: list[Column]) -> Column:
        width = term.operands[0].width
        return apply(*(_signed(x, width) for x in v)) if signed else apply(*v)

    return compare


def _divided(term: Term, v: list[Column], *, quotient: bool) -> Column:
    a, b = v
    zero = b == 0
    safe = np.where(zero, np.uint64(1), b)
    if quotient:
        return np.where(zero, np.uint64(ones(term.width)), a // safe)
    return np.where(zero, a, a % safe)


def _divided_signed(term: Term, v: list[Column], *, quotient: bool) -> Column:
    width = term.width
    a, b = (_signed(x, width) for x in v)
    zero = b == 0
    negative = (a < 0) != (b < 0)
    # The magnitudes as unsigned numbers: that of the least one has no signed counterpart.
    x, y = (np.where(s < 0, np.uint64(0) - s.view(np.uint64), s.view(np.uint64)) for s in (a, b))
    safe = np.where(zero, np.uint64(1), y)
    if quotient:
        size = x // safe
        exact = np.where(negative, np.uint64(0) - size, size)
        return _mask(np.where(zero, np.where(a < 0, np.uint64(1), np.uint64(ones(width))), exact), width)
    rest = x % safe
    return _mask(np.where(zero, v[0], np.where(a < 0, np.uint64(0) - rest, rest)), width)


def _shifted(term: Term, v: list[Column]) -> Column:
    width, (a, by) = term.width, v
    far = by >= np.uint64(width)
    amount = np.where(far, np.uint64(0), by)
    match term.operator:
        case Operator.SHIFT_LEFT:
            return _mask(np.where(far, np.uint64(0), a << amount), width)
        case Operator.SHIFT_RIGHT:
            return np.where(far, np.uint64(0), a >> amount)
        case _:
            reach = np.where(far, np.uint64(width - 1), by).astype(np.int64)
            return _unsigned(_signed(a, width) >> reach, width)


def _sum_leaves(term: Term, v: list[Column]) -> Column:
    width = term.operands[0].width
    a, b = v
    # A sum overflows if both operands have one sign and the result another; a difference, if their signs differ and
    # that of the result is not the first one's.
    difference = term.operator is Operator.SUBTRACT_OVERFLOWS
    changed = (a ^ b) & (a ^ (a - b)) if difference else ~(a ^ b) & (a ^ (a + b))
    leaves: Column = (changed >> np.uint64(width - 1) & np.uint64(1)).astype(np.bool_)
    return leaves


def _product_leaves(term: Term, v: list[Column]) -> Column:
    width = term.operands[0].width
    a, b = (_signed(x, width) for x in v)
    product = a * b
    if width <= WIDEST // 2:
        # The exact product has room.
        outside: Column = (product < -(1 << (width - 1))) | (product >= 1 << (width - 1))
        return outside
    safe = np.where(a == 0, np.int64(1), a)
    # Dividing the least number by -1 wraps like the product itself, hence the second line.
    wrong = (a != 0) & ((product // safe != b) | (product % safe != 0))
    wrong |= (a == -1) & (b == np.iinfo(np.int64).min)
    inside = _signed(_unsigned(product, width), width) == product
    leaves: Column = wrong | ~inside
    return leaves


def _folded(apply: np.ufunc, v: list[Column]) -> Column:
    """One operand after the other: putting them into one array first would cost more than the operation."""
    result: Column = apply(v[0], v[1])
    for operand in v[2:]:
        apply(result, operand, out=result)
    return result


def _chosen(term: Term, v: list[Column]) -> Column:
    return np.where(v[0], v[1], v[2])


_COLUMNS: Final[dict[Operator, Callable[[Term, list[Column]], Column]]] = {
    Operator.NOT: lambda t, v: ~v[0],
    Operator.AND: lambda t, v: _folded(np.logical_and, v),
    Operator.OR: lambda t, v: _folded(np.logical_or, v),
    Operator.EQUAL: lambda t, v: v[0] == v[1],
    Operator.LESS: _compared(np.less, signed=False),
    Operator.LESS_EQUAL: _compared(np.less_equal, signed=False),
    Operator.SIGNED_LESS: _compared(np.less, signed=True),
    Operator.SIGNED_LESS_EQUAL: _compared(np.less_equal, signed=True),
    Operator.ADD_OVERFLOWS: _sum_leaves,
    Operator.SUBTRACT_OVERFLOWS: _sum_leaves,
    Operator.MULTIPLY_OVERFLOWS: _product_leaves,
    Operator.CHOOSE: _chosen,
    Operator.NEGATE: lambda t, v: _mask(np.uint64(0) - v[0], t.width),
    Operator.COMPLEMENT: _plain(np.invert),
    Operator.ADD: _plain(np.add),
    Operator.SUBTRACT: _plain(np.subtract),
    Operator.MULTIPLY: _plain(np.multiply),
    Operator.DIVIDE: lambda t, v: _divided(t, v, quotient=True),
    Operator.REMAINDER: lambda t, v: _divided(t, v, quotient=False),
    Operator.SIGNED_DIVIDE: lambda t, v: _divided_signed(t, v, quotient=True),
    Operator.SIGNED_REMAINDER: lambda t, v: _divided_signed(t, v, quotient=False),
    Operator.BIT_AND: lambda t, v: v[0] & v[1],
    Operator.BIT_OR: lambda t, v: v[0] | v[1],
    Operator.BIT_XOR: lambda t, v: v[0] ^ v[1],
    Operator.SHIFT_LEFT: _shifted,
    Operator.SHIFT_RIGHT: _shifted,
    Operator.SIGNED_SHIFT_RIGHT: _shifted,
    Operator.JOIN: lambda t, v: v[0] << np.uint64(t.operands[1].width) | v[1],
    Operator.PART: lambda t, v: _mask(v[0] >> np.uint64(t.extra[1]), t.width),
    Operator.ZERO_EXTEND: lambda t, v: v[0],
    Operator.SIGN_EXTEND: lambda t, v: _unsigned(_signed(v[0], t.operands[0].width), t.width),
}
