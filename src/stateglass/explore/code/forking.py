"""Control on abstract values: a branch or a switch may go several ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from stateglass.explore.cells.contents import Cells
from stateglass.explore.cells.vague import decision, is_vague
from stateglass.explore.code.activations import Leave, Segment, Way
from stateglass.explore.code.computations import Evaluate
from stateglass.explore.code.deciding import Deciding
from stateglass.explore.code.evaluator import Evaluator
from stateglass.explore.code.learning import Learning, covered, overlaps
from stateglass.explore.meaning.statements import ranges_by_target
from stateglass.model import TAU
from stateglass.program import Expression, Switch

if TYPE_CHECKING:
    from stateglass.explore.machine import Machine


@final
class Forking:
    """Builds, for one activation, the ends of segments that can be left in several ways."""

    def __init__(self, machine: Machine, evaluator: Evaluator) -> None:
        self._machine = machine
        self._learning = Learning(evaluator, machine.memory)
        self._exactly = Deciding()

    def branch(self, condition: Expression, test: Evaluate, then: Segment, other: Segment, segment: Segment) -> Leave:
        machine, decide = self._machine, decision(self._machine.domain.decide)
        segment.ways = {
            number: Way(self._learning.outcome(condition, bool(number)), always(to))
            for number, to in ((1, then), (0, other))
        }

        def fork(cells: Cells) -> Segment | None:
            outcome = decide(test(cells))
            if outcome is None:
                return machine.choose(segment, ((TAU, 1), (TAU, 0)))
            return then if outcome else other

        return fork

    def switch(self, switch: Switch, value: Evaluate, starts: Sequence[Segment], segment: Segment) -> Leave:
        machine, type, learning = self._machine, switch.value.type, self._learning
        exactly = self._exactly.switch(switch, value, starts, segment)
        targets_of = ranges_by_target(switch)
        listed = [r for ranges in targets_of.values() for r in ranges]
        segment.ways = {
            target: Way(learning.within(switch.value, ranges), always(starts[target]))
            for target, ranges in targets_of.items()
        }
        default = switch.default
        learned = certain if default in targets_of else learning.outside(switch.value, listed)
        segment.ways[default] = Way(learned, always(starts[default]))

        def choose(cells: Cells) -> Segment | None:
            found = value(cells)
            if not is_vague(found):
                return exactly(cells)
            ways = [t for t, ranges in targets_of.items() if any(overlaps(found, *r, type) for r in ranges)]
            if default not in ways and not covered(found, listed, type):
                ways.append(default)
            return machine.choose(segment, tuple((TAU, way) for way in ways))

        return choose


def certain(cells: Cells) -> bool:
    """Going a way that tells nothing."""
    return True


def always(segment: Segment) -> Leave:
    """A way that leads to one segment."""
    return lambda cells: segment
