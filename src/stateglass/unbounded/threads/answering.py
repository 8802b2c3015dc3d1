"""Processes as models: those that run beside threads, and those that answer the calls of one function of a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from stateglass.model import Model, ModelBuilder, Proposition, Sort
from stateglass.source import Code, InputError, Severity, input_error
from stateglass.system.fsp.actions import TAU, Action, Kind, Value, Whole
from stateglass.system.fsp.alphabet import alphabet
from stateglass.system.fsp.nodes import Constant, Process
from stateglass.system.fsp.running import State, everything, start
from stateglass.system.threads import Thread

MOST_STATES: Final = 100_000
FAILURE: Final = "error(process)"
"""What a process does that is in error."""


@final
@dataclass(frozen=True)
class Stepping:
    """The states of a process and its steps between them, by number."""

    states: tuple[State, ...]
    steps: tuple[tuple[tuple[Action, int], ...], ...]


def stepping(process: Process, arguments: Sequence[str] = ()) -> Stepping:
    """All that a process can do."""
    given: dict[str, Value] = {
        parameter.name: Whole(int(value)) for parameter, value in zip(process.parameters, arguments, strict=False)
    }
    numbers = {start(process, given): 0}
    states = list(numbers)
    steps: list[tuple[tuple[Action, int], ...]] = []
    while len(steps) < len(states):
        found: dict[tuple[Action, int], None] = {}
        for action, then in everything(states[len(steps)]):
            if then not in numbers:
                numbers[then] = len(states)
                states.append(then)
            found[action, numbers[then]] = None
        steps.append(tuple(found))
        if len(states) > MOST_STATES:
            message = f"the process `{process.name}` has more than {MOST_STATES:,} states"
            raise input_error(Code.TOO_LARGE, message, help="give its variables smaller ranges")
    return Stepping(tuple(states), tuple(steps))


def constant_events(process: Process) -> frozenset[str]:
    """The events that stand in the text of a process without a variable: it knows them whether it ever does them."""
    return frozenset(
        str(Action(Kind.EVENT, pattern.name, tuple(a.value for a in pattern.arguments if isinstance(a, Constant))))
        for pattern in alphabet(process)
        if pattern.kind is Kind.EVENT and all(isinstance(a, Constant) for a in pattern.arguments)
    )


def events_of(process: Process) -> frozenset[str]:
    """All events that a process knows."""
    done = {str(a) for steps in stepping(process).steps for a, _ in steps if a.kind is Kind.EVENT}
    return constant_events(process) | (done - {TAU})


def results_of(process: Process) -> tuple[str, ...]:
    """The values that a process returns to whoever has called it."""
    values = [a.values for steps in stepping(process).steps for a, _ in steps if a.kind is Kind.RETURN]
    return tuple(dict.fromkeys(str(value) for given in values for value in given))


def process_model(thread: Thread) -> Model:
    """A process that runs beside others, as a model."""
    assert thread.process is not None
    found = stepping(thread.process, thread.arguments)
    builder = ModelBuilder()
    for label in sorted(constant_events(thread.process)):
        builder.label(label)
    for number, steps in enumerate(found.steps):
        for action, target in steps:
            builder.add(number, str(action), target)
    return _built(builder, found, 0, _columns(thread, found))


def _columns(thread: Thread, found: Stepping) -> list[Proposition]:
    """What a process holds, if it stands for a variable."""
    if not thread.held:
        return []
    numbers = dict(thread.held)
    values = np.array([numbers[str(state.values[0])] for state in found.states], dtype=np.int64)
    is_number = all(text == str(number) for text, number in thread.held)
    is_truth = not is_number and set(numbers) <= {"true", "false"}
    sort = Sort.INT if is_number else Sort.BOOL if is_truth else Sort.ENUM
    names = () if sort is not Sort.ENUM else tuple((number, text) for text, number in thread.held)
    return [Proposition(thread.name, sort, values, names)]


def answering_model(process: Process, function: str, call: str, back: Callable[[str], str]) -> Model:
    """A process that is started anew by each call of a function: state 0 is between calls.

    `call` is the label of its calls, and `back` gives the one of a return from the value as text.
    """
    for pattern in alphabet(process):
        if pattern.kind is not Kind.EVENT and (pattern.kind is not Kind.RETURN or pattern.name not in ("", function)):
            message = f"`{process.name}` answers `{function}`: it does events and returns, and nothing else"
            help = f"write `return {{$0 == 1}}` or `return({function}, 1)`"
            raise InputError([process.finding(message, pattern.at, help, Severity.ERROR)])
    found = stepping(process)
    builder = ModelBuilder()
    builder.add(0, call, 1)
    for number, steps in enumerate(found.steps, 1):
        for action, target in steps:
            if action.kind is Kind.RETURN:
                builder.add(number, back(", ".join(map(str, action.values))), 0)
                # Where code does not look at what comes back, its model does not say it.
                builder.add(number, back(""), 0)
            else:
                builder.add(number, str(action), target + 1)
    return _built(builder, found, 1)


def _built(builder: ModelBuilder, found: Stepping, first: int, columns: Sequence[Proposition] = ()) -> Model:
    """The model, in which a process that is in error says so and has ended."""
    end = first + len(found.states)
    failed = [first + number for number, state in enumerate(found.states) if state.failed]
    for number in failed:
        builder.add(number, FAILURE, end)
    return builder.build(end + bool(failed), terminal=[end] if failed else [], propositions=columns)
