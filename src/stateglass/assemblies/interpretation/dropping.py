"""What stands in the code of a thread and is dropped when that is read, such as what follows `if (0)`.

A thread knows the events of the code that is left. Those of what is dropped never happen, but their other ends would
take them for their own: so there is a process that knows them, and does none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.assemblies.interpretation.program import Draft
from stateglass.assemblies.interpretation.queues import Carried, Queue


@final
@dataclass(frozen=True, slots=True)
class Written:
    """The events that stand in the code of threads."""

    process: str  # a name for who refuses some of them
    functions: Mapping[str, frozenset[str]]  # by thread: those without a body that it calls
    events: Mapping[str, tuple[Carried, ...]]  # by function

    def dropped(self, called: Mapping[str, Collection[str]]) -> tuple[Carried, ...]:
        """The events that are left in no code of a thread that has them, if its code calls no other functions."""
        found: dict[Carried, None] = {}
        for thread, functions in self.functions.items():
            left = {event for function in functions & {*called[thread]} for event, _ in self.events.get(function, ())}
            for function in sorted(functions):
                found |= {one: None for one in self.events.get(function, ()) if one[0] not in left}
        return tuple(found)


def events_of(draft: Draft, queues: Sequence[Queue]) -> dict[str, tuple[Carried, ...]]:
    """The events of each function that stands for any, as far as others know them."""
    known = {event: data for options in draft.options.values() for event, data, _ in options} | draft.offered
    known |= {put: kind.data for queue in queues for kind in queue.kinds for put in kind.puts}
    found: dict[str, tuple[Carried, ...]] = {
        event: ((event, known[event]),) for event in draft.events if event in known
    }
    for what, function in draft.called_for.items():
        options = draft.options.get(function)
        found[function] = ((what[0], ()),) if options is None else tuple((event, data) for event, data, _ in options)
    return found
