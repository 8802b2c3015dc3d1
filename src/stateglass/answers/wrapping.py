"""Where numbers of predicates, which are exact, may differ from C's, which wrap: said to whoever wrote the claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stateglass.answers.claims import nodes
from stateglass.logic.claims import Claim
from stateglass.logic.expressions import predicate_text
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate

_COMPARISONS: Final = frozenset(
    (
        Operator.LESS,
        Operator.LESS_EQUAL,
        Operator.GREATER,
        Operator.GREATER_EQUAL,
        Operator.EQUAL,
        Operator.NOT_EQUAL,
    )
)
_TRUTHS: Final = frozenset((Operator.NOT, Operator.AND_ALSO, Operator.OR_ELSE))
_SHIFTS: Final = frozenset((Operator.SHIFT_LEFT, Operator.SHIFT_RIGHT))
_BELOW_ZERO: Final = frozenset((Operator.MINUS, Operator.COMPLEMENT))


def wrapping_notes(claims: Iterable[Claim], unsigned: frozenset[str]) -> tuple[str, ...]:
    """A sentence on each expression that is below zero here and not in C, where these names are unsigned."""
    found: dict[str, None] = {}
    for claim in claims:
        told: set[int] = set()  # what stands inside an expression that is told of
        for node in nodes(claim.content):
            if isinstance(node, Applied) and id(node) not in told and _differs(node, unsigned):
                found[predicate_text(node)] = None
                told.update(id(part) for part in nodes(node))
    return tuple(
        f"`{text}` is computed with exact integers; C computes it without a sign, where nothing is below 0"
        for text in found
    )


def _differs(node: Applied, unsigned: frozenset[str]) -> bool:
    if node.operator in _TRUTHS or not any(_is_unsigned(operand, unsigned) for operand in _converted(node)):
        return False
    return node.operator in _BELOW_ZERO or any(_is_negative(operand) for operand in _converted(node))


def _converted(node: Applied) -> tuple[Predicate, ...]:
    """The operands that C converts to one type."""
    return node.operands[:1] if node.operator in _SHIFTS else node.operands


def _is_unsigned(top: Predicate, unsigned: frozenset[str]) -> bool:
    """Whether C computes it without a sign."""
    work = [top]
    while work:
        node = work.pop()
        if isinstance(node, Named) and node.name in unsigned:
            return True
        if isinstance(node, Applied) and node.operator not in _COMPARISONS | _TRUTHS:
            work += _converted(node)
    return False


def _is_negative(operand: Predicate) -> bool:
    return isinstance(operand, Number) and operand.value < 0
