"""A run of a design as messages between its instances, with states, values and queues beside whom they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, final

from stateglass.assemblies.condensing import Condensed
from stateglass.assemblies.interpretation.events import Event
from stateglass.assemblies.telling import QUEUE_OF, Telling
from stateglass.design import Interaction
from stateglass.evidence import Path, Step
from stateglass.model import TAU, is_error, parsed
from stateglass.views.claims.sequence import RowKind, Sequence
from stateglass.views.designs import Happening, run_diagram

SURROUNDINGS: Final = "the surroundings"


def lifelines(telling: Telling, found: Path, told: Path, shown: Condensed) -> Sequence:
    """The diagram of a run: `found` is that of the program, `told` the same in words of the design.

    Rows have the numbers of the steps in `shown`.
    """
    return _Following(telling).run(found, told, shown)


@final
class _Following:
    """Goes along a run, and knows who was the last to do something."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._wiring = telling.interpretation.wiring
        self._last: str | None = None

    def run(self, found: Path, told: Path, shown: Condensed) -> Sequence:
        rows: list[Happening] = []
        loop = None
        for number, (step, group) in enumerate(zip(shown.path.steps, shown.groups, strict=True)):
            if number == shown.path.loop_start:
                loop = len(rows)
            together = [row for one in group for row in self._rows(found.steps[one], told.steps[one])]
            # A step has one number, whatever comes of it.
            rows += (replace(row, number=0 if at else number + 1, step=step) for at, row in enumerate(together))
        lanes = [SURROUNDINGS, *(self._lane(unit.name) for unit in self._wiring.units)]
        return run_diagram(rows, lanes=lanes, loop=None if loop == len(rows) else loop)

    def _lane(self, unit: str | None) -> str:
        return SURROUNDINGS if unit is None else unit or self._wiring.name

    def _rows(self, raw: Step, step: Step) -> Iterator[Happening]:
        """What a step shows: one thing that happens, and changes of others than its receiver in rows of their own."""
        changes: dict[str, list[str]] = {}
        for name, value in step.changes:
            lane, own = self._owner(name)
            changes.setdefault(lane, []).append(f"{own} = {value}")
        kind, sender, receiver, text = self._happens(raw, step, next(iter(changes), ""))
        if text:
            yield Happening(kind, sender, receiver, text, tuple(changes.pop(receiver, ())))
        for lane, texts in changes.items():
            yield Happening(RowKind.INSIDE, lane, lane, "", tuple(texts))

    def _happens(self, raw: Step, step: Step, changed: str) -> tuple[RowKind, str, str, str]:
        """What happens, from whom to whom; without a text, nothing that anybody sees."""
        action = parsed(raw.action)
        event = self._telling.interpretation.events.get(action.name) if action.verb is None else None
        if event is not None and (event.places or event.is_beyond):
            sender, receiver = map(self._lane, event.ends)
            text = event.told if event.is_beyond else self._telling.spoken(event, action.arguments)
            return self._kind(event), sender, receiver, text
        if event is not None and event.ends[1] is not None:
            self._last = self._lane(event.ends[1])
        doer = self._telling.doer(raw.span)
        here = changed or (self._lane(doer) if doer is not None else self._last or self._wiring.name)
        kind = RowKind.ALARM if is_error(step.action) else RowKind.INSIDE
        return kind, here, here, "" if step.action == TAU else step.action

    def _kind(self, event: Event) -> RowKind:
        if event.is_beyond:
            return RowKind.ALARM
        asynchronous = self._wiring.pin(event.places[0]).interaction is Interaction.ASYNCH
        if event.ends[0] == event.ends[1]:
            return RowKind.INSIDE
        if event.mark == "$":
            return RowKind.RETURN
        return RowKind.SEND if asynchronous else RowKind.CALL

    def _owner(self, name: str) -> tuple[str, str]:
        """Whose value has a name, and what it is called there."""
        word = QUEUE_OF if name.startswith(QUEUE_OF) else ""
        unit, _, own = name.removeprefix(word).partition(".")
        if self._wiring.is_assembly and unit in self._wiring.by_name:
            return self._lane(unit), word + own
        return self._wiring.name, name
