"""What is to be seen of runs: where code rests beside the beginnings of its loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """For reachability nothing needs to be; claims about events and about values that pass need these."""

    events: bool = False  # every action of its own stretch: calls, returns, inputs, ends
    watch: frozenset[str] = frozenset()  # variables of which every value is seen
    named: frozenset[str] = frozenset()  # variables that are to be known where code rests, and no more than that
