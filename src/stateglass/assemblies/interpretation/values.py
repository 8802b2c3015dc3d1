"""The values that data of interactions may have, and the numbers that stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import final

Values = tuple[int, ...]


def is_range(values: Values) -> bool:
    """Whether values follow each other without gaps."""
    return values == tuple(range(values[0], values[0] + len(values)))


def domain_text(values: Values) -> str:
    """Values as FSP has them."""
    if is_range(values):
        return f"{values[0]}..{values[-1]}"
    return f"{{{', '.join(map(str, values))}}}"


@final
@dataclass(frozen=True, slots=True)
class Coding:
    """Rows of data as numbers from `first` on."""

    first: int
    data: tuple[Values, ...]  # what each parameter may be

    @property
    def count(self) -> int:
        return prod(len(values) for values in self.data)

    @property
    def last(self) -> int:
        return self.first + self.count - 1

    def rows(self) -> Iterator[tuple[int, Values]]:
        """All rows with their numbers."""
        for number, row in enumerate(product(*self.data)):
            yield self.first + number, row

    @property
    def is_even(self) -> bool:
        """Whether numbers can be computed: no parameter has gaps."""
        return all(is_range(values) for values in self.data)

    def number(self, names: Sequence[str]) -> str:
        """The number of a row as an expression over its data."""
        text = str(self.first) if self.first or not names else ""
        for name, values, stride in zip(names, self.data, self._strides(), strict=True):
            part = (
                name if values[0] == 0 else f"({name} - {values[0]})" if values[0] > 0 else f"({name} + {-values[0]})"
            )
            part = part if stride == 1 else f"{part} * {stride}"
            text = f"{text} + {part}" if text else part
        return text

    def part(self, number: str, at: int) -> str:
        """One parameter of the row that has a number, as an expression over it."""
        values, stride = self.data[at], self._strides()[at]
        index = number if self.first == 0 else f"({number} - {self.first})"
        if stride != 1:
            index = f"({index} / {stride})"
        if at:
            index = f"({index} % {len(values)})"
        return index if values[0] == 0 else f"{index} + {values[0]}" if values[0] > 0 else f"{index} - {-values[0]}"

    def chosen(self, number: str, at: int) -> str:
        """The same as C has it, also where values have gaps."""
        if is_range(self.data[at]):
            return self.part(number, at)
        rows = [(n, row[at]) for n, row in self.rows()]
        text = str(rows[-1][1])
        for one, value in reversed(rows[:-1]):
            text = f"{number} == {one} ? {value} : {text}"
        return f"({text})"

    def _strides(self) -> tuple[int, ...]:
        return tuple(prod(len(values) for values in self.data[at + 1 :]) for at in range(len(self.data)))


def offers(name: str, data: tuple[Values, ...], coding: Coding, then: str) -> list[str]:
    """The actions of an event with all its data, each followed by `then`, in which `#` is the number of the row."""
    if not data:
        return [f"{name} -> {then.replace('#', str(coding.first))}"]
    if coding.is_even:
        names = [f"v{at}" for at in range(len(data))]
        arguments = ", ".join(f"{n}:{domain_text(values)}" for n, values in zip(names, data, strict=True))
        return [f"{name}({arguments}) -> {then.replace('#', coding.number(names))}"]
    return [f"{name}({', '.join(map(str, row))}) -> {then.replace('#', str(number))}" for number, row in coding.rows()]
