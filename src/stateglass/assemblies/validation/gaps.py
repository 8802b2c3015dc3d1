"""What could not be read of a design: of that, and of what it may have said, nothing is known to be missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.source import Span

_WORD: Final = re.compile(r"[A-Za-z_]\w*")


@final
@dataclass(slots=True)
class Gaps:
    """The words of texts that were not understood, and the components, reactions and assemblies they stand in."""

    words: set[str] = field(default_factory=set)
    around: set[Span] = field(default_factory=set)
    is_everywhere: bool = False

    def add(self, text: str) -> None:
        self.words.update(_WORD.findall(text))

    def explains(self, name: str) -> bool:
        """Whether a name may mean something that was not understood."""
        return not self.words.isdisjoint(_WORD.findall(name))

    def are_in(self, part: Span) -> bool:
        """Whether a component, reaction or assembly may have more than what was understood."""
        return self.is_everywhere or part in self.around
