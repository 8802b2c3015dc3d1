"""A process as a model: all that may happen between it and surroundings that do whatever it accepts."""

from __future__ import annotations

from typing import Final

from stateglass.model import Model, ModelBuilder, Origin, Relation
from stateglass.source import counted
from stateglass.system.fsp.nodes import Process
from stateglass.system.fsp.running import State, everything, start

FAILURE: Final = "error(process)"
"""What a process does that is in error; nothing follows."""
MOST_STATES: Final = 100_000


def model_of(process: Process, most_states: int = MOST_STATES, files: tuple[str, ...] = ()) -> Model:
    """The states in the order in which they are found; with more than `most_states` the model is partial."""
    first = start(process)
    numbers: dict[State | None, int] = {first: 0}
    states: list[State | None] = [first]
    builder = ModelBuilder()
    unexplored: list[int] = []
    number = 0
    while number < len(states):
        state = states[number]
        if len(states) > most_states:
            unexplored.append(number)
        elif state is not None:
            outgoing = [(str(action), then) for action, then in everything(state)]
            # After an error there is one state, in which the process has ended.
            for label, then in [(FAILURE, None)] if state.failed else outgoing:
                if then not in numbers:
                    numbers[then] = len(states)
                    states.append(then)
                builder.add(number, label, numbers[then])
        number += 1
    partial = (f"the search stopped at {counted(most_states, 'state')}",) if unexplored else ()
    origin = Origin(
        relation=Relation.UNDER if partial else Relation.EXACT,
        subject=process.name,
        files=files,
        partial=partial,
        history=tuple(f"{process.name}: {warning.message}" for warning in process.warnings),
    )
    ended = [numbers[None]] if None in numbers else []
    return builder.build(len(states), terminal=ended, unexplored=unexplored, origin=origin)
