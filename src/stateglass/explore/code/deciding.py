"""Control that a value decides: a branch goes one way, a switch to the case that has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.code.activations import Leave, Segment
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.meaning.statements import ranges_by_target
from stateglass.program import Expression, Switch

MOST_LOOKED_UP: Final = 256
"""A range of case labels up to this wide is looked up, a wider one is searched."""


class Decisions(Protocol):
    """Builds the ends of segments where a value decides; `test` and `value` compute it."""

    def branch(
        self, condition: Expression, test: Evaluate, then: Segment, other: Segment, segment: Segment
    ) -> Leave: ...

    def switch(self, switch: Switch, value: Evaluate, starts: Sequence[Segment], segment: Segment) -> Leave: ...


@final
class Deciding:
    """On exact values there is one way."""

    def branch(self, condition: Expression, test: Evaluate, then: Segment, other: Segment, segment: Segment) -> Leave:
        return lambda cells: then if test(cells) else other

    def switch(self, switch: Switch, value: Evaluate, starts: Sequence[Segment], segment: Segment) -> Leave:
        default = starts[switch.default]
        table: dict[int, Segment] = {}
        ranges: list[tuple[int, int, Segment]] = []
        for target, found in ranges_by_target(switch).items():
            for low, high in found:
                if high - low < MOST_LOOKED_UP:
                    table.update((v, starts[target]) for v in range(low, high + 1))
                else:
                    ranges.append((low, high, starts[target]))
        if not ranges:
            return lambda cells: table.get(value(cells), default)

        def choose(cells: Cells) -> Segment:
            number: int = value(cells)
            found = table.get(number)
            if found is not None:
                return found
            return next((s for low, high, s in ranges if low <= number <= high), default)

        return choose
