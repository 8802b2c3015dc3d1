"""Objects of the environment that pointer arguments lead to, with as many elements as a bound says."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final, assert_never

from stateglass.program import Array, Constant, Initial, Type, Variable, representation
from stateglass.source import Code, Diagnostic, Span
from stateglass.system.system import Argument, Choice, Contents, Filled, Fixed, Handed, Pointed

MOST_COMBINATIONS: Final = 1_000_000
"""How many combinations of values the environment may choose from at once."""


def objects_for(
    contents: Contents, name: str, shape: Type | None, *, readonly: bool
) -> tuple[tuple[str, ...], tuple[Variable, ...]]:
    """Objects for a pointer argument to lead to, and for each row of `contents` the name of the one that holds it.

    `shape` is the type of the objects, if they all have one. A pointer to constants gets a constant for each row, which
    is no part of the states; otherwise rows of one length share a variable.
    """
    if readonly:
        names = tuple(f"{name}#{number}" for number in range(1, len(contents.rows) + 1))
        constants = (_constant(n, contents, row) for n, row in zip(names, contents.rows, strict=True))
        return names, tuple(constants)
    by_length = {length: f"{name}#{length}" for length in contents.lengths}
    if len(by_length) == 1:
        by_length = dict.fromkeys(by_length, name)
    variables = tuple(Variable(n, shape or Array(contents.element, length)) for length, n in by_length.items())
    return tuple(by_length[len(row)] for row in contents.rows), variables


def _constant(name: str, contents: Contents, row: tuple[int, ...]) -> Variable:
    element = contents.element
    width = representation(element).bits
    initial = tuple(Initial(i * width, element, Constant(value, element)) for i, value in enumerate(row))
    return Variable(name, Array(element, len(row)), initial, readonly=True)


def ways_of(choice: Argument | Handed | Contents | None) -> int:
    """From how many values or rows the environment chooses."""
    match choice:
        case None | Fixed():
            return 1
        case Choice(_, _, values):
            return len(values)
        case Contents(_, _, rows):
            return len(rows)
        case Handed(_, arguments):
            return len(arguments)
        case Pointed(_, content):
            return ways_of(content)
        case Filled(contents):
            return ways_of(contents)
        case _:
            assert_never(choice)


def too_many(message: str, choices: Iterable[Argument | Handed | Contents | None], span: Span) -> list[Diagnostic]:
    """What is wrong if the environment chooses from too many combinations; `message` has a place for their number."""
    combinations = prod(map(ways_of, choices))
    if combinations <= MOST_COMBINATIONS:
        return []
    limit = f"the limit is {MOST_COMBINATIONS:,}: give smaller bounds"
    return [Diagnostic(Code.BOUND, message % f"{combinations:,}", span, help=limit)]
