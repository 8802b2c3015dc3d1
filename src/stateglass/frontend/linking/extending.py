"""Lets more be put into the midst of what is under construction, and lets it be completed in two ways."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TypeVar, final

_Thing = TypeVar("_Thing")
_Entry = TypeVar("_Entry")


@final
@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of a program there is at some time."""

    functions: int
    declarations: int
    variables: int
    classes: int


def moved(entries: dict[str, _Entry], known: int, place: int) -> dict[str, _Entry]:
    """The entries from number `known` on, put before the one that has the number `place`."""
    items = list(entries.items())
    return dict([*items[:place], *items[known:], *items[place:known]])


def shallow_copy(thing: _Thing) -> _Thing:
    """An object like another one: both can be added to, and share what they have so far."""
    twin = copy.copy(thing)
    for name, value in vars(thing).items():
        if isinstance(value, (dict, list, set)):
            setattr(twin, name, value.copy())
    return twin
