"""What one run for all inputs has found: what every variable holds afterwards, and where it could not follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from stateglass.explore.merging.contents import Content
from stateglass.program import Scalar
from stateglass.smt import Term
from stateglass.source import Span
from stateglass.values import FaultKind


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """A fault, or another early end, and when it happens: `when` is true of the valuations that get there.

    Behind a fault the run goes on as if nothing had happened: the first one that holds is the one that counts.
    """

    kind: str
    when: Term
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Unseen:
    """Where the run could not follow the code, and for which valuations."""

    reason: str
    when: Term
    span: Span
    bound: bool  # a bound was reached; otherwise the code is not supported


@final
@dataclass(frozen=True, slots=True)
class Fresh:
    """A value that came from outside: what a function without a body returned or wrote, or a volatile read."""

    name: str
    type: Scalar
    term: Term
    when: Term  # for which valuations it was asked for
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """A function, run for all valuations at once."""

    after: Mapping[int, Content]  # by cell; what is not listed is as before
    returns: Term  # for which valuations the function comes back
    value: Content | list[Content]
    ends: tuple[Condition, ...]  # faults (`FaultKind`), and `exit`
    unseen: tuple[Unseen, ...]
    fresh: tuple[Fresh, ...]
    decisions: tuple[Term, ...]  # the conditions that the code branches on
    dropped: Term  # valuations that do not count


def fault(kind: FaultKind, when: Term, span: Span) -> Condition:
    return Condition(kind.value, when, span)
