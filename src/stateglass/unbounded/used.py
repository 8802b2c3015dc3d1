"""What a run needs of inputs that may be anything: bounds with the values that they have in it."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence

from stateglass.explore.stretches import Flow
from stateglass.program import Float, Scalar, representation
from stateglass.system import Argument, Choice, Contents, Handed, Pointed, System
from stateglass.system.concrete import numbers_in
from stateglass.unbounded.choices import Chooses, done_on
from stateglass.unbounded.results import Walk


def bounds_used(system: System, flow: Flow, walk: Walk) -> tuple[tuple[str, str], ...]:
    """For each input that may be anything, a bound with the values it has on a walk; none if a bound cannot say it."""
    values: dict[str, dict[int, None]] = {}
    for done in done_on(flow, walk):
        for one in done:
            if isinstance(one, Chooses):
                values.setdefault(one.name, {})[one.value] = None
    return bounds_for(system, {name: list(found) for name, found in values.items()})


def bounds_shown(system: System, actions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The same where only the actions of a run are known: every input may have any number that they show."""
    numbers = (0, *numbers_in(actions))
    fitting = {
        choice.name: [n for n in numbers if representation(choice.type).low <= n <= representation(choice.type).high]
        for choice in open_choices(system)
    }
    return bounds_for(system, {name: list(dict.fromkeys(found)) for name, found in fitting.items()})


def bounds_for(system: System, values: Mapping[str, Sequence[int]]) -> tuple[tuple[str, str], ...]:
    """The bounds for values of inputs by name; what was never asked for is 0."""
    found: list[tuple[str, str]] = []
    for choice in open_choices(system):
        texts = [_text(value, choice.type) for value in values.get(choice.name) or [0]]
        if not all(texts):
            return ()
        found.append((choice.name, f"{{{', '.join(texts)}}}"))
    return tuple(dict.fromkeys(found))


def _text(value: int, type: Scalar) -> str:
    """A value as bounds write it; empty if they cannot."""
    if not isinstance(type, Float):
        return str(value)
    number = struct.unpack("<f" if type.size == 4 else "<d", value.to_bytes(8, "little")[: type.size])[0]
    return repr(number) if math.isfinite(number) and type.size <= 8 and "e" not in repr(number) else ""


def open_choices(system: System) -> Iterator[Choice]:
    """What the environment chooses of all values that a type has."""
    for choice in _choices(system):
        if isinstance(choice, Choice) and choice.anything:
            yield choice


def _choices(system: System) -> Iterator[Choice | Contents | Handed | None]:
    entries = (*system.entries, *(() if system.init is None else (system.init,)))
    yield from _of_arguments(argument for entry in entries for argument in entry.arguments)
    for external in system.externals.values():
        yield external.result
        yield from (write.choice for write in external.writes)
    yield from system.volatile.values()
    yield from (variable.choice for variable in system.inputs)


def _of_arguments(arguments: Iterable[Argument]) -> Iterator[Choice | None]:
    for argument in arguments:
        if isinstance(argument, Choice):
            yield argument
        elif isinstance(argument, Pointed):
            yield argument.content
