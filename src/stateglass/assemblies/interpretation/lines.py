"""Lines of C, each with the place in the design that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import final

from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class Line:
    """One line, and what of the design it carries out."""

    text: str
    span: Span = NOWHERE
    error: str = ""  # the pin on which nothing is under way that could be completed if its assertion fails
    unit: str | None = None  # the instance that does it


@final
class Writer:
    """Collects lines of a function."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._depth = 0

    def add(self, text: str, span: Span = NOWHERE, error: str = "") -> None:
        self.lines.append(Line("   " * self._depth + text if text else "", span, error))

    @contextmanager
    def block(self, head: str, span: Span = NOWHERE, tail: str = "}") -> Iterator[None]:
        """`head {` … `}`"""
        self.add(f"{head} {{" if head else "{", span)
        self._depth += 1
        yield
        self._depth -= 1
        self.add(tail)

    @contextmanager
    def case(self, name: str, span: Span = NOWHERE, comment: str = "") -> Iterator[None]:
        """`case name:` up to its `break`"""
        self.add(f"case {name}:", span)
        self._depth += 1
        yield
        if self.lines[-1].text.strip() == "break;":
            self.lines.pop()
        self.add(f"break; // case {comment or name}")
        self._depth -= 1
