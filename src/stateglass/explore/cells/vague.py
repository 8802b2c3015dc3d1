"""Contents that stand for several values: sets of numbers, and sets of addresses for pointers.

A pointer whose targets are known is an integer or a frozen set of them; one that may lead anywhere is `TOP`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from stateglass.program import Pointer, Scalar
from stateglass.values.abstract import (
    TOP,
    Anything,
    Interval,
    Pieces,
    Remainders,
    contains,
    from_numbers,
    high,
    join,
    low,
)

MOST_TARGETS: Final = 64
"""A pointer with more possible targets than this may lead anywhere."""
_SETS: Final = (Anything, Interval, Remainders, Pieces, frozenset)


def is_vague(content: object) -> bool:
    """Whether a content is a value, but not a single one."""
    return isinstance(content, _SETS)


def targets(pointer: Any) -> tuple[int, ...] | None:
    """The addresses that a pointer may hold; None for all there are."""
    if isinstance(pointer, int):
        return (pointer,)
    return tuple(sorted(pointer)) if isinstance(pointer, frozenset) else None


def pointer_to(addresses: Iterable[int]) -> Any:
    """The pointer that holds one of some addresses."""
    found = frozenset(addresses)
    if len(found) == 1:
        return next(iter(found))
    return found if found and len(found) <= MOST_TARGETS else TOP


def as_number(value: Any, type: Scalar) -> Any:
    """A value as a set of numbers, which addresses are here too."""
    return from_numbers(value, type) if isinstance(value, frozenset) else value


def joined(first: Any, second: Any, type: Scalar) -> Any:
    """A value that is one of two."""
    if isinstance(type, Pointer):
        left, right = targets(first), targets(second)
        return TOP if left is None or right is None else pointer_to((*left, *right))
    if isinstance(first, frozenset) or isinstance(second, frozenset):
        return first if first == second else TOP
    return join(first, second, type)


def indices(value: Any, count: int, type: Scalar) -> tuple[int, ...]:
    """Which of `count` elements an index may mean."""
    if isinstance(value, int):
        return (value,) if 0 <= value < count else ()
    return tuple(i for i in range(count) if contains(value, i, type))


def leaves(value: Any, count: int, type: Scalar) -> bool:
    """Whether an index may mean none of `count` elements."""
    if isinstance(value, int):
        return not 0 <= value < count
    return low(value, type) < 0 or high(value, type) >= count


def decision(decide: Callable[[Any], bool | None]) -> Callable[[Any], bool | None]:
    """Whether a condition is true, also if it is a pointer."""

    def decided(value: Any) -> bool | None:
        if isinstance(value, frozenset):
            return None if 0 in value else True
        return decide(value)

    return decided
