"""What events a thread knows: it takes part in each of them, whether it ever does it or not.

They come from its code: each call of an event function with arguments that are always the same is one event, and where
an argument may differ from run to run, all events of that name are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.explore import Manner
from stateglass.explore.stepwise import prepare
from stateglass.explore.stretches import Flow, NoFlow, Phase, Seen, Shown, flow_of
from stateglass.model import Action, Verb, parsed
from stateglass.program import Scalar, Type, is_scalar, representation
from stateglass.program.callgraph import reachable
from stateglass.smt import Operator, Term
from stateglass.system import System
from stateglass.system.threads import Threads


@final
@dataclass(frozen=True, slots=True)
class Alphabet:
    """Events by their labels, and names of which every event is meant."""

    labels: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def has(self, label: str) -> bool:
        return label in self.labels or (bool(self.names) and parsed(label).name in self.names)

    def joined(self, labels: frozenset[str]) -> Alphabet:
        return Alphabet(self.labels | labels, self.names)


@final
class Wording:
    """Writes values as labels have them."""

    def __init__(self, system: System) -> None:
        self._machine, self._environment = prepare(system, Manner())

    def event(self, shown: Shown) -> str | None:
        """The label of a call that is an event; None if it is not the same in all runs."""
        texts = [self.value(term, type) for term, type in shown.arguments]
        if any(text is None for text in texts):
            return None
        return event_label(shown.name, tuple(text for text in texts if text is not None))

    def value(self, term: Term, type: Type) -> str | None:
        """The text of a constant; None if it is none."""
        if term.operator is not Operator.VALUE or not is_scalar(type):
            return None
        return self._environment.texts.value(number_of(term.extra, type), type)


def number_of(bits: int, type: Scalar) -> int:
    """The number that bits stand for."""
    whole = representation(type)
    return bits - (1 << whole.bits) if whole.signed and bits >> (whole.bits - 1) else bits


def event_label(name: str, arguments: tuple[str, ...]) -> str:
    """`take(2)`, and `take` without arguments."""
    return str(Action(None, name, arguments))


def alphabet_of(system: System, threads: Threads) -> Alphabet | None:
    """The events in the code of a thread; None if it has code of which nothing is known for all runs at once."""
    used = reachable(system.program, [entry.function for entry in system.entries])
    events = frozenset(name for name in threads.events if name in used.externals)
    if not events:
        return Alphabet()
    try:
        flow = flow_of(system, Seen(events=True))
    except NoFlow:
        return None
    if flow.of_phase(Phase.LOST):
        return None
    return alphabet_in(flow, events, Wording(system))


def alphabet_in(flow: Flow, events: frozenset[str], wording: Wording) -> Alphabet:
    """The events of a flow that shows them."""
    labels: set[str] = set()
    names: set[str] = set()
    for stretch in flow.stretches:
        shown = stretch.action
        if shown is not None and shown.verb is Verb.CALL and shown.name in events:
            label = wording.event(shown)
            if label is None:
                names.add(shown.name)
            else:
                labels.add(label)
    return Alphabet(frozenset(labels), frozenset(names))
