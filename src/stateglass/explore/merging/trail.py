"""Which lines a run goes through, for which valuations: enough to tell those of many calls at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from stateglass.smt import Term
from stateglass.source import Span

Line = tuple[str, int]
"""A file and a line of it."""
Origin = tuple[tuple[int, Term | None], ...]
"""The stretches that a way comes from, each under a condition if it has one; of these it goes exactly one."""
BEGINNING: Final[Origin] = ()


@final
@dataclass(frozen=True, slots=True)
class Stretch:
    """Code that is run in one go. Those it comes from stand before it, and a call runs its stretches in their order."""

    origin: Origin
    lines: tuple[Line, ...]  # of the user's code


@final
class Trail:
    """Grows as the run goes on."""

    def __init__(self) -> None:
        self._origins: list[Origin] = []
        self._lines: list[dict[Line, None]] = []
        self._here: Origin | None = None

    def passed(self, origin: Origin, span: Span) -> Origin:
        """A statement is run by what comes from somewhere; where what follows it comes from."""
        if origin is not self._here or self._here is None:
            self._here = ((len(self._origins), None),)
            self._origins.append(origin)
            self._lines.append({})
        if span.line and not span.in_library:
            self._lines[-1][span.file, span.line] = None
        return self._here

    def stretches(self) -> tuple[Stretch, ...]:
        return tuple(Stretch(o, tuple(lines)) for o, lines in zip(self._origins, self._lines, strict=True))


def under(origin: Origin, condition: Term) -> Origin:
    """What comes from one stretch, if a condition holds."""
    ((stretch, _),) = origin
    return ((stretch, condition),)
