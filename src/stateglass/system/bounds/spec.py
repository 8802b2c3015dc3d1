"""Bounds as values, with the text that reads back as the same value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, final

# Decimal only for what is no whole number, so that equal numbers have one form.
Number = int | Decimal

# They have a meaning of their own in the notation and so cannot name an enum or an enumerator.
RESERVED: Final = frozenset({"bool", "category", "list", "of", "step"})


def number_text(number: Number) -> str:
    return format(number, "f") if isinstance(number, Decimal) else str(number)


@final
@dataclass(frozen=True, slots=True)
class Range:
    """`low..high step step`: low, and from there on in steps up to high."""

    low: Number
    high: Number
    step: Number = 1

    def __post_init__(self) -> None:
        if self.low > self.high or self.step <= 0:
            raise ValueError(f"no range: {self}")

    def __str__(self) -> str:
        step = "" if self.step == 1 else f" step {number_text(self.step)}"
        return f"{number_text(self.low)}..{number_text(self.high)}{step}"


@final
@dataclass(frozen=True, slots=True)
class Values:
    """`{1, 5, 9}`, or a single number."""

    numbers: tuple[Number, ...]

    def __post_init__(self) -> None:
        _not_empty(self.numbers)

    def __str__(self) -> str:
        return _set([number_text(n) for n in self.numbers])


@final
@dataclass(frozen=True, slots=True)
class Names:
    """`{OFF, ON}`: enumerators, whole enums, `true` and `false`; what a name means depends on the type."""

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        _not_empty(self.names)
        if not RESERVED.isdisjoint(self.names):
            raise ValueError(f"no names: {self.names}")

    def __str__(self) -> str:
        return _set(list(self.names))


@final
@dataclass(frozen=True, slots=True)
class Strings:
    """`{"on", "off"}`."""

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        _not_empty(self.texts)

    def __str__(self) -> str:
        return _set([json.dumps(t, ensure_ascii=False) for t in self.texts])


@final
@dataclass(frozen=True, slots=True)
class AnyBool:
    """`bool`: true and false."""

    def __str__(self) -> str:
        return "bool"


@final
@dataclass(frozen=True, slots=True)
class Union:
    """`0..3 | 9`: what any of the parts allows."""

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        if len(self.parts) < 2:
            raise ValueError("a union has two parts or more")

    def __str__(self) -> str:
        return " | ".join(str(p) for p in self.parts)


@final
@dataclass(frozen=True, slots=True)
class ListOf:
    """`list 0..2 of 0..10`: from `shortest` to `longest` elements, each within `element`; None: as its type says."""

    shortest: int
    longest: int
    element: BoundSpec | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.shortest <= self.longest:
            raise ValueError(f"no lengths: {self.shortest}..{self.longest}")

    def __str__(self) -> str:
        lengths = str(self.shortest) if self.shortest == self.longest else f"{self.shortest}..{self.longest}"
        return f"list {lengths}" + (f" of {self.element}" if self.element is not None else "")


@final
@dataclass(frozen=True, slots=True)
class Category:
    """`category K`: the objects of a category that the project declares."""

    name: str

    def __str__(self) -> str:
        return f"category {self.name}"


Part = Range | Values | Names | Strings | AnyBool
BoundSpec = Part | Union | ListOf | Category


def _not_empty(items: tuple[object, ...]) -> None:
    if not items:
        raise ValueError("a set of values is never empty")


def _set(items: list[str]) -> str:
    return items[0] if len(items) == 1 else "{" + ", ".join(items) + "}"
