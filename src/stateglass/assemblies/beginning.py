"""Runs of designs from where they begin: engines may leave out what is done silently before anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from stateglass.evidence import Path, Step
from stateglass.model import TAU, Model, Proposition
from stateglass.model.model import Flags, Ints


def begun(path: Path, model: Model, first: Mapping[str, int]) -> tuple[Path, Model]:
    """The run, and the model, with one more silent step if values at the beginning are not those in `first`."""
    later = model.valuation(path.start)
    begins = tuple(_one_more(own, path.start, first.get(own.name)) for own in model.propositions)
    changes = tuple((p.name, later[p.name]) for p in begins if p.name in first and p.text(-1) != later[p.name])
    if not changes:
        return path, model
    step = Step(model.states, path.start, TAU, changes)
    loop = None if path.loop_start is None else path.loop_start + 1
    # Of a run that does nothing it is enough to know where it begins.
    whole = replace(path, start=step.source, steps=(step, *path.steps) if path.steps else (), loop_start=loop)
    return whole, _with_step(replace(model, propositions=()), step, begins)


def _one_more(own: Proposition, state: int, value: int | None) -> Proposition:
    """A value with that in one more state: a new one, or the same as in another state."""
    number = own.values[state] if value is None else value
    is_defined = value is not None or own.defined is None or own.defined[state]
    defined = None if own.defined is None else np.append(own.defined, is_defined)
    return replace(own, values=np.append(own.values, np.array([number], own.values.dtype)), defined=defined)


def _with_step(model: Model, step: Step, propositions: tuple[Proposition, ...]) -> Model:
    """A model with one more state, the first one, and a step from there."""
    labels = model.labels if TAU in model.labels else (*model.labels, TAU)
    return replace(
        model,
        states=model.states + 1,
        initial=step.source,
        sources=_and(model.sources, step.source),
        actions=_and(model.actions, labels.index(TAU)),
        targets=_and(model.targets, step.target),
        labels=labels,
        propositions=propositions,
        terminal=_and_no(model.terminal),
        unexplored=_and_no(model.unexplored),
        state_spans=None if model.state_spans is None else _and(model.state_spans, -1),
        transition_spans=None if model.transition_spans is None else _and(model.transition_spans, -1),
    )


def _and(numbers: Ints, number: int) -> Ints:
    return np.append(numbers, np.int32(number)).astype(np.int32)


def _and_no(flags: Flags | None) -> Flags | None:
    return None if flags is None else np.append(flags, False)
