"""Recursive functions without the stack of Python: formulas may be nested as deeply as one likes.

A function that would call itself is written as a generator, and yields a call instead of making it:
`inner = yield text(formula.inner)`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
Unrolled = Generator[Any, Any, T]
"""A call that gives a T; it yields the calls that it needs the results of."""


def unrolled(call: Unrolled[T]) -> T:
    """The result of a call."""
    stack: list[Unrolled[Any]] = [call]
    result: Any = None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as stop:
            stack.pop()
            result = stop.value
    value: T = result
    return value


def each(calls: Iterable[Unrolled[T]]) -> Unrolled[list[T]]:
    """The results of several calls, in their order."""
    results: list[T] = []
    for call in calls:
        results.append((yield call))
    return results
