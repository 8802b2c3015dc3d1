"""What may happen next where each thread is at a halt and each process in a state: who moves, and when that can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import final

from stateglass.model import TAU
from stateglass.program import Call, Constant, Expression, Program, Scalar, Statement, is_scalar
from stateglass.source import NOWHERE, Span
from stateglass.unbounded.threads.alphabets import Alphabet, Wording
from stateglass.unbounded.threads.answering import Stepping
from stateglass.unbounded.threads.turns.bodies import Body, Halt, Next
from stateglass.unbounded.threads.turns.conditions import NO, YES, both, either, equal, negated

Row = tuple[int, ...]
Spot = tuple[int, ...]
"""Where everybody is: the halts of threads, and the states of processes."""


@final
@dataclass(frozen=True, slots=True)
class Member:
    """A thread or a process, and the events it knows."""

    name: str
    alphabet: Alphabet
    body: Body | None = None
    process: Stepping | None = None


@final
@dataclass(frozen=True, slots=True)
class Option:
    """Something that may happen: one member goes on with its code, or some do an event."""

    text: str
    condition: Expression
    moves: Mapping[int, int]  # where members are afterwards; of the one that goes on with its code, that is open
    runs: int | None = None  # the member that goes on with its code
    fails: bool = False  # a process is in error
    told: tuple[Statement, ...] = ()  # what is to be seen of it
    span: Span = NOWHERE


@final
@dataclass(frozen=True, slots=True)
class _Ready:
    """A member that can do an event now, with these arguments, and where it is then."""

    member: int
    arguments: tuple[Expression, ...]
    then: int
    span: Span = NOWHERE


@final
class Meeting:
    """How members meet in events."""

    def __init__(self, program: Program, members: Sequence[Member], wording: Wording, events: frozenset[str]) -> None:
        self.members = tuple(members)
        self._program = program
        self._events = events
        self._rows: dict[str, tuple[str, Row] | None] = {}
        self._wording = wording
        self.others = tuple(sorted({label for m in members for label in _labels(m) if self._row(label) is None}))
        """Events that no function stands for: they are called by what they are."""

    def options(self, spot: Spot) -> list[Option]:
        """All that may happen, what can always happen first."""
        alone = [option for number in range(len(spot)) for option in self._alone(number, spot[number])]
        met = [option for event in sorted(self._events) for option in self._together(event, spot)]
        named = [option for label in self.others for option in self._named(label, spot)]
        found = [option for option in (*alone, *named, *met) if option.condition != NO]
        return sorted(found, key=lambda option: option.condition != YES)

    def is_over(self, spot: Spot) -> bool:
        """Whether all threads have ended."""
        halts = [self._halt(number, at) for number, at in enumerate(spot)]
        return all(halt is None or halt.next is Next.NOTHING for halt in halts)

    def waits(self, spot: Spot) -> str:
        """What everybody waits for, where nothing can happen."""
        offered = [list(self._offered(number, at)) for number, at in enumerate(spot)]
        sentences = []
        for number, member in enumerate(self.members):
            halt = self._halt(number, spot[number])
            if halt is not None and halt.next is Next.NOTHING:
                sentences.append(f"`{member.name}` has ended")
            elif offered[number]:
                texts = [self._with(number, label, offered) for label in dict.fromkeys(offered[number])]
                sentences.append(f"`{member.name}` waits for {' or '.join(texts)}")
            else:
                sentences.append(f"`{member.name}` does nothing more")
        return "; ".join(sentences)

    def _offered(self, number: int, at: int) -> Iterator[str]:
        halt, process = self._halt(number, at), self.members[number].process
        if halt is not None and halt.next is Next.EVENT:
            types = self._types(halt.event)
            texts = [
                self._wording.text(a.value, t) if isinstance(a, Constant) else "…"
                for a, t in zip(halt.arguments, types, strict=True)
            ]
            yield f"{halt.event}({', '.join(texts)})" if texts else halt.event
        elif process is not None:
            yield from (str(action) for action, _ in process.steps[at] if str(action) != TAU)

    def _with(self, number: int, label: str, offered: Sequence[Sequence[str]]) -> str:
        missing = [
            f"`{other.name}`"
            for n, other in enumerate(self.members)
            if n != number and other.alphabet.has(label) and label not in offered[n]
        ]
        return f"`{label}`" + (f" with {' and '.join(missing)}" if missing else "")

    # ---- members by themselves

    def _halt(self, number: int, at: int) -> Halt | None:
        body = self.members[number].body
        return None if body is None else body.halts[at]

    def _alone(self, number: int, at: int) -> Iterator[Option]:
        member, halt = self.members[number], self._halt(number, at)
        if halt is not None:
            if halt.next is Next.CODE:
                yield Option(member.name, YES, {}, runs=number)
            return
        process = member.process
        assert process is not None
        if process.states[at].failed:
            yield Option(member.name, YES, {}, fails=True)
        for action, target in process.steps[at]:
            if str(action) == TAU:
                yield Option(member.name, YES, {number: target})

    # ---- events

    def _row(self, label: str) -> tuple[str, Row] | None:
        """The function and the arguments of a label; None if it is no call that threads can make."""
        if label not in self._rows:
            name = label.partition("(")[0]
            row = self._wording.row(label) if name in self._events else None
            self._rows[label] = None if row is None else (name, row)
        return self._rows[label]

    def _types(self, event: str) -> list[Scalar]:
        return [p.type for p in self._program.declarations[event].parameters if is_scalar(p.type)]

    def _ready(self, event: str, spot: Spot) -> Iterator[_Ready]:
        types = self._types(event)
        for number, at in enumerate(spot):
            halt, process = self._halt(number, at), self.members[number].process
            if halt is not None and halt.next is Next.EVENT and halt.event == event:
                yield _Ready(number, halt.arguments, halt.then, halt.span)
            for action, target in process.steps[at] if process is not None else ():
                row = self._row(str(action))
                if row is not None and row[0] == event:
                    yield _Ready(number, tuple(map(Constant, row[1], types)), target)

    def _together(self, event: str, spot: Spot) -> Iterator[Option]:
        """The ways in which an event can be done: by whom, and for which arguments by nobody else."""
        by_member: dict[int, list[_Ready]] = {}
        for ready in self._ready(event, spot):
            by_member.setdefault(ready.member, []).append(ready)
        subsets = (combinations(by_member, size) for size in range(1, len(by_member) + 1))
        for chosen in chain.from_iterable(subsets):
            for doing in product(*(by_member[number] for number in chosen)):
                option = self._done(event, doing)
                if option is not None:
                    yield option

    def _done(self, event: str, doing: Sequence[_Ready]) -> Option | None:
        arguments = doing[0].arguments
        same = [equal(a, b) for other in doing[1:] for a, b in zip(arguments, other.arguments, strict=True)]
        if NO in same:
            return None
        others = set(range(len(self.members))) - {ready.member for ready in doing}
        left = [negated(self._knows(number, event, arguments)) for number in sorted(others)]
        condition = both((*same, *left))
        span = next((ready.span for ready in doing if ready.span.line), NOWHERE)
        told = Call(None, event, arguments, span)
        text = event + "".join(f" {self.members[ready.member].name}:{ready.then}" for ready in doing)
        return Option(text, condition, {r.member: r.then for r in doing}, told=(told,), span=span)

    def _knows(self, number: int, event: str, arguments: Sequence[Expression]) -> Expression:
        """Whether a member knows an event with these arguments."""
        alphabet, types = self.members[number].alphabet, self._types(event)
        if event in alphabet.names:
            return YES
        rows = [
            row[1] for label in sorted(alphabet.labels) if (row := self._row(label)) is not None and row[0] == event
        ]
        known = [tuple(map(Constant, row, types)) for row in rows]
        return either(both(equal(a, b) for a, b in zip(arguments, row, strict=True)) for row in known)

    def _named(self, label: str, spot: Spot) -> Iterator[Option]:
        """An event that no thread can do: by all who know it."""
        ways: list[list[tuple[int, int]]] = []
        for number, member in enumerate(self.members):
            if not member.alphabet.has(label):
                continue
            process = member.process
            steps = () if process is None else process.steps[spot[number]]
            ways.append([(number, target) for action, target in steps if str(action) == label])
        for doing in product(*ways) if ways else ():
            yield Option(label, YES, dict(doing), told=(Call(None, label, (), NOWHERE),))


def _labels(member: Member) -> Iterator[str]:
    yield from member.alphabet.labels
    if member.process is not None:
        yield from (str(a) for steps in member.process.steps for a, _ in steps if str(a) != TAU)
