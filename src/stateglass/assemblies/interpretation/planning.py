"""Who carries out which reactions, who begins which interactions, and which reactions are to be locked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from typing import NamedTuple, final

from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.completing import Completion, completion
from stateglass.assemblies.interpretation.wiring import Place, Role, Wiring
from stateglass.design import Interaction


class Carrier(NamedTuple):
    """A thread: that of a threaded reaction, or one of the surroundings that carries out an unthreaded one."""

    role: Role
    outside: bool


class Copy(NamedTuple):
    """An unthreaded reaction as a thread carries it out; `within` are reactions that it may be in the middle of."""

    carrier: Carrier
    role: Role
    within: frozenset[Role]


class Sender(NamedTuple):
    """Who begins interactions on a sink pin: a thread by way of a source pin, or the surroundings."""

    carrier: Carrier | None
    source: Place | None


OUTSIDE = Sender(None, None)


@final
@unique
class Tracking(Enum):
    """What a program keeps of the interaction that is under way on a sink pin."""

    NOTHING = "nothing"  # it is known without
    WHETHER = "whether there is one"
    WHOSE = "whose it is"


@final
@dataclass(frozen=True)
class Plan:
    """The structure of a program for a wiring."""

    wiring: Wiring

    @cached_property
    def charts(self) -> dict[Role, Chart]:
        return {role: Chart(self.wiring.reaction(role)) for role in self.wiring.roles}

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        """The threads: one for each threaded reaction, and for each other one that the surroundings call."""
        found = []
        for role in self.wiring.roles:
            if self.wiring.reaction(role).threaded:
                found.append(Carrier(role, outside=False))
            elif any(place in self.wiring.open for place in self.wiring.pins(role, sinks=True)):
                found.append(Carrier(role, outside=True))
        return tuple(found)

    def copies(self, carrier: Carrier) -> tuple[Copy, ...]:
        """The unthreaded reactions that a thread carries out, each behind all that it calls."""
        found: dict[Copy, None] = {}
        waiting = (
            [self.first_copy(carrier)]
            if carrier.outside
            else list(self.called(carrier, carrier.role, self.around(carrier)))
        )
        while waiting:
            copy = waiting[-1]
            missing = [one for one in self.called(carrier, copy.role, self.inside(copy)) if one not in found]
            if missing:
                waiting += missing
                continue
            found[waiting.pop()] = None
        return tuple(found)

    def first_copy(self, carrier: Carrier) -> Copy:
        """What a thread of the surroundings calls."""
        return Copy(carrier, carrier.role, frozenset())

    def around(self, carrier: Carrier) -> frozenset[Role]:
        """The reaction of a thread itself, as far as it matters that the thread is in the middle of it."""
        return frozenset({carrier.role}) if self.is_cyclic else frozenset()

    def inside(self, copy: Copy) -> frozenset[Role]:
        """The reactions that a thread is in the middle of while it carries a copy out, as far as that matters."""
        return copy.within | {copy.role} if self.is_cyclic else frozenset()

    def called(self, carrier: Carrier, role: Role, within: frozenset[Role]) -> Iterator[Copy]:
        for _, _, other in self.wiring.called_by(role):
            if other not in within:
                yield Copy(carrier, other, within)

    @cached_property
    def is_cyclic(self) -> bool:
        """Whether unthreaded reactions call themselves by a detour."""
        for role in self.wiring.roles:
            seen: set[Role] = set()
            waiting = [other for _, _, other in self.wiring.called_by(role)]
            while waiting:
                other = waiting.pop()
                if other == role:
                    return True
                if other not in seen:
                    seen.add(other)
                    waiting += [further for _, _, further in self.wiring.called_by(other)]
        return False

    @cached_property
    def carried(self) -> dict[Role, tuple[Carrier, ...]]:
        """The threads that carry each reaction out."""
        found: dict[Role, dict[Carrier, None]] = {role: {} for role in self.wiring.roles}
        for carrier in self.carriers:
            for role in (carrier.role, *(copy.role for copy in self.copies(carrier))):
                found[role][carrier] = None
        return {role: tuple(carriers) for role, carriers in found.items()}

    def is_locked(self, role: Role) -> bool:
        """Whether several threads carry a reaction out."""
        return not self.wiring.reaction(role).threaded and len(self.carried[role]) > 1

    @cached_property
    def _senders(self) -> dict[Place, tuple[Sender, ...]]:
        found: dict[Place, dict[Sender, None]] = {}
        for role in self.wiring.roles:
            for source in self.wiring.begun_by(role):
                for sink in self.wiring.targets.get(source, ()):
                    for carrier in self.carried[role]:
                        if not self.waits_for_itself(carrier, sink):
                            found.setdefault(sink, {})[Sender(carrier, source)] = None
        return {sink: tuple(senders) for sink, senders in found.items()}

    def senders(self, sink: Place) -> tuple[Sender, ...]:
        """Who begins interactions on a sink pin; the surroundings are the last."""
        return (*self._senders.get(sink, ()), *((OUTSIDE,) if sink in self.wiring.open else ()))

    def waits_for_itself(self, carrier: Carrier, sink: Place) -> bool:
        """Whether a thread would be the one to receive what it begins."""
        is_synch = self.wiring.pin(sink).interaction is Interaction.SYNCH
        receiver = self.wiring.handler(sink)
        return is_synch and receiver == carrier.role and self.wiring.reaction(receiver).threaded

    def sinks(self, role: Role) -> tuple[Place, ...]:
        """The sink pins of a reaction to which anything comes, in the order of their names."""
        return tuple(sorted(p for p in self.wiring.pins(role, sinks=True) if self.senders(p)))

    @cached_property
    def completions(self) -> dict[Role, Completion]:
        return {
            role: completion(self.charts[role], [place.pin for place in self.sinks(role)]) for role in self.wiring.roles
        }

    def tracking(self, sink: Place) -> Tracking:
        """What is to be remembered of what is under way on a sink pin."""
        role = self.wiring.handler(sink)
        known = self.completions[role]
        is_synch = self.wiring.pin(sink).interaction is Interaction.SYNCH
        if not self.wiring.reaction(role).threaded and sink.pin not in known.left | known.wrong:
            return Tracking.NOTHING  # whoever carries it out knows
        if is_synch and (len(self.senders(sink)) > 1 or not self.wiring.reaction(role).threaded):
            return Tracking.WHOSE
        return Tracking.WHETHER if sink.pin in known.wrong else Tracking.NOTHING
