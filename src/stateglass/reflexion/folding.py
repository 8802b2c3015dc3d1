"""Cases that say the same of each element of an array are one case: of the element that a variable picks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

FEWEST: Final = 3
"""So many elements in a row are put together."""
_STEPS: Final = ((0, ""), (1, " - 1"), (-1, " + 1"))
"""How far the number of an element may be from the variable, and how that is written."""

Numbered = dict[int, str]
"""What the cases say beside the value of a variable, by that value."""
Run = tuple[int, int, str]
"""The first and the last value of the variable, and what is said for each value between them."""


def runs(cases: Numbered, variable: str) -> list[Run]:
    """`t[0] > 3` for 0, `t[1] > 3` for 1 … as `t[i] > 3`: for each value of `i` that is the same comparison."""
    found: list[Run] = []
    taken: set[int] = set()
    for by, step in _STEPS:
        alike: dict[str, list[int]] = {}
        for value, text in cases.items():
            if f"[{value - by}]" in text and value not in taken:
                alike.setdefault(text.replace(f"[{value - by}]", f"[{variable}{step}]"), []).append(value)
        for text, values in alike.items():
            for first, last in _rows(sorted(values)):
                if last - first + 1 >= FEWEST:
                    found.append((first, last, text))
                    taken.update(range(first, last + 1))
    return sorted(found)


def _rows(values: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The values as ranges without gaps: the first and the last of each."""
    begin = 0
    for place in range(1, len(values) + 1):
        if place == len(values) or values[place] != values[place - 1] + 1:
            yield values[begin], values[place - 1]
            begin = place
