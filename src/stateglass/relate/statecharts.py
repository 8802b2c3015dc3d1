"""State diagrams in the manner of UML as models: what causes a transition, what comes of it, and what is ignored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from stateglass.model import TAU, Model, Proposition
from stateglass.model.builder import ModelBuilder
from stateglass.source import Code, input_error

_NOTE: Final = "read as a state diagram: triggers, effects, and triggers that are ignored"


def as_statechart(model: Model) -> Model:
    """Makes of each transition `trigger / effect; effect` one step after the other.

    A state ignores a trigger that it has no transition for: nothing happens, and it stays as it is. What has begun goes
    on to its end, so that there are no triggers between effects.
    """
    read = [_read(label) for label in model.labels]
    triggers = dict.fromkeys(trigger for trigger, _ in read if trigger not in ("", TAU))
    both = [effect for _, effects in read for effect in effects if effect in triggers]
    if both:
        help = "give what is received and what is sent different names"
        raise input_error(Code.USAGE, f"`{both[0]}` is both a trigger and an effect", help=help)
    builder = ModelBuilder()
    between: list[int] = []  # for each state that is added: the one that it comes from
    heard: list[set[str]] = [set() for _ in range(model.states)]
    for number, (source, action, target) in enumerate(
        zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    ):
        trigger, effects = read[action]
        heard[source].add(trigger)
        *before, last = [t for t in (trigger, *effects) if t]
        at = source
        for label in before:
            between.append(source)
            builder.add(at, label, model.states + len(between) - 1, model.span_of_transition(number))
            at = model.states + len(between) - 1
        builder.add(at, last, target, model.span_of_transition(number))
    for state in range(model.states):
        if not (model.is_terminal(state) or model.is_unexplored(state)):
            for trigger in triggers:
                if trigger not in heard[state]:
                    builder.add(state, trigger, state)
    return _built(builder, model, between)


def _read(label: str) -> tuple[str, Sequence[str]]:
    """The trigger, which may be empty, and the effects."""
    if label.strip() == TAU:
        return "", (TAU,)
    trigger, slash, behind = f" {label} ".partition(" / ")
    effects = [text for part in behind.split("; ") if (text := part.strip())]
    if slash and not effects:
        help = "a transition is `trigger / effect; effect`, `trigger` alone or `/ effect`"
        raise input_error(Code.USAGE, f"`{label.strip()}` has no effect behind its `/`", help=help)
    return trigger.strip(), effects


def _built(builder: ModelBuilder, model: Model, between: Sequence[int]) -> Model:
    rows = np.concatenate([np.arange(model.states), np.array(between, dtype=np.int64)])
    propositions: list[Proposition] = [
        replace(p, values=p.values[rows], defined=None if p.defined is None else p.defined[rows])
        for p in model.propositions
    ]
    states = range(model.states)
    return builder.build(
        model.states + len(between),
        model.initial,
        propositions=propositions,
        terminal=[s for s in states if model.is_terminal(s)],
        unexplored=[s for s in states if model.is_unexplored(s)],
        origin=replace(model.origin, history=(*model.origin.history, _NOTE)),
    )
