"""What can happen next in a state, with the text that is shown for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from stateglass.explore.pauses import Pause
from stateglass.source import Span


@final
@dataclass(frozen=True, slots=True)
class Move:
    """One transition out of a state: `make` brings the machine, which is in that state, to the next pause."""

    action: str
    span: Span | None
    make: Callable[[], Pause]
