"""The calls of a function in a model of an object: from where, with which data, and how each may end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import final

import numpy as np

from stateglass.assemblies.consistency.labels import data_in
from stateglass.evidence import Witness
from stateglass.model import STABLE, Model, Sort, parsed
from stateglass.model.model import Flags


@final
@unique
class Ending(Enum):
    """How a call ends."""

    REST = "rest"  # the object can be called again
    ERROR = "error"
    EXIT = "exit"  # everything has ended
    UNKNOWN = "unknown"  # what follows was not looked at, or the call does not end


@final
@dataclass(frozen=True, slots=True)
class End:
    """One way in which a call ends, the state of the model that it ends in, and the last transition on the way."""

    ending: Ending
    state: int
    last: int


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A call in a state that is between calls."""

    before: int
    data: tuple[int, ...]
    transition: int  # with which it begins
    ends: tuple[End, ...]


@final
class Calls:
    """Finds calls; `between` are the states in which one may begin."""

    def __init__(self, model: Model, between: Flags) -> None:
        self.model = model
        self._between = between
        self._ends: dict[int, tuple[End, ...]] = {}
        self._kinds = [_ending_of(label) for label in model.labels]

    def of(self, labels: Mapping[int, tuple[int, ...]]) -> Iterator[Call]:
        """All calls that begin with some labels, by their numbers; each label brings data."""
        model = self.model
        begins = self._between[model.sources] & np.isin(model.actions, np.array(list(labels), dtype=np.int32))
        for at in map(int, np.flatnonzero(begins)):
            entry = int(model.targets[at])
            if entry not in self._ends:
                self._ends[entry] = tuple(self._followed(entry, {}))
            yield Call(int(model.sources[at]), labels[int(model.actions[at])], at, self._ends[entry])

    def witness(self, call: Call, end: End, parameters: tuple[str, ...]) -> Witness:
        """A call as it is told: values before, what it changes, and the lines of what is seen of it."""
        model = self.model
        before, after = self._values(call.before), self._values(end.state)
        arguments = parsed(model.labels[int(model.actions[call.transition])]).arguments
        brought = zip(parameters, data_in(arguments), strict=True)
        way = self._way(call, end)
        places = [span for at in way if (span := model.span_of_transition(at)) is not None and span.line]
        error = parsed(model.labels[int(model.actions[end.last])]).error_kind or ""
        return Witness(
            (*before.items(), *brought),
            tuple((name, value) for name, value in after.items() if before.get(name) != value) if not error else (),
            tuple(dict.fromkeys((span.file, span.line) for span in places if not span.file.startswith("<"))),
            error,
            places[-1] if error and places else None,
        )

    def _values(self, state: int) -> dict[str, str]:
        """What an object holds, but for where other objects are."""
        shown = (p for p in self.model.propositions if p.name != STABLE and p.sort is not Sort.POINTER)
        return {p.name: p.text(state) for p in shown}

    def _way(self, call: Call, end: End) -> list[int]:
        """The transitions that lead to an end."""
        entry = int(self.model.targets[call.transition])
        came: dict[int, int] = {}
        self._followed(entry, came)
        found = [end.last]
        while (state := int(self.model.sources[found[-1]])) != entry:
            found.append(came[state])
        return [call.transition, *reversed(found)]

    def _followed(self, entry: int, came: dict[int, int]) -> list[End]:
        """How a call may end that has just begun; `came` is told by which transition each state is met first."""
        model, waiting, found = self.model, [entry], dict[End, None]()
        for state in waiting:
            if model.is_unexplored(state):
                found[End(Ending.UNKNOWN, state, -1)] = None
            for at in range(int(model.first[state]), int(model.first[state + 1])):
                target = int(model.targets[at])
                if model.is_terminal(target):
                    found[End(self._kinds[int(model.actions[at])], target, at)] = None
                elif target not in came and target != entry:
                    came[target] = at
                    if self._between[target]:
                        found[End(Ending.REST, target, at)] = None
                    else:
                        waiting.append(target)
        return list(found) or [End(Ending.UNKNOWN, entry, -1)]


def _ending_of(label: str) -> Ending:
    """How everything ends that ends with a label."""
    return Ending.ERROR if parsed(label).is_error else Ending.EXIT
