"""Recursive functions without Python's stack: formulas may be nested as deeply as one likes.

A function that would call itself is written as a generator, and yields the call instead of making it: `inner = yield
negation(formula.inner)`. A function that writes a text yields its pieces, and the calls that write the others.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, TypeVar, Union

T = TypeVar("T")
Unrolled = Generator[Any, Any, T]
"""A call that gives a T; it yields the calls that it needs the results of."""


def parts_first(top: T, parts: Callable[[T], Sequence[T]]) -> list[T]:
    """All that something consists of, itself included: each object once, after its own parts."""
    order: list[T] = []
    seen: set[int] = set()
    work: list[tuple[T, bool]] = [(top, False)]
    while work:
        node, ready = work.pop()
        if ready:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            work.append((node, True))
            work += ((part, False) for part in reversed(parts(node)))
    return order


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


Writing = Iterator[Union[str, "Writing"]]
"""A call that writes a text."""


def written(call: Writing) -> str:
    """What a call writes; the time it takes is linear in the text."""
    stack, pieces = [call], list[str]()
    while stack:
        for piece in stack[-1]:
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                stack.append(piece)
                break
        else:
            stack.pop()
    return "".join(pieces)


def separated(calls: Iterable[Writing], by: str, last: str | None = None) -> Writing:
    """Several texts, with something between them, and perhaps something else before the last."""
    texts = list(calls)
    for number, text in enumerate(texts):
        if number:
            yield by if last is None or number + 1 < len(texts) else last
        yield text


def grouped(call: Writing, in_parentheses: bool) -> Writing:
    """A text, in parentheses if it needs them."""
    if in_parentheses:
        yield "("
    yield call
    if in_parentheses:
        yield ")"
