"""Whether a component by itself can do whatever its code does: weak simulation, with a run where it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.assemblies.consistency.labels import Renamed
from stateglass.model import TAU, Model, Relation
from stateglass.operations.both_models import Models
from stateglass.operations.comparing import Comparison, compare_models
from stateglass.relate import Side
from stateglass.work import Progress, silent

RELATION: Final = "weaksimulation"
NAMES: Final = ("the code", "the design")


@final
@dataclass(frozen=True)
class Simulated:
    """Whether the component can do whatever the code does."""

    related: bool | None
    reason: str = ""  # why it is not known
    run: tuple[tuple[str, str], ...] = ()  # what only the code does: in the words of the design, and of the code
    ending: str = ""  # what happens at the end of it
    allowed: tuple[str, ...] = ()  # what the component does instead of the last step
    code: Model | None = None
    design: Model | None = None


def simulated(models: Models, progress: Progress = silent) -> Simulated:
    """Whether the design simulates the code."""
    design = models.of_design
    if isinstance(design, str):
        return Simulated(None, design)
    code = models.of_code
    if isinstance(code, str):
        return Simulated(None, code)
    return replace(_compared(models.renaming.of_code(code), design, progress), code=code, design=design)


def _compared(code: Renamed, design: Model, progress: Progress) -> Simulated:
    if code.strange:
        said = f"the data in `{code.strange[0]}` is not that of a pin"
        return Simulated(None, said)
    if code.model.origin.relation is not Relation.EXACT and not code.model.partial:
        return Simulated(None, "the model of the code is not exact")
    found = compare_models(code.model, design, RELATION, names=NAMES, progress=progress)
    if found.related is not False:
        return Simulated(found.related, found.reason)
    return _difference(found, code, design)


def _difference(found: Comparison, code: Renamed, design: Model) -> Simulated:
    trace = found.trace
    if trace is None or trace.of is not Side.FIRST:
        return Simulated(False, "every run of the code is one of the design, which decides earlier what follows")
    run = tuple((label, code.meaning.get(label, label)) for label in trace.labels)
    before = trace.labels if trace.ending else trace.labels[:-1]
    return Simulated(False, run=run, ending=trace.ending, allowed=after(design, before))


def after(model: Model, labels: Sequence[str]) -> tuple[str, ...]:
    """What a model can do next when it has done this, whatever is silent aside."""
    silent = [number for number, label in enumerate(model.labels) if label == TAU]
    states = {int(model.initial)}
    for label in (*labels, None):
        waiting = list(states)
        while waiting:
            at = waiting.pop()
            for action, target in _steps(model, at):
                if action in silent and target not in states:
                    states.add(target)
                    waiting.append(target)
        if label is None:
            return tuple(sorted({model.labels[a] for s in states for a, _ in _steps(model, s) if a not in silent}))
        states = {target for state in states for a, target in _steps(model, state) if model.labels[a] == label}
    raise AssertionError


def _steps(model: Model, state: int) -> Iterator[tuple[int, int]]:
    for at in range(int(model.first[state]), int(model.first[state + 1])):
        yield int(model.actions[at]), int(model.targets[at])
