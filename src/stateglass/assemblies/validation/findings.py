"""What is found about a design: errors, and what is only odd."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, final

from stateglass.assemblies.validation.gaps import Gaps
from stateglass.source import Code, Diagnostic, Severity, Span, suggestion

MOST_KNOWN: Final = 1000
MOST_ADVISED: Final = 100
"""For so many mistakes the nearest names are looked for; nobody reads more."""


@final
@dataclass(frozen=True, slots=True)
class Findings:
    """Collects errors and warnings. What the gaps of a design explain is none."""

    gaps: Gaps = field(default_factory=Gaps)
    errors: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    def error(self, message: str, span: Span, help: str = "") -> None:
        self.errors.append(Diagnostic(Code.DESIGN, message, span, help=help))

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str], help: str = "") -> None:
        """A name that nothing has; the nearest ones are offered."""
        if self.gaps.explains(name):
            return
        nearest = suggestion(name, islice(known, MOST_KNOWN)) if len(self.errors) < MOST_ADVISED else ""
        self.error_of_name(f"there is no {what} `{name}`", name, span, nearest or help)

    def error_of_name(self, message: str, name: str, span: Span, help: str) -> None:
        if not self.gaps.explains(name):
            self.errors.append(Diagnostic(Code.UNKNOWN_NAME, message, span, help=help))

    def missing(self, message: str, around: Span, help: str) -> None:
        """Something that a component, reaction or assembly has to have."""
        if not self.gaps.are_in(around):
            self.error(message, around, help)

    def warn(self, message: str, span: Span, help: str = "") -> None:
        self.warnings.append(Diagnostic(Code.DESIGN, message, span, Severity.WARNING, help))

    def once(self, what: str, named: Iterable[tuple[str, Span]]) -> None:
        """Each name means one thing."""
        seen: set[str] = set()
        for name, span in named:
            if name in seen:
                self.error(f"{what} `{name}` is there twice", span, "give each a name of its own")
            seen.add(name)
