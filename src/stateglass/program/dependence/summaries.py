"""What a call of a function means to its caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

CALLED: Final = -1
"""As an input: that the function is called at all."""
RESULT: Final = -1
"""As an output: what the function returns."""
ENDS: Final = -2
"""As an output: whether the program goes on after the call."""


@final
@dataclass(frozen=True, slots=True)
class Output:
    """What an output depends on, as inputs."""

    inputs: frozenset[int]  # all of them
    values: frozenset[int]  # those that its value is made of: not those that only decide whether it is computed
    always: bool = False  # every return comes after a store to exactly this


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """Inputs and outputs are leaves that the caller knows too, and the function's parameters.

    Sets of nodes are bits of one number; nodes are numbered over the whole program.
    """

    returns: bool = False
    inputs: tuple[int, ...] = (CALLED,)
    first_read: frozenset[int] = frozenset()  # inputs that are read on some path before they are written
    outputs: Mapping[int, Output] = field(default_factory=dict)
    dependent: Mapping[int, int] = field(default_factory=dict)  # by input: the nodes that depend on it
    decided: Mapping[int, int] = field(default_factory=dict)  # the decisions whose value does
    tested: Mapping[int, int] = field(default_factory=dict)  # the decisions that read the leaf itself
    nodes: int = 0  # all of the function and those it calls
    parameters: int = 0  # how many arguments it takes


BOTTOM: Final = Summary()
"""What is known of a function before it is looked at."""


def bits(number: int) -> list[int]:
    """The positions of the ones, from the lowest; a look at each costs no copy of a number with many digits."""
    digits = bin(number)[:1:-1]
    found = []
    position = digits.find("1")
    while position >= 0:
        found.append(position)
        position = digits.find("1", position + 1)
    return found
