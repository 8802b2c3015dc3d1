"""A run of threads is followed again, thread by thread, on the reference semantics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.evidence import Path, Step
from stateglass.explore import Manner
from stateglass.explore.stepwise import EXACTLY, Failure, Retracing, Wanted
from stateglass.model import STABLE, Model
from stateglass.source import Span
from stateglass.system import System
from stateglass.unbounded.threads.composing import Composition
from stateglass.unbounded.threads.parts import Part, Row


@final
@dataclass(frozen=True)
class Taken:
    """What parts do in a run of the whole: the transitions that each step consists of, by part."""

    rows: Sequence[Mapping[int, Row]]
    loop: int | None = None  # the first step that is repeated for ever

    def of(self, part: int) -> tuple[list[Row], int | None]:
        """The transitions of a part, and the first one that is repeated; None: none is."""
        own = [(number, taken[part]) for number, taken in enumerate(self.rows) if part in taken]
        again = None if self.loop is None else sum(number < self.loop for number, _ in own)
        return [row for _, row in own], again if again is not None and again < len(own) else None


@final
class Projection:
    """What each part does in a run of the whole, and where that stands."""

    def __init__(self, composition: Composition, path: Path) -> None:
        self._composition = composition
        rows = [composition.taken(s.source, s.action, s.target) for s in path.steps]
        self.taken = Taken(rows, path.loop_start)

    def span(self, step: int) -> Span | None:
        """Where the code of the first thread stands that takes part in a step."""
        for part, row in sorted(self.taken.rows[step].items()):
            model = self._composition.team.parts[part].model
            found = _span(model, row)
            if found is not None:
                return found
        return None

    def by(self, step: int) -> tuple[str, ...]:
        """The threads and processes that take part in a step; what holds a variable for others is none of them."""
        team = self._composition.team
        threads = [team.threads.threads[team.parts[part].thread] for part in sorted(self.taken.rows[step])]
        return tuple(dict.fromkeys(thread.name for thread in threads if not thread.held))

    def told(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Steps with their places in the source, and who takes part in them."""
        return tuple(replace(step, span=self.span(n), by=self.by(n)) for n, step in enumerate(steps))


def followed(
    composition: Composition, path: Path, systems: Sequence[System | None], manners: Sequence[Manner]
) -> Failure | None:
    """Why a run cannot be executed again; None if each thread can do its part of it, step by step."""
    projection = Projection(composition, path)
    for number, part in enumerate(composition.team.parts):
        system = systems[part.thread]
        if not part.is_code or system is None:
            continue
        found = Retracing(system, manners[part.thread]).follow(_wanted(part, *projection.taken.of(number)), EXACTLY)
        if isinstance(found, Failure):
            name = composition.team.threads.threads[part.thread].name
            return replace(found, reason=f"`{name}` could not be followed after {found.followed} steps: {found.reason}")
    return None


def _wanted(part: Part, rows: Sequence[Row], again: int | None) -> Wanted:
    steps = [(action, _values(part.model, state)) for action, state in part.begun]
    loop_start = None
    for number, row in enumerate(rows):
        if number == again:
            loop_start = len(steps)
        steps += [(action, _values(part.model, state)) for action, state in part.steps(row)]
    return Wanted(tuple(steps), {}, loop_start)


def _values(model: Model, state: int) -> dict[str, str]:
    return {name: text for name, text in model.valuation(state).items() if name != STABLE}


def _span(model: Model, row: Row) -> Span | None:
    source, label, target = row
    for transition in range(int(model.first[source]), int(model.first[source + 1])):
        if model.targets[transition] == target and model.labels[model.actions[transition]] == label:
            return model.span_of_transition(transition)
    return None
