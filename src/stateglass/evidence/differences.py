"""What became of a behaviour: whether it is the same, and what appeared, vanished and moved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.evidence.claims import Step


@final
@unique
class Became(Enum):
    """What became of steps."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    MOVED = "moved"


@final
@unique
class Version(Enum):
    """One of the two sides of a comparison over time."""

    OLD = "old"
    NEW = "new"


@final
@dataclass(frozen=True, slots=True)
class Change:
    """Steps with one action that one side has and the other has not, or that have another outcome there."""

    became: Became
    action: str
    condition: str  # on the values before it; empty: always
    exact: bool  # False: in some of the states with this condition
    before: str  # what the old side does, in words
    after: str
    text: str  # all of it as one line
    count: int
    run: tuple[Step, ...] = ()
    run_of: Version = Version.NEW
    confirmed_by: tuple[str, ...] = ("model",)  # `reference`: the run was executed again step by step


@final
@dataclass(frozen=True, slots=True)
class Distinction:
    """A run that only one side has, or that only there ends so."""

    of: Version
    actions: tuple[str, ...]
    ending: str = ""


@final
@dataclass(frozen=True, slots=True)
class Met:
    """A declared change, and why it did not come true; nothing if it did."""

    text: str
    unmet: str = ""
    file: str = ""
    line: int = 0


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """Both versions as one structure, whose states are pairs of versions or belong to one side: how much it has."""

    states: int
    preserved: int  # steps
    imposed: int
    deleted: int


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """Whether two sides behave alike but for what was declared (None: for this reason it cannot be said), and if not,
    what changed.
    """

    equivalent: bool | None
    by: str
    reason: str = ""
    compared: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    states: tuple[str, ...] = ()  # those that only one side has, in sentences
    scope: str = ""  # what the changes are about, if not about all states
    without_changes: str = ""  # why none are listed though there are some
    distinction: Distinction | None = None
    labels: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # that appeared, that vanished
    variables: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    structure: Kept | None = None  # None: the versions have too little in common
    expectations: tuple[Met, ...] = ()
    interrupted: bool = False


@final
@dataclass(frozen=True, slots=True)
class Spot:
    """A state between calls by its values, as a picture shows it; None became of it if both sides have it."""

    values: tuple[tuple[str, str], ...]
    became: Became | None = None
    starts: tuple[Version, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Arrow:
    """A step from one spot to another, and what is said on the way; None became of it if both sides have it."""

    source: int
    target: int
    label: str
    became: Became | None = None


@final
@dataclass(frozen=True, slots=True)
class ChangeGraph:
    """Both sides as one graph; `left_out` counts the spots that no change touches, if they were left out."""

    spots: tuple[Spot, ...]
    arrows: tuple[Arrow, ...]
    left_out: int = 0
