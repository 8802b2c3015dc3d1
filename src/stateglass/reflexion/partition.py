"""Ranges of values as C conditions: for each value of a variable exactly one of them holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, final

from stateglass.program import Int

REST: Final = "other"


@final
@dataclass(frozen=True, slots=True)
class Range:
    """Some values of a variable: what they are called, and the condition that holds of them."""

    name: str
    condition: str


def of_bool(variable: str) -> tuple[Range, ...]:
    return (Range(f"!{variable}", f"!{variable}"), Range(variable, variable))


def of_names(variable: str, names: Sequence[str]) -> tuple[Range, ...]:
    """A range for each of these names of values, and one for all other values."""
    ranges = tuple(Range(name, f"{variable} == {name}") for name in names)
    return (*ranges, Range(f"{variable} {REST}", " && ".join(f"{variable} != {name}" for name in names)))


def of_enum(variable: str, type: Int, members: Sequence[tuple[str, int]], used: Iterable[int]) -> tuple[Range, ...]:
    """A range for each enumerator and each other value in use, and one for the rest; of equal enumerators the first."""
    names: dict[int, str] = {}
    for name, value in members:
        names.setdefault(value, name)
    for value in sorted(used):
        names.setdefault(value, str(value))
    ranges = [Range(n if not _is_number(n) else f"{variable} == {n}", f"{variable} == {n}") for n in names.values()]
    if len(names) < type.high - type.low + 1:
        ranges.append(Range(f"{variable} {REST}", " && ".join(f"{variable} != {n}" for n in names.values())))
    return tuple(ranges)


def _is_number(name: str) -> bool:
    return name.lstrip("-").isdigit()


def of_integer(
    variable: str, type: Int, edges: Mapping[int, int], points: Iterable[int], names: Mapping[int, str] | None = None
) -> tuple[Range, ...]:
    """Intervals that begin at the edges, without the points, which stand alone; `names` are those of constants.

    `edges` maps where an interval begins to the constant that the code has in its comparison: that or one more.
    Between two edges, values that are no points are not told apart. Nothing at all is one range, which is no range.
    """
    return _Integers(variable, type, edges, names or {}).ranges(points)


@final
@dataclass(frozen=True, slots=True)
class _Integers:
    """How ranges of one variable are written."""

    variable: str
    type: Int
    edges: Mapping[int, int]
    names: Mapping[int, str]

    def ranges(self, points: Iterable[int]) -> tuple[Range, ...]:
        type = self.type
        single = sorted(p for p in set(points) if type.low <= p <= type.high)
        starts = [type.low, *sorted(e for e in self.edges if type.low < e <= type.high), type.high + 1]
        found: list[tuple[int, Range]] = []
        for low, after in pairwise(starts):
            inside = [p for p in single if low <= p < after]
            found += [(p, self._point(p)) for p in inside]
            found += self._rest(low, after - 1, inside)
        return tuple(range for _, range in sorted(found, key=lambda item: item[0])) if len(found) > 1 else ()

    def _rest(self, low: int, high: int, points: list[int]) -> list[tuple[int, Range]]:
        """What an interval is without some points, with its first value."""
        unbounded = (low, high) == (self.type.low, self.type.high)
        left = list(points)
        while left and left[0] == low:
            low += 1
            left.pop(0)
        while left and left[-1] == high:
            high -= 1
            left.pop()
        if low > high:
            return []
        if low == high:
            return [(low, self._point(low))]
        if unbounded and points:
            # No order is drawn: all that is no point is one, wherever it lies.
            condition = " && ".join(self._compared("!=", p) for p in points)
            name = condition if len(points) == 1 else f"{self.variable} {REST}"
            return [(self.type.high + 1, Range(name, condition))]
        bounds = [
            self._lower(low) if low > self.type.low else "",
            self._upper(high) if high < self.type.high else "",
            *(self._compared("!=", p) for p in left),
        ]
        return [(low, _plain(" && ".join(b for b in bounds if b)))]

    def _point(self, value: int) -> Range:
        condition = self._compared("==", value)
        return Range(self.names.get(value, condition), condition)

    def _lower(self, low: int) -> str:
        if self.edges.get(low, low - 1) == low - 1:
            return self._compared(">", low - 1)
        return self._compared(">=", low)

    def _upper(self, high: int) -> str:
        if self.edges.get(high + 1, high + 1) == high:
            return self._compared("<=", high)
        return self._compared("<", high + 1)

    def _compared(self, operator: str, value: int) -> str:
        return f"{self.variable} {operator} {self.names.get(value) or constant(value, self.type)}"


def _plain(condition: str) -> Range:
    return Range(condition, condition)


def of_float(variable: str, edges: Mapping[float, set[str]], texts: Mapping[float, str]) -> tuple[Range, ...]:
    """Ranges by the operators that each constant is compared with; NaN is a range of its own."""
    bounds: list[tuple[str, str]] = []  # what holds below and from there on
    for value in sorted(edges):
        text, operators = texts[value], edges[value]
        if operators & {"==", "!="} or (operators & {"<", ">="} and operators & {">", "<="}):
            bounds += [(f"< {text}", f">= {text}"), (f"<= {text}", f"> {text}")]
        elif operators & {"<", ">="}:
            bounds.append((f"< {text}", f">= {text}"))
        else:
            bounds.append((f"<= {text}", f"> {text}"))
    if not bounds:
        return ()
    found = [f"{variable} {bounds[0][0]}"]
    for (below, start), (end, _) in pairwise(bounds):
        same = below.partition(" ")[2] == end.partition(" ")[2]
        found.append(f"{variable} == {end.partition(' ')[2]}" if same else f"{variable} {start} && {variable} {end}")
    found.append(f"{variable} {bounds[-1][1]}")
    return (*map(_plain, found), Range(f"{variable} not a number", f"{variable} != {variable}"))


def against(variable: str, others: Sequence[str]) -> tuple[Range, ...]:
    """Below, at and above each of some other variables."""
    found: tuple[Range, ...] = ()
    for other in others:
        three = tuple(_plain(f"{variable} {operator} {other}") for operator in ("<", "==", ">"))
        found = both(found, three)
    return found


def both(one: tuple[Range, ...], other: tuple[Range, ...]) -> tuple[Range, ...]:
    """The intersections of the ranges of two partitions; an empty one is no partition."""
    if not one or not other:
        return one or other
    return tuple(
        Range(f"{a.name}, {b.name}", f"{in_brackets(a.condition)} && {in_brackets(b.condition)}")
        for a in one
        for b in other
    )


def in_brackets(condition: str) -> str:
    """A condition as an operand of `&&`."""
    return f"({condition})" if "||" in condition else condition


def constant(value: int, type: Int) -> str:
    """An integer as C has it: the smallest one of a type is no literal."""
    if type.signed and value == type.low and type.bits >= 32:
        return f"(-{-value - 1} - 1)"
    if value > (1 << 63) - 1:
        return f"{value}u"
    return str(value)
