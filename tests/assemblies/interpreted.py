"""What the interpretation of a design can do as a model, with the simulator's names for events and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from stateglass.assemblies.errors import error_of_design
from stateglass.assemblies.interpretation.interpreting import Interpretation, Said, interpreted
from stateglass.assemblies.interpretation.wiring import wiring_of
from stateglass.design import Design
from stateglass.explore import Manner
from stateglass.model import TAU, Model, Proposition, Sort, parsed
from stateglass.model.builder import canonical_order
from stateglass.operations.assembling import read
from stateglass.operations.designs import of_what_can_run, scheduling_of
from stateglass.options import ExtractOptions
from stateglass.system.threads import read_threads
from stateglass.unbounded.threads.explicit import Explorer, explored
from stateglass.unbounded.threads.scheduling import scheduled
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.work import silent

MOST_STATES: Final = 200_000


class TooMany(Exception):
    """Limits were reached before everything was seen."""


def interpreted_model(
    design: Design, name: str, folder: Path, *, of_sinks: bool, watched: bool, by_priority: bool = False
) -> Model:
    """The model with events as sink pins have them, or as source pins do; `watched`: with values of variables."""
    found = of_what_can_run(interpreted(wiring_of(design, name), Said()))
    file = folder / "interpreted.c"
    file.write_text(found.text, encoding="utf-8")
    program = read(ExtractOptions(files=(str(file),))).program
    setting = replace(Setting.of(program, read_threads(program, found.asked), found.bounds), spare=True)
    asked = [*found.variables, *(state for state, _ in found.states.values())] if watched else []
    manner = Manner(max_states=MOST_STATES, timeout=60, every_step=by_priority)
    if by_priority:
        explorer = Explorer(setting.threads, thread_systems(setting, open=False), silent)
        ready = explorer.ready(manner, asked, partly=False)
        if ready is None:
            raise TooMany
        urgent = scheduled(ready.team, scheduling_of(found), ready.aliases, MOST_STATES, silent).model
        if urgent.partial:
            raise TooMany
        return _renamed(urgent, found, of_sinks=of_sinks)
    whole = explored(setting.threads, thread_systems(setting, open=False), manner, asked, silent, partly=False)
    if whole is None:
        raise TooMany
    return _renamed(whole.composition.model, found, of_sinks=of_sinks)


def _renamed(model: Model, found: Interpretation, *, of_sinks: bool) -> Model:
    called = renamed(model, lambda label: _label(label, found, of_sinks=of_sinks))
    return replace(called, propositions=tuple(_propositions(model.propositions, found)))


def renamed(model: Model, name: Callable[[str], str]) -> Model:
    """The same model with other labels; several may become one."""
    texts = [name(label) for label in model.labels]
    labels = tuple(dict.fromkeys(texts))
    numbers = np.array([labels.index(text) for text in texts], dtype=np.int32)
    actions = numbers[model.actions] if model.transitions else model.actions
    order = canonical_order(model.sources, actions, model.targets)
    return replace(
        model,
        labels=labels,
        sources=model.sources[order],
        actions=actions[order],
        targets=model.targets[order],
        transition_spans=None,
    )


def _label(label: str, found: Interpretation, *, of_sinks: bool) -> str:
    action = parsed(label)
    if action.is_error:
        return error_of_design(label)
    event = found.events.get(action.name)
    if event is None or not event.mark:
        return TAU
    place = next((one for one in event.places if _pin(found, one.unit, one.pin) is of_sinks), None)
    if place is None:
        return TAU
    owner = f"{place.unit}." if place.unit else ""
    data = f"({', '.join(action.arguments)})" if action.arguments else ""
    return f"{owner}{event.mark}{place.pin}{data}"


def _pin(found: Interpretation, unit: str, name: str) -> bool:
    pin = found.wiring.by_name[unit].component.pin(name)
    assert pin is not None
    return pin.is_sink


def _propositions(own: Sequence[Proposition], found: Interpretation) -> list[Proposition]:
    names = {name: variable.design for name, variable in found.variables.items()}
    states = {
        name: (".".join(part for part in (role.unit, role.reaction, "state") if part), texts)
        for role, (name, texts) in found.states.items()
    }
    renamed = []
    for one in own:
        if one.name in names:
            renamed.append(replace(one, name=names[one.name]))
        elif one.name in states:
            name, texts = states[one.name]
            renamed.append(replace(one, name=name, sort=Sort.ENUM, names=tuple(enumerate(texts))))
    return renamed
