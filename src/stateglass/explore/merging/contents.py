"""What cells hold while a function runs for all inputs at once, and how the contents of several ways become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.smt import Term, Terms
from stateglass.values import FaultKind


@final
@dataclass(frozen=True, slots=True)
class Absent:
    """A cell without a value: never written, or of a variable that is not alive."""

    kind: FaultKind  # what reading it is


@final
@dataclass(frozen=True, slots=True)
class Partly:
    """A value on some ways, nothing on others."""

    value: Term
    absent: tuple[tuple[FaultKind, Term], ...]


UNWRITTEN: Final = Absent(FaultKind.UNINITIALISED)
OVER: Final = Absent(FaultKind.DANGLING)
BEYOND: Final = Absent(FaultKind.BOUNDS)
Content = Term | Absent | Partly
Cells = dict[int, Content]
Guard = tuple[Term, ...]
"""All of these hold on a way."""


@final
class Way:
    """A way through the code: under which conditions it is gone, and what the cells hold on it."""

    __slots__ = ("cells", "guard")

    def __init__(self, guard: Guard, cells: Cells) -> None:
        self.guard = guard
        self.cells = cells


@final
class Meeting:
    """Makes one way of several."""

    def __init__(self, terms: Terms, before: Callable[[int], Content], ways: Sequence[Way]) -> None:
        """`before` is what a cell holds that a way has not written."""
        self._terms = terms
        self._before = before
        self._ways = ways
        shortest = min(len(w.guard) for w in ways)
        common, first = 0, ways[0].guard
        while common < shortest and all(w.guard[common] is first[common] for w in ways):
            common += 1
        self._common = first[:common]
        self._own = [w.guard[common:] for w in ways]
        self._known: dict[tuple[int, ...], Term] = {}

    def merged(self) -> Way:
        """The way behind the place where they meet."""
        ways = self._ways
        if len(ways) == 1:
            return ways[0]
        one = self._one_of(tuple(range(len(ways))))
        guard = self._common if one is self._terms.true else (*self._common, one)
        written = dict.fromkeys(number for way in ways for number in way.cells)
        return Way(guard, {n: self.chosen([self._content(w.cells, n) for w in ways]) for n in written})

    def chosen(self, contents: Sequence[Content]) -> Content:
        """One content of those on the ways; exactly one way is gone, so that the last need not be asked for."""
        first = contents[0]
        if all(c is first for c in contents):
            return first
        terms = self._terms
        grouped: dict[Content, list[int]] = {}
        for number, content in enumerate(contents):
            grouped.setdefault(content, []).append(number)
        absent: list[tuple[FaultKind, Term]] = []
        values: list[tuple[Term, Term]] = []
        for content, numbers in grouped.items():
            condition = self._one_of(tuple(numbers))
            match content:
                case Absent(kind):
                    absent.append((kind, condition))
                case Partly(value, missing):
                    values.append((condition, value))
                    absent += [(kind, terms.both(condition, w)) for kind, w in missing]
                case _:
                    values.append((condition, content))
        if not values:
            return first
        result = values[-1][1]
        for condition, value in reversed(values[:-1]):
            result = terms.choose(condition, value, result)
        return Partly(result, tuple(absent)) if absent else result

    def _one_of(self, numbers: tuple[int, ...]) -> Term:
        """That one of these ways is gone, if one of all is."""
        known = self._known.get(numbers)
        if known is None:
            known = self._known[numbers] = any_of(self._terms, [self._own[n] for n in numbers])
        return known

    def _content(self, cells: Mapping[int, Content], number: int) -> Content:
        found = cells.get(number)
        return self._before(number) if found is None else found


def any_of(terms: Terms, guards: Sequence[Guard]) -> Term:
    """One of some guards, put together where they begin alike: `a, b` and `a, !b` are `a`."""
    by_first: dict[Term, list[Guard]] = {}
    for guard in guards:
        if not guard:
            return terms.true
        by_first.setdefault(guard[0], []).append(guard[1:])
    return terms.either(*(terms.both(first, any_of(terms, rest)) for first, rest in by_first.items()))
