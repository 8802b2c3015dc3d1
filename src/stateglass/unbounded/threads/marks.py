"""What states of abstract threads remember of the steps before them, so that loops are known to end.

Of a number that does not grow on some steps and becomes smaller on some of these, a state knows whether the last step
was another one, and otherwise whether the number has become smaller an even number of times. A run that changes from
even to odd for ever without any other step is none.
"""

from __future__ import annotations

from enum import Enum, unique
from typing import final


@final
@unique
class Mark(Enum):
    """What a state remembers of the steps before it, for a number that cannot become smaller for ever."""

    LEFT = "left"  # the last one was none on which it is known not to grow
    EVEN = "even"  # since then, it became smaller an even number of times
    ODD = "odd"

    @property
    def stayed(self) -> Mark:
        """After a step on which the number does not grow."""
        return Mark.EVEN if self is Mark.LEFT else self

    @property
    def turned(self) -> Mark:
        """After one on which it becomes smaller."""
        return Mark.EVEN if self is Mark.ODD else Mark.ODD

    def column(self, number: int) -> str:
        """The value of a thread that says where this is marked."""
        return f"%{self.value} {number}"


Marks = tuple[Mark, ...]
"""One for each number that is known not to become smaller for ever."""


def is_mark(value: str) -> bool:
    """Whether a value of the whole, called `left.x`, is what states of a thread remember."""
    return value.partition(".")[2].startswith(tuple(f"%{mark.value} " for mark in Mark))
