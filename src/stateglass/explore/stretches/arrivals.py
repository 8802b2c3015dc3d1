"""Where a run from a rest comes to: which rest it is, for which values, and what cells hold there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from stateglass.explore.merging.contents import Cells
from stateglass.explore.stretches.flow import Chosen, Phase, Shown
from stateglass.explore.stretches.levels import Location
from stateglass.smt import Term
from stateglass.source import NOWHERE, Span


@final
@dataclass(frozen=True, slots=True)
class Key:
    """Which rest it is."""

    phase: Phase
    location: Location | None = None
    number: int = 0  # of `STABLE`: how many inputs have been chosen
    what: str = ""
    span: Span = field(default=NOWHERE)
    bound: bool = False


@final
@dataclass(frozen=True, slots=True)
class Arrival:
    """The ways that lead from one rest to another, as one."""

    key: Key
    guard: Term
    cells: Cells
    chosen: tuple[Chosen, ...]
    action: Shown | None
    entry: int | None
