"""Numbers that fall from abstract state to abstract state, so that no run stays where they do for ever.

What becomes of a number depends on where a machine stands: a timer counts down in one state and is set in another. So
each abstract state is asked by itself, other than in `ranking`, which has the measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final, final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.logic import temporal
from stateglass.smt import Answer, Operator, Term, needed
from stateglass.unbounded.temporal.events import Truths
from stateglass.unbounded.temporal.ranking import Measure, Ranks
from stateglass.unbounded.time import Deadline

MOST_NODES: Final = 200
"""A condition of more nodes is not worth a question."""

Place = tuple[Term, Stretch]
"""What is known in an abstract state, and a stretch that leaves it."""


@final
class Falling:
    """The measures that were found, and what they do."""

    def __init__(self, flow: Flow, time: Deadline) -> None:
        self._flow = flow
        self._time = time
        self._ranks = Ranks(flow, {}, time)
        self._known: dict[tuple[Measure, Term, int, bool], bool] = {}
        self.measures: list[Measure] = []

    @property
    def patterns(self) -> list[str]:
        """Events that no label is called: for each measure that it does not grow, and that it becomes smaller."""
        return [pattern for number in range(len(self.measures)) for pattern in _patterns(number)]

    @property
    def assumption(self) -> temporal.Formula | None:
        """What is known of all runs."""
        formulas = map(_formula, range(len(self.measures)))
        return reduce(temporal.And, formulas) if self.measures else None

    def on(self, given: Term, stretch: Stretch) -> Truths:
        """Which of the patterns a stretch is where something is known."""
        found: list[bool] = []
        for measure in self.measures:
            keeps = self._falls(measure, (given, stretch), strictly=False)
            found += [keeps, keeps and self._falls(measure, (given, stretch), strictly=True)]
        return tuple(found)

    def finds(self, loop: Sequence[Place]) -> bool:
        """Whether there is a measure now that does not grow in a loop and becomes smaller in each round."""
        for measure in self._ranks.measures([stretch for _, stretch in loop]):
            if (
                measure not in self.measures
                and all(self._falls(measure, place, strictly=False) for place in loop)
                and any(self._falls(measure, place, strictly=True) for place in loop)
            ):
                self.measures.append(measure)
                return True
        return False

    def questions(self, loop: Sequence[Place]) -> list[tuple[int, Term]]:
        """What is to be asked at rests of a loop for a measure to fall there in some of the states; nothing: no idea.

        A variable that counts down does not wrap around unless it is 0, whether or not it ever is.
        """
        for measure in self._ranks.measures([stretch for _, stretch in loop]):
            falling = [place for place in loop if self._can(measure, place, strictly=True)]
            growing = [place for place in loop if not self._falls(measure, place, strictly=False)]
            places = growing or falling[:1]
            wanted = [self._condition(measure, place, strictly=not growing) for place in places]
            if falling and None not in wanted:
                pairs = zip(places, wanted, strict=True)
                return [(stretch.source, condition) for (_, stretch), condition in pairs if condition is not None]
        return []

    def is_right(self, places: Iterable[Place]) -> bool:
        """Whether the measures do what was said of them, as another solver sees it."""
        ranks = Ranks(self._flow, {}, self._time)
        return all(
            ranks.falls(measure, stretch, given, strictly=strictly)
            for given, stretch in places
            for measure in self.measures
            for strictly in (False, True)
            if self._falls(measure, (given, stretch), strictly=strictly)
        )

    def _falls(self, measure: Measure, place: Place, *, strictly: bool) -> bool:
        given, stretch = place
        key = measure, given, stretch.number, strictly
        if key not in self._known:
            self._known[key] = self._ranks.falls(measure, stretch, given, strictly=strictly)
        return self._known[key]

    def _condition(self, measure: Measure, place: Place, *, strictly: bool) -> Term | None:
        """When a measure falls, if that is known before the stretch and can be; None if not."""
        _, stretch = place
        wanted = self._ranks.fall(measure, stretch, strictly=strictly)
        if wanted is None or not self._can(measure, place, strictly=strictly):
            return None
        nodes = needed([wanted])
        slots = {slot.term for slot in self._flow.rests[stretch.source].slots}
        speaks_of = {node for node in nodes if node.operator is Operator.VARIABLE}
        return wanted if len(nodes) <= MOST_NODES and speaks_of <= slots else None

    def _can(self, measure: Measure, place: Place, *, strictly: bool) -> bool:
        given, stretch = place
        wanted = self._ranks.fall(measure, stretch, strictly=strictly)
        return wanted is not None and self._ranks.asked(stretch, [given, wanted]) is Answer.YES


def _patterns(number: int) -> tuple[str, str]:
    return f"#kept {number}", f"#smaller {number}"


def _formula(number: int) -> temporal.Formula:
    """Runs leave the stretches on which a number does not grow again and again, or make it smaller no more."""
    kept, smaller = (temporal.Not(temporal.Happens(pattern)) for pattern in _patterns(number))
    return temporal.Or(temporal.Always(temporal.Eventually(kept)), temporal.Eventually(temporal.Always(smaller)))
