"""The events of a program: what each of them is called, what it means in the design, and which data it carries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, final

from stateglass.assemblies.interpretation.naming import Names
from stateglass.assemblies.interpretation.planning import Carrier, Plan, Sender
from stateglass.assemblies.interpretation.wiring import Place, Role
from stateglass.design import Parameter, Passing

BEYOND: Final = "is not among the values that are looked at"


@final
@dataclass(frozen=True, slots=True)
class Event:
    """Something that threads and processes do together, or one of them alone."""

    name: str
    mark: str  # `^`, `$`; empty: nothing of the design is seen
    places: tuple[Place, ...]  # where it is seen: a source pin, a sink pin, or both
    parameters: tuple[Parameter, ...] = ()
    told: str = ""  # what happens, if it is not seen on a pin

    @property
    def is_beyond(self) -> bool:
        """Whether it is not known what follows."""
        return self.told.endswith(BEYOND)


@final
class Events:
    """Gives each event its name; events are renamed so that no two threads begin the same one."""

    def __init__(self, plan: Plan, names: Names, thread_name: Callable[[Carrier], str]) -> None:
        self._plan = plan
        self._wiring = plan.wiring
        self._names = names
        self._thread_name = thread_name
        self._known: dict[tuple[object, ...], Event] = {}

    @property
    def active(self) -> dict[str, Carrier | None]:
        """The threads that bring about what others wait for; None: the surroundings do."""
        found: dict[str, Carrier | None] = {}
        for key, event in self._known.items():
            match key:
                case ("begin", _, Sender(carrier)):
                    found[event.name] = carrier
                case ("end", Place() as sink, Sender(), by):
                    if isinstance(by, Carrier):
                        found[event.name] = by
                    elif self._wiring.reaction(self._wiring.handler(sink)).threaded:
                        found[event.name] = Carrier(self._wiring.handler(sink), outside=False)
                case ("outside$", *_):
                    found[event.name] = None
                case _:
                    pass
        return found

    @property
    def all(self) -> tuple[Event, ...]:
        return tuple(self._known.values())

    # ---- interactions on sink pins

    def begin(self, sink: Place, sender: Sender) -> Event:
        """A `synch` interaction begins, or one that the surroundings begin."""
        return self._of(sink, sender, "^", Passing.BEGIN)

    def end(self, sink: Place, sender: Sender) -> Event:
        """It is complete."""
        return self._of(sink, sender, "$", Passing.END)

    def delivered(self, sink: Place) -> Event:
        """A queue delivers a message."""
        return self._event(("delivered", sink), ("begin", *sink), "^", (sink,), sink, Passing.BEGIN)

    def completed(self, sink: Place) -> Event:
        """What was delivered is complete."""
        return self._event(("completed", sink), ("end", *sink), "$", (sink,), sink, Passing.END)

    def put(self, source: Place, sink: Place, carrier: Carrier) -> Event:
        """A message goes to a queue; the first of several is what is seen as the beginning."""
        targets = self._wiring.targets[source]
        by = self._by(source, carrier)
        to = ("to", *sink) if len(targets) > 1 else ()
        key = ("put", source, sink, carrier)
        if sink == targets[0]:
            return self._event(key, ("send", *source, *by, *to), "^", (source,), sink, Passing.BEGIN)
        told = f"a message of {source} for {sink}"
        return self._event(key, ("send", *source, *by, *to), "", (), sink, Passing.BEGIN, told)

    def overflow(self, role: Role) -> Event:
        """A queue is full, and must not be."""
        told = f"the queue of {role} is full"
        return self._event(("overflow", role), ("overflow", *role), "", (), None, None, told)

    # ---- source pins that lead to the surroundings, or nowhere

    def begin_outside(self, source: Place, carrier: Carrier) -> Event:
        key = ("outside^", source, carrier)
        return self._event(key, ("begin", *source, *self._by(source, carrier)), "^", (source,), source, Passing.BEGIN)

    def end_outside(self, source: Place, carrier: Carrier) -> Event:
        key = ("outside$", source, carrier)
        return self._event(key, ("end", *source, *self._by(source, carrier)), "$", (source,), source, Passing.END)

    def beyond(self, carrier: Carrier, parameter: str) -> Event:
        """Data is passed that is not among the values that are looked at."""
        key, name = ("beyond", carrier, parameter), ("beyond", self._thread_name(carrier), parameter)
        return self._event(key, name, "", (), None, None, f"`{parameter}` {BEYOND}")

    # ---- locks

    def lock(self, role: Role, carrier: Carrier) -> Event:
        told = f"{role} is at rest, and called"
        return self._event(
            ("lock", role, carrier), ("lock", *role, "by", self._thread_name(carrier)), "", (), None, None, told
        )

    def unlock(self, role: Role, carrier: Carrier) -> Event:
        told = f"{role} is at rest again"
        name = ("unlock", *role, "by", self._thread_name(carrier))
        return self._event(("unlock", role, carrier), name, "", (), None, None, told)

    def _of(self, sink: Place, sender: Sender, mark: str, passing: Passing) -> Event:
        word = "begin" if mark == "^" else "end"
        senders = self._plan.senders(sink)
        parts: tuple[str, ...] = ()
        if len(senders) > 1:
            parts = ("by", self._thread_name(sender.carrier)) if sender.carrier is not None else ("by", "surroundings")
            same = [other for other in senders if other.carrier == sender.carrier]
            if len(same) > 1 and sender.source is not None:
                parts = (*parts, "from", *sender.source)
        places = (sink,) if sender.source is None else (sender.source, sink)
        return self._event((word, sink, sender), (word, *sink, *parts), mark, places, sink, passing)

    def _by(self, source: Place, carrier: Carrier) -> tuple[str, ...]:
        """What tells apart the threads that begin something on a source pin."""
        roles = [role for role in self._wiring.roles if source in self._wiring.begun_by(role)]
        everybody = dict.fromkeys(c for role in roles for c in self._plan.carried[role])
        return ("by", self._thread_name(carrier)) if len(everybody) > 1 else ()

    def _event(
        self,
        key: tuple[object, ...],
        parts: tuple[str, ...],
        mark: str,
        places: tuple[Place, ...],
        at: Place | None,
        passing: Passing | None,
        told: str = "",
    ) -> Event:
        if key not in self._known:
            parameters = () if at is None or passing is None else self._wiring.pin(at).passed(passing)
            self._known[key] = Event(self._names.new(*parts), mark, places, parameters, told)
        return self._known[key]
