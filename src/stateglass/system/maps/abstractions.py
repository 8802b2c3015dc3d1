"""Abstractions as a map writes them: those of single values, and arrays of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.program.abstractions import Abstraction, Exact, Free, MinMax, Top, Truth

MOST_NESTED_ARRAYS: Final = 16


@final
@dataclass(frozen=True, slots=True)
class ArrayOf:
    """`T array`: each element by itself."""

    element: MapAbstraction

    def __str__(self) -> str:
        return f"{self.element} array"


MapAbstraction = Abstraction | ArrayOf

PLAIN: Final[dict[str, Abstraction]] = {
    "top": Top(),
    "minmax": MinMax(),
    "int": Exact(),
    "bool": Truth(),
    "free": Free(),
}
"""The abstractions without parameters by their names."""
assert all(str(abstraction) == name for name, abstraction in PLAIN.items())
