"""All that a system can do, as a model: its events are labels, its variables and states are propositions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stateglass.design import START
from stateglass.model import TAU, Model, ModelBuilder, Proposition, Sort
from tests.assemblies.arithmetic import BOOL
from tests.assemblies.simulator import Event, Simulator, State
from tests.assemblies.systems import System

MOST_STATES: Final = 20_000


class TooLarge(Exception):
    """There are more states than are wanted."""


def every(event: Event) -> bool:
    return True


def model(
    system: System,
    *,
    shown: Callable[[Event], bool] = every,
    watched: bool = True,
    scheduled: bool = False,
    most: int = MOST_STATES,
) -> Model:
    """The model of a system, with the events that are to be shown; others are silent."""
    simulator = Simulator(system, watched=watched, scheduled=scheduled)
    initial = simulator.initial()
    numbers, states, builder = {initial: 0}, [initial], ModelBuilder()
    for number, state in enumerate(states):  # grows meanwhile
        for events, following in simulator.steps(state):
            target = numbers.setdefault(following, len(states))
            if target == len(states):
                states.append(following)
                if target >= most:
                    raise TooLarge
            seen = [str(event) for event in events if not event.mark or shown(event)]
            builder.add(number, "|".join(seen) or TAU, target)
    ended = [number for number, state in enumerate(states) if state.error]
    return builder.build(len(states), propositions=_propositions(system, states) if watched else (), terminal=ended)


def _propositions(system: System, states: Sequence[State]) -> list[Proposition]:
    found = []
    for column, (name, kind, _) in enumerate(system.variables):
        values = np.array([state.values[column] for state in states], dtype=np.int64)
        found.append(Proposition(name, Sort.BOOL if kind is BOOL else Sort.INT, values))
    for column, running in enumerate(system.reactions):
        names = [START, *dict.fromkeys(end for one in running.reaction.transitions for end in (one.source, one.target))]
        names = list(dict.fromkeys([*names, *(state.name for state in running.reaction.states)]))
        values = np.array([names.index(state.reactions[column].state) for state in states], dtype=np.int64)
        name = ".".join(part for part in (running.instance, running.reaction.name, "state") if part)
        found.append(Proposition(name, Sort.ENUM, values, tuple(enumerate(names))))
    return found
