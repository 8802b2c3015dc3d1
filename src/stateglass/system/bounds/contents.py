"""What a bound means for an array, a list or a text: the rows of values that it may be filled with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, final

from stateglass.program.types import Enumeration, Int, Scalar
from stateglass.source import Code, Diagnostic, InputError, input_error
from stateglass.system.bounds.resolve import default_values, resolve
from stateglass.system.bounds.spec import BoundSpec, ListOf, Strings, Union

# Every row is a transition of its own: more of them give a model that nobody can look at.
MOST_ROWS: Final = 4096
MOST_NUMBERS: Final = 65536
"""All rows of a bound together have at most so many values."""
_COUNTED: Final = 10**12
"""Beyond this, how many rows there are is of no interest any more."""


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """What an array may hold: one of several rows of values. `text`: they are texts that end with a NUL."""

    rows: tuple[tuple[int, ...], ...]
    text: bool = False


def texts_of(spec: BoundSpec | None) -> tuple[str, ...] | None:
    """The texts of a bound that consists of texts; None for any other bound."""
    parts = spec.parts if isinstance(spec, Union) else (spec,)
    if not all(isinstance(p, Strings) for p in parts):
        return None
    return tuple(dict.fromkeys(t for p in parts if isinstance(p, Strings) for t in p.texts))


def is_list(spec: BoundSpec) -> bool:
    """Whether a bound says how many elements there are: a list, or texts."""
    return isinstance(spec, ListOf) or texts_of(spec) is not None


def resolve_rows(
    spec: BoundSpec | None,
    own: Mapping[int, tuple[str, BoundSpec]],
    type: Scalar,
    count: int | None,
    enums: Mapping[str, Enumeration],
    name: str,
) -> Rows:
    """The rows that `spec` gives to elements of a type, in ascending order; `own` has names and bounds of single ones.

    `count` is how many elements there are; None: the bound says it. Without a bound elements take any value they have.
    """
    texts = texts_of(spec)
    if texts is not None:
        return _text_rows(texts, own, type, count, name)
    shortest, longest, each = _lengths(spec, count, name)
    _check_own(own, longest, name)
    # Elements that are all set by bounds of their own need no common one.
    common: tuple[int, ...] = ()
    problems: list[Diagnostic] = []
    try:
        common = _common(each, type, enums, name) if each is not None or len(own) < longest else ()
    except InputError as error:
        problems += error.diagnostics
    values: dict[int, tuple[int, ...]] = {}
    for index, (element, bound) in own.items():
        try:
            values[index] = resolve(bound, type, enums, element)
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    _check_size([len(values.get(i, common)) for i in range(longest)], shortest, name)
    elements = [values.get(i, common) for i in range(longest)]
    return Rows(tuple(row for n in range(shortest, longest + 1) for row in product(*elements[:n])))


def _lengths(spec: BoundSpec | None, count: int | None, name: str) -> tuple[int, int, BoundSpec | None]:
    """How many elements there are at least and at most, and the bound of each."""
    each: BoundSpec | None
    if not isinstance(spec, ListOf):
        assert count is not None, "only a list says how long it is"
        shortest, longest, each = count, count, spec
    elif count is not None and (spec.shortest, spec.longest) != (count, count):
        help = f"give the bound of each element: `{name}={spec.element or '0..10'}`"
        raise input_error(Code.BOUND, f"`{name}` always has {count} elements, and not `{spec}`", help=help)
    else:
        shortest, longest, each = spec.shortest, spec.longest, spec.element
    if longest > MOST_NUMBERS:
        message = f"`{name}` would have {_shown(longest)} elements; the most is {MOST_NUMBERS:,}"
        raise input_error(Code.BOUND, message, help="give a bound for the elements that make a difference")
    return shortest, longest, each


def _check_own(own: Mapping[int, tuple[str, BoundSpec]], longest: int, name: str) -> None:
    outside = [element for index, (element, _) in own.items() if index >= longest]
    if outside:
        has = f"`{name}` has {_elements(longest)}, counted from 0"
        raise InputError(Diagnostic(Code.BOUND, f"there is no `{element}`: {has}") for element in outside)


def _common(each: BoundSpec | None, type: Scalar, enums: Mapping[str, Enumeration], name: str) -> tuple[int, ...]:
    if each is not None:
        return resolve(each, type, enums, name)
    values = default_values(type, enums)
    if values is None:
        help = f"say it behind the lengths: `{name}=list 2 of 0..10`"
        raise input_error(Code.BOUND, f"which values the elements of `{name}` take is not known", help=help)
    return values


def _check_size(choices: Sequence[int], shortest: int, name: str) -> None:
    """Refuses what has too many rows; `choices` are the numbers of values of the elements."""
    ways = 1
    rows = numbers = 0
    for length in range(len(choices) + 1):
        if length >= shortest:
            rows += ways
            numbers += ways * length
        if length < len(choices):
            ways = min(ways * choices[length], 2 * _COUNTED)
    elements = _elements(len(choices)) if shortest == len(choices) else f"{shortest} to {_elements(len(choices))}"
    different = set(choices)
    each = f" with {different.pop()} values each" if len(different) == 1 else ""
    help = (
        "allow fewer values; or give all elements one value, and those that make a difference a bound of their own: "
        f"`{name}[0]=0..10`"
    )
    if rows > MOST_ROWS:
        message = f"`{name}`, {elements}{each}, could be filled in {_shown(rows)} ways; the most is {MOST_ROWS:,}"
        raise input_error(Code.BOUND, message, help=help)
    if numbers > MOST_NUMBERS:
        message = f"what `{name}` may hold is {_shown(numbers)} values in all; the most is {MOST_NUMBERS:,}"
        raise input_error(Code.BOUND, message, help="allow fewer lengths, or fewer values")


def _text_rows(
    texts: tuple[str, ...],
    own: Mapping[int, tuple[str, BoundSpec]],
    type: Scalar,
    count: int | None,
    name: str,
) -> Rows:
    if not isinstance(type, Int) or type.bits != 8:
        help = "a bound for its elements is a range `0..10` or a set `{1, 5}`, for several of them `list 2 of 0..10`"
        raise input_error(Code.BOUND, f"`{name}` takes no texts: its elements are `{type}`, not characters", help=help)
    problems = [f"`{name}` takes texts, so that `{e}` cannot have a bound of its own" for e, _ in own.values()]
    rows = []
    for text in texts:
        codes = [*text.encode(), 0]
        if "\0" in text:
            problems.append(f"a text for `{name}` has a NUL inside: a text ends at its first NUL")
        elif count is not None and len(codes) > count:
            problems.append(f"a text of {len(codes) - 1} characters and its NUL do not fit into `{name}[{count}]`")
        rows.append([*codes, *([0] * (count - len(codes)) if count is not None else [])])
    if len(rows) > MOST_ROWS or sum(len(row) for row in rows) > MOST_NUMBERS:
        limits = f"the most is {MOST_ROWS:,}, with {MOST_NUMBERS:,} characters in all"
        problems.append(f"`{name}` would be filled with {len(rows):,} texts; {limits}")
    if problems:
        raise InputError(Diagnostic(Code.BOUND, p) for p in problems)
    if type.signed:
        rows = [[c - 256 if c > 127 else c for c in row] for row in rows]
    return Rows(tuple(tuple(row) for row in rows), text=True)


def _elements(count: int) -> str:
    return "1 element" if count == 1 else f"{_shown(count)} elements"


def _shown(number: int) -> str:
    return f"{number:,}" if number <= _COUNTED else f"more than {_COUNTED:,}"
