"""Queues, locks, and who refuses events, as processes in FSP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.assemblies.interpretation.values import Coding, Values, offers
from stateglass.design import WhenFull
from stateglass.source import Code, Diagnostic, Span

Carried = tuple[str, tuple[Values, ...]]
"""An event, and the data that those know who take it."""

MOST_STATES: Final = 60_000
"""A queue that may be in more states than this is refused."""


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """The messages for one sink pin: who puts them, how they are delivered, and how urgent they are."""

    pin: str
    puts: tuple[str, ...]
    delivered: str
    data: tuple[Values, ...]
    priority: int | None = None  # the smallest number goes first; without one, a pin is last


@final
@dataclass(frozen=True, slots=True)
class Queue:
    """The queue of a reaction."""

    process: str
    reaction: str  # as the design has it
    room: int
    full: WhenFull
    kinds: tuple[Kind, ...]
    overflow: str  # the event after which a full queue is an error

    @property
    def _urgent(self) -> list[tuple[Kind, Coding]]:
        """Kinds with the numbers of their messages from 1 on, the most urgent ones first."""
        found, first = [], 1
        for kind in sorted(self.kinds, key=lambda kind: (kind.priority is None, kind.priority or 0)):
            coding = Coding(first, kind.data)
            found.append((kind, coding))
            first = coding.last + 1
        return found

    @property
    def most_states(self) -> int:
        messages = sum(coding.count for _, coding in self._urgent)
        return sum(messages**length for length in range(self.room + 1))

    def problem(self, span: Span) -> Diagnostic | None:
        """Why it is too large; None if it is not."""
        if self.most_states <= MOST_STATES:
            return None
        message = f"the queue of `{self.reaction}` may hold {self.most_states:,} sequences of messages"
        return Diagnostic(
            Code.TOO_LARGE, message, span, help="give data fewer values, or the queue less room: --queue 2"
        )

    def messages(self) -> dict[int, tuple[str, Values]]:
        """Pins and data by the numbers of messages."""
        return {number: (kind.pin, row) for kind, coding in self._urgent for number, row in coding.rows()}

    def text(self) -> str:
        """The process. Its places hold messages from the next one on; 0 is no message."""
        places = [f"a{number}" for number in range(1, self.room + 1)]
        last = self._urgent[-1][1].last
        head = "".join(f"[{place}:0..{last}]" for place in places)
        options = [option for kind, coding in self._urgent for option in self._options(kind, coding, places)]
        start = "[0]" * self.room
        body = "\n        | ".join(options)
        return f"{self.process} = QUEUE{start},\nQUEUE{head} = (\n          {body})."

    def _options(self, kind: Kind, coding: Coding, places: Sequence[str]) -> Iterator[str]:
        yield from self._delivering(kind, coding, places)
        for put in kind.puts:
            for condition, slots in self._places_for(kind, places):
                state = "QUEUE" + "".join(f"[{slot}]" for slot in slots)
                for offer in offers(put, kind.data, coding, state):
                    yield f"when ({condition}) {offer}"
            full = f"when ({places[-1]} > 0)"
            same = "QUEUE" + "".join(f"[{place}]" for place in places)
            for offer in offers(
                put, kind.data, coding, same if self.full is WhenFull.DISCARD else f"{self.overflow} -> ERROR"
            ):
                if self.full is not WhenFull.BLOCK:
                    yield f"{full} {offer}"

    def _delivering(self, kind: Kind, coding: Coding, places: Sequence[str]) -> Iterator[str]:
        rest = "QUEUE" + "".join(f"[{place}]" for place in [*places[1:], "0"])
        first = places[0]
        if not kind.data:
            yield f"when ({first} == {coding.first}) {kind.delivered} -> {rest}"
        elif coding.is_even:
            arguments = ", ".join(coding.part(first, at) for at in range(len(kind.data)))
            is_one = f"{first} >= {coding.first} && {first} <= {coding.last}"
            yield f"when ({is_one}) {kind.delivered}({arguments}) -> {rest}"
        else:
            for number, row in coding.rows():
                yield f"when ({first} == {number}) {kind.delivered}({', '.join(map(str, row))}) -> {rest}"

    def _places_for(self, kind: Kind, places: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Where a message goes in a queue with room, and what the queue is like then; `#` is the message."""
        least = self._last_as_urgent(kind)
        for at, place in enumerate(places):
            conditions = (
                [] if at == 0 else [f"{places[at - 1]} > 0", *([f"{places[at - 1]} <= {least}"] if least else [])]
            )
            conditions.append(f"({place} == 0 || {place} > {least})" if least else f"{place} == 0")
            if least and at < len(places) - 1:
                conditions.append(f"{places[-1]} == 0")
            elif least:
                conditions[-1] = f"{place} == 0"
            yield " && ".join(conditions), [*places[:at], "#", *places[at:-1]]

    def _last_as_urgent(self, kind: Kind) -> int:
        """The last number of a message that goes before those of a kind; 0: all messages wait in one line."""
        if all(one.priority is None for one in self.kinds):
            return 0
        rank = (kind.priority is None, kind.priority or 0)
        return max(c.last for one, c in self._urgent if (one.priority is None, one.priority or 0) <= rank)


def lock_text(process: str, ways: Sequence[tuple[str, tuple[Values, ...], str]]) -> str:
    """A process that lets one thread at a time through: events that take it, their data, and what gives it back."""
    options = [
        option
        for taking, data, giving in ways
        for option in offers(taking, data, Coding(0, data), f"{giving} -> {process}")
    ]
    return f"{process} = ({' | '.join(options)})."


def refusing_text(process: str, events: Iterable[Carried]) -> str:
    """A process that knows events and never does them."""
    rows = [(event, row) for event, data in events for _, row in Coding(0, data).rows()]
    texts = [f"{event}({', '.join(map(str, row))})" if row else event for event, row in rows]
    return f"{process} = STOP,\nKNOWN = ({' | '.join(f'{text} -> KNOWN' for text in texts)})."
