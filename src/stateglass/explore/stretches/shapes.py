"""What is known of a cell whenever code rests at a place: its only value, or slots that say what may differ.

Shapes grow as more ways are found that lead to a rest. Most cells never vary, and pointers have few values: what need
not be a variable of a formula is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from stateglass.explore.merging import UNWRITTEN, Content, Partly
from stateglass.explore.merging.contents import Absent, Reason
from stateglass.explore.stretches.flow import Part
from stateglass.smt import Operator, Term, Terms, constants_chosen, with_outcomes

MOST_ADDRESSES: Final = 64
"""A pointer that may lead to more places than this may lead anywhere."""


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """What a cell is for: known before any run."""

    width: int
    is_pointer: bool
    is_truth: bool


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """What a cell may hold: one of some values, anything (`values` is None), nothing."""

    values: frozenset[int] | None = frozenset()
    absent: frozenset[Reason] = frozenset()
    holes: bool = False
    wide: bool = False  # of a truth value: it may be something else

    @property
    def is_fixed(self) -> bool:
        """Whether it needs no slot."""
        if self.holes or self.values is None:
            return False
        return len(self.values) + len(self.absent) <= 1


EMPTY: Final = Shape()


def joined(terms: Terms, shape: Shape, content: Content, kind: Kind) -> Shape:
    """The shape for one more content."""
    match content:
        case Absent(reason):
            return Shape(shape.values, shape.absent | {reason}, shape.holes, shape.wide)
        case Partly(value, absent, unwritten):
            kinds = shape.absent | {reason for reason, _ in absent}
            values, wide = _with_value(terms, shape, value, kind)
            return Shape(values, kinds, shape.holes or unwritten is not None, wide)
        case _:
            values, wide = _with_value(terms, shape, content, kind)
            return Shape(values, shape.absent, shape.holes, wide)


def _with_value(terms: Terms, shape: Shape, value: Term, kind: Kind) -> tuple[frozenset[int] | None, bool]:
    wide = shape.wide
    if kind.is_truth and not wide:
        low, high = terms.range_of(value)
        wide = low < 0 or high > 1
    if shape.values is None:
        return None, wide
    more = constants_chosen(value) if kind.is_pointer else ({value.value} if value.value is not None else None)
    if more is None:
        return None, wide
    values = shape.values | more
    return (values if len(values) <= (MOST_ADDRESSES if kind.is_pointer else 1) else None), wide


def parts_of(shape: Shape, kind: Kind) -> list[tuple[Part, Reason | None, int]]:
    """The slots that a shape needs, each with its width."""
    parts: list[tuple[Part, Reason | None, int]] = []
    if shape.is_fixed:
        return parts
    if shape.values is None:
        is_bit = kind.is_truth and not shape.wide
        parts.append((Part.BIT, None, 1) if is_bit else (Part.VALUE, None, kind.width))
    elif len(shape.values) > 1:
        parts.append((Part.INDEX, None, (len(shape.values) - 1).bit_length()))
    parts += [(Part.ABSENT, reason, 0) for reason in sorted(shape.absent, key=lambda k: k.name)]
    if shape.holes:
        parts.append((Part.HOLES, None, kind.width))
    return parts


def content_of(terms: Terms, shape: Shape, kind: Kind, variable: Callable[[Part, Reason | None, int], Term]) -> Content:
    """What a cell of a shape holds, in terms of its slots."""
    if shape.is_fixed:
        if shape.absent:
            return Absent(next(iter(shape.absent)))
        return terms.constant(next(iter(shape.values)), kind.width) if shape.values else UNWRITTEN
    made = {(part, reason): variable(part, reason, width) for part, reason, width in parts_of(shape, kind)}
    if (Part.VALUE, None) in made:
        value = made[Part.VALUE, None]
    elif (Part.BIT, None) in made:
        value = terms.extend(made[Part.BIT, None], kind.width, is_signed=False)
    else:
        addresses = sorted(shape.values or {0})
        value = terms.constant(addresses[-1], kind.width)
        for number, address in reversed(list(enumerate(addresses[:-1]))):
            index = made[Part.INDEX, None]
            is_it = terms.equal(index, terms.constant(number, index.width))
            value = terms.choose(is_it, terms.constant(address, kind.width), value)
    absent = tuple((reason, made[Part.ABSENT, reason]) for reason in sorted(shape.absent, key=lambda k: k.name))
    holes = made.get((Part.HOLES, None))
    return value if not absent and holes is None else Partly(value, absent, holes)


def slot_value(terms: Terms, content: Content, shape: Shape, kind: Kind, part: Part, reason: Reason | None) -> Term:
    """What a slot of a shape is for a content."""
    value, absent, holes = taken_apart(terms, content, kind.width)
    match part:
        case Part.VALUE:
            return value
        case Part.BIT:
            return terms.part(value, 0, 0)
        case Part.INDEX:
            assert shape.values is not None
            numbers = {address: number for number, address in enumerate(sorted(shape.values))}
            width = (len(numbers) - 1).bit_length()
            return _unchanged(value, numbers, width) or _numbered(terms, value, numbers, width)
        case Part.ABSENT:
            return terms.either(*(when for one, when in absent if one is reason))
        case Part.HOLES:
            return holes


def taken_apart(terms: Terms, content: Content, width: int) -> tuple[Term, list[tuple[Reason, Term]], Term]:
    """The value, when there is none and why, and ones for bits that were not written."""
    none = terms.constant(0, width)
    match content:
        case Absent(reason):
            return none, [(reason, terms.true)], none
        case Partly(value, absent, holes):
            return value, list(absent), none if holes is None else holes
        case _:
            return content, [], none


def known_value(terms: Terms, content: Content, width: int) -> tuple[Term, Term]:
    """The value, and whether there is one of which all bits were written."""
    value, absent, holes = taken_apart(terms, content, width)
    written = terms.equal(holes, terms.constant(0, width))
    return value, terms.both(written, terms.negation(terms.either(*(when for _, when in absent))))


def _unchanged(pointer: Term, numbers: dict[int, int], width: int) -> Term | None:
    """The slot of a pointer that is what `content_of` made of that slot, for the same addresses."""
    addresses, node, slot = list(numbers), pointer, None
    for number, address in enumerate(addresses[:-1]):
        if node.operator is not Operator.CHOOSE or node.operands[1].value != address:
            return None
        asked = node.operands[0]
        if asked.operator is not Operator.EQUAL:
            return None
        variables = [o for o in asked.operands if o.operator is Operator.VARIABLE]
        if len(variables) != 1 or number not in {o.value for o in asked.operands} or slot not in (None, variables[0]):
            return None
        slot, node = variables[0], node.operands[2]
    return slot if slot is not None and slot.width == width and node.value == addresses[-1] else None


def _numbered(terms: Terms, pointer: Term, numbers: dict[int, int], width: int) -> Term:
    """The number of the address that a pointer is; where it has no value, any number will do."""
    return with_outcomes(terms, pointer, lambda leaf: terms.constant(numbers.get(leaf.value or 0, 0), width))
