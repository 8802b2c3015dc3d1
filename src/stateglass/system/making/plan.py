"""What is made for an object that is looked at: the text, what it is for, and what is to be said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from stateglass.program.made import Made
from stateglass.source import Assumption, Diagnostic
from stateglass.system.making.stubs import StubFunction, Thing
from stateglass.system.making.values import MissingBound
from stateglass.system.stand_ins import MadeResult


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What is made for an object that is looked at, and what is to be said about it."""

    made: Made | None = None
    entries: Mapping[str, str] = field(default_factory=dict)  # by member function: what is called in its place
    forgets: Mapping[str, str] = field(default_factory=dict)  # by what is called: what destroys the object it returns
    leaves: Mapping[str, str] = field(default_factory=dict)  # the same for objects that it was given to change
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by enum: what its values are shown as
    said: Mapping[str, str] = field(default_factory=dict)  # by input: its bound in words; empty: it goes without saying
    names: tuple[str, ...] = ()  # everything that a bound can be given for
    bounds: Mapping[str, str] = field(default_factory=dict)  # those that were used, by whole names
    given: frozenset[str] = frozenset()  # the names under which they were given
    later: frozenset[str] = frozenset()  # names of bounds that are looked at when all is made
    missing: tuple[MissingBound, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)  # by member function: why it is not called
    things: tuple[Thing, ...] = ()
    functions: tuple[StubFunction, ...] = ()
    callbacks: tuple[str, ...] = ()
    results: Mapping[str, MadeResult] = field(default_factory=dict)  # by function that stands in for a member function
    assumptions: tuple[Assumption, ...] = ()
    named: tuple[str, ...] = ()  # objects of categories
    handed: tuple[str, ...] = ()  # what objects would be called if nothing else was said
    refused: Mapping[str, str] = field(default_factory=dict)  # what clang says of pieces of the text

    @property
    def fails(self) -> bool:
        return bool(self.problems or self.missing)

    def texts(self) -> tuple[str, ...]:
        """The pieces of text that are read with the program."""
        pieces = self.made.pieces if self.made is not None else ()
        return tuple(piece.text for piece in pieces if piece.about not in self.refused)
