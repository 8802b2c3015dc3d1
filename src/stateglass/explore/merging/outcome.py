"""What one run for all inputs has found: what every variable holds afterwards, and where it could not follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import final

from stateglass.explore.merging.contents import Content
from stateglass.explore.merging.trail import Stretch
from stateglass.program import Scalar
from stateglass.smt import Term
from stateglass.source import Span


@final
@unique
class Kind(Enum):
    """How a run can end other than by coming back."""

    FAULT = "fault"
    EXIT = "exit"  # the program ends
    DROPPED = "dropped"  # such a run does not count
    OUTSIDE = "outside"  # there is no such run: the environment does not choose these values
    BOUND = "bound"  # a bound was reached: what follows is not known
    UNSUPPORTED = "unsupported"  # nor is it here


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An early end, and for which valuations there is one.

    Behind it the run goes on as if nothing had happened: the first event that there is for a valuation counts.
    """

    kind: Kind
    what: str  # the kind of fault, or the reason
    when: Term
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Fresh:
    """A value that came from outside: what a function without a body returned or wrote, or a volatile read."""

    name: str  # several of what comes from one place are numbered
    type: Scalar
    term: Term
    when: Term  # for which valuations it was asked for
    span: Span
    origin: str  # the variable that was read, or the function that was called


def told_apart(found: Sequence[Fresh]) -> tuple[Fresh, ...]:
    """Each with a name of its own: several of one name are numbered by their places, and in a loop by its rounds."""
    count, seen = Counter(fresh.name for fresh in found), Counter[str]()
    names = [fresh.name for fresh in found]
    for place in sorted(range(len(found)), key=lambda number: found[number].span.start):
        name = found[place].name
        if count[name] > 1:
            seen[name] += 1
            names[place] = f"{name}#{seen[name]}"
    return tuple(replace(fresh, name=name) for fresh, name in zip(found, names, strict=True))


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """A function, run for all valuations at once."""

    after: Mapping[int, Content]  # by cell; what is not listed is as before
    returns: Term  # for which valuations the function comes back
    value: Term | list[Content] | None  # in cells, if it is a record or may be missing
    events: tuple[Event, ...]  # in the order in which a run meets them
    fresh: tuple[Fresh, ...]
    decisions: tuple[Term, ...]  # the conditions that the code branches on
    rounds: int  # the most that a loop has made
    trail: tuple[Stretch, ...]  # what was run, for those valuations for which the function comes back
    called_out: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Functions without a body that were called, and which of their arguments they wrote through."""
    volatile: tuple[str, ...] = ()  # what was read, and gave any value
