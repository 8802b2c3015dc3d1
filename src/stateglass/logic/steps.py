"""The ways that a modality speaks of: regular formulas over sets of labels.

A path is a sequence of pieces; an empty one (`nil`) stays where it is. A piece is an action formula, which stands for a
step whose label is in a set, or a choice or repetition of paths.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class Do:
    """One step with exactly this label; `tau` is a label like any other here."""

    label: str
    span: Span = field(default=NOWHERE, compare=False)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Like:
    """One step with a label that a pattern matches: `call(f, *)`."""

    pattern: str
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class AnyStep:
    """One step, whatever its label (`true`), or none at all (`false`)."""

    value: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class NotStep:
    """One step that is not such a step."""

    inner: Action


@final
@dataclass(frozen=True, slots=True, eq=False)
class AndStep:
    """One step that is all of these."""

    inner: tuple[Action, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class OrStep:
    """One step that is at least one of these."""

    inner: tuple[Action, ...]


Action = Do | Like | AnyStep | NotStep | AndStep | OrStep


@final
@dataclass(frozen=True, slots=True)
class Silently:
    """Any number of silent steps, or none: `tau*`."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several ways: `a.b + c`."""

    ways: tuple[tuple[Piece, ...], ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Repeated:
    """A way again and again: any number of times (`R*`), or `at_least_once` (`R+`)."""

    way: tuple[Piece, ...]
    at_least_once: bool = False


Piece = Action | Silently | Choice | Repeated
SILENTLY: Final = Silently()
