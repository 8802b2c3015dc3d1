"""How a system is run."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import final

from stateglass.work import lateness


@final
@dataclass(frozen=True, slots=True)
class Manner:
    """What is kept of the runs of a system, and when to stop: what was found by then is kept and marked partial."""

    max_states: int = 1_000_000
    timeout: float = 300.0
    max_depth: int = 64
    every_step: bool = False
    compress: bool = False  # states whose only transition is silent are left out
    watch: frozenset[str] = frozenset()  # variables of which every value is seen, also between silent steps
    counted: bool = True  # states that only runs come to that do not count are left out
    end: float = math.inf  # the moment when all work is over of which this is a part
    max_steps: int = 0  # of the code, looked at now and then: so that the clock does not decide; 0: any number

    def __post_init__(self) -> None:
        assert not (self.compress and self.watch)

    def watching(self, names: Collection[str]) -> Manner:
        """The same with variables to watch; what they go through silently is not left out then."""
        return replace(self, watch=frozenset(names), compress=self.compress and not names)

    def left(self, clock: Callable[[], float] = time.monotonic) -> float:
        """How many seconds may be taken to look for something from now on."""
        return min(self.timeout, max(0.0, self.end - clock()))

    def late(self) -> float:
        """How many seconds may be taken to follow what was found."""
        return max(0.0, min(self.timeout, self.end - time.monotonic()) + lateness(self.timeout))
