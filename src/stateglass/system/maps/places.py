"""Names of variables, and of parts of them, as a map writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from stateglass.source import NOWHERE, Span

EVERY: Final = -1
"""As an index: each element, written `[]`."""

GLOBAL: Final = ""
"""As a scope: outside of all functions, written `::x`."""


@final
@dataclass(frozen=True, slots=True)
class PlaceName:
    """`x`, `f:x` (`f::x` in an abstraction map), `::x`, `x.member`, `x[2]`, `x[]`.

    `scope` is a function, `GLOBAL`, or None where it is left open.
    """

    name: str
    steps: tuple[str | int, ...] = ()
    scope: str | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def path(self) -> str:
        """The steps as the cells of a variable are called: `.member[2]`."""
        return "".join(_step(step) for step in self.steps)

    def text(self, separator: str = ":") -> str:
        scope = "" if self.scope is None else "::" if self.scope == GLOBAL else f"{self.scope}{separator}"
        return f"{scope}{self.name}{self.path}"

    def __str__(self) -> str:
        return self.text()


def _step(step: str | int) -> str:
    if isinstance(step, str):
        return f".{step}"
    return "[]" if step == EVERY else f"[{step}]"
