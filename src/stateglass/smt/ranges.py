"""Between which numbers a term lies, whatever its variables are: read as signed, and only as far as a glance tells.

Intervals without any knowledge of conditions: enough to decide comparisons that can only come out one way, which are
many after promotions to `int`, and cheap enough to be asked for every term that is made.
"""

from __future__ import annotations

from typing import final

from stateglass.program.bits import signed
from stateglass.smt.operators import Operator
from stateglass.smt.term import Term

Range = tuple[int, int]


@final
class Ranges:
    """Remembers what it has found out."""

    def __init__(self) -> None:
        self._known: dict[Term, Range] = {}

    def __len__(self) -> int:
        return len(self._known)

    def forget(self, count: int) -> None:
        """Forgets all but the first `count`; a dictionary keeps the order in which they were found."""
        while len(self._known) > count:
            self._known.popitem()

    def of(self, term: Term) -> Range:
        """The least and the greatest number that a row of bits may be."""
        known = self._known
        stack = [term]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            # A truth value has no range, and what a choice is made by does not matter.
            missing = [o for o in node.operands if o.width and o not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[node] = self._range(node)
        return known[term]

    def _range(self, node: Term) -> Range:
        width = node.width
        whole = -(1 << (width - 1)), (1 << (width - 1)) - 1
        found = self._narrow(node, [self._known[o] for o in node.operands if o.width])
        # A range that leaves the width may have wrapped around anywhere: then nothing is known.
        return whole if found is None or found[0] < whole[0] or found[1] > whole[1] else found

    def _narrow(self, node: Term, ranges: list[Range]) -> Range | None:
        """The range as if the width were unlimited; None if nothing is known."""
        match node.operator:
            case Operator.VALUE:
                number = signed(node.extra, node.width)
                return number, number
            case Operator.CHOOSE:
                (a, b), (c, d) = ranges
                return min(a, c), max(b, d)
            case Operator.SIGN_EXTEND:
                return ranges[0]
            case Operator.ZERO_EXTEND:
                return ranges[0] if ranges[0][0] >= 0 else (0, (1 << node.operands[0].width) - 1)
            case Operator.PART if node.extra[1] == 0:
                return ranges[0]  # if it fits, nothing was cut off
            case Operator.NEGATE:
                return -ranges[0][1], -ranges[0][0]
            case Operator.ADD:
                return ranges[0][0] + ranges[1][0], ranges[0][1] + ranges[1][1]
            case Operator.SUBTRACT:
                return ranges[0][0] - ranges[1][1], ranges[0][1] - ranges[1][0]
            case Operator.MULTIPLY:
                products = [x * y for x in ranges[0] for y in ranges[1]]
                return min(products), max(products)
            case Operator.BIT_AND:
                limits = [high for low, high in ranges if low >= 0]
                return (0, min(limits)) if limits else None
            case Operator.SIGNED_DIVIDE | Operator.SIGNED_REMAINDER | Operator.DIVIDE | Operator.REMAINDER:
                return _divided(node, *ranges)
            case Operator.SHIFT_LEFT | Operator.SHIFT_RIGHT | Operator.SIGNED_SHIFT_RIGHT:
                return _shifted(node, ranges[0])
            case _:
                return None


def _divided(node: Term, dividend: Range, divisor: Range) -> Range | None:
    by, (low, high) = divisor[0], dividend
    if divisor[0] != divisor[1] or by <= 0:
        return None
    is_signed = node.operator in (Operator.SIGNED_DIVIDE, Operator.SIGNED_REMAINDER)
    if not is_signed and low < 0:
        return (0, by - 1) if node.operator is Operator.REMAINDER else None
    if node.operator in (Operator.SIGNED_DIVIDE, Operator.DIVIDE):
        return _towards_zero(low, by), _towards_zero(high, by)
    return max(low, 1 - by) if low < 0 else 0, min(high, by - 1) if high > 0 else 0


def _towards_zero(number: int, by: int) -> int:
    return -(-number // by) if number < 0 else number // by


def _shifted(node: Term, value: Range) -> Range | None:
    by = node.operands[1].value
    if by is None or by >= node.width:
        return None
    low, high = value
    if node.operator is Operator.SHIFT_LEFT:
        return low << by, high << by
    if node.operator is Operator.SHIFT_RIGHT and low < 0:
        return (0, (1 << (node.width - by)) - 1) if by else None
    return low >> by, high >> by
