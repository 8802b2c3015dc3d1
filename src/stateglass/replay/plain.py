"""Logs with one event per line: the text of an action, or free text that a regular expression finds the event in."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.replay.happenings import Happening
from stateglass.source import Code, input_error

GROUP: Final = "event"


@final
@dataclass(frozen=True, slots=True)
class Extractor:
    """Where the event stands in a line: the group called `event`, or the first group, or all that matches."""

    expression: re.Pattern[str]
    group: int | str

    @staticmethod
    def of(text: str) -> Extractor:
        try:
            expression = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise input_error(Code.USAGE, f"`{text}` is no regular expression: {error}") from None
        if GROUP in expression.groupindex:
            return Extractor(expression, GROUP)
        if expression.groups > 1:
            help = f"call the one that holds the event (?P<{GROUP}>…), or write the others (?:…)"
            raise input_error(Code.USAGE, f"`{text}` has {expression.groups} groups", help=help)
        return Extractor(expression, expression.groups)

    def event(self, line: str) -> str:
        """The event in a line; empty if there is none."""
        found = self.expression.search(line)
        return "" if found is None else (found[self.group] or "").strip()


@final
class PlainReader:
    """Reads one event per line. Blank lines and those that begin with # are skipped, unless that is an action.

    With an extractor a line is skipped where it finds nothing.
    """

    def __init__(self, known: Container[str] = (), extractor: Extractor | None = None) -> None:
        self.skipped = 0
        self._known = known
        self._extractor = extractor

    def read(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]:
        return self._actions(lines) if self._extractor is None else self._extracted(self._extractor, lines)

    def _actions(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]:
        for number, line in lines:
            text = line.strip()
            if not text or (text[0] == "#" and text not in self._known):
                self.skipped += 1
            else:
                yield number, text

    def _extracted(self, extractor: Extractor, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, Happening]]:
        for number, line in lines:
            text = extractor.event(line)
            if text:
                yield number, text
            else:
                self.skipped += 1
