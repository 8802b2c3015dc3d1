"""A run as messages between lanes: the environment, the code, and functions outside of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.evidence import Path, Step
from stateglass.model import TAU, Action, Verb, is_error, parsed

ENVIRONMENT: Final = "environment"
SHARED: Final = "shared variables"
OTHERS: Final = "other functions"
MOST_OUTSIDE: Final = 6
"""More functions outside than this share one lane."""


@final
@unique
class RowKind(Enum):
    """What a row of the diagram is."""

    CALL = "call"
    RETURN = "return"
    SEND = "send"  # nobody waits
    INSIDE = "inside"
    ALARM = "alarm"


@final
@dataclass(frozen=True, slots=True)
class Message:
    """A step: from one lane to another, or within one; `changes` stand beside one of them."""

    number: int  # of the step, from 1; 0: it belongs to that of the message before
    kind: RowKind
    source: int
    target: int
    text: str
    changes: tuple[str, ...]
    step: Step | None = None
    beside: int = 1


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """A diagram; from message `loop_start` on it is repeated for ever."""

    lanes: tuple[str, ...]
    messages: tuple[Message, ...]
    loop_start: int | None


def sequence(path: Path, subject: str) -> Sequence:
    """The diagram of a run; silent steps without a change are left out."""
    if any(step.by for step in path.steps):
        return _of_threads(path)
    lanes = _Lanes(path, subject)
    messages: list[Message] = []
    loop_start = None
    for number, step in enumerate(path.steps):
        if number == path.loop_start:
            loop_start = len(messages)
        source, target, kind = lanes.direction(step.action)
        if step.action == TAU and not step.changes:
            continue
        changes = tuple(f"{name} = {value}" for name, value in step.changes)
        text = "" if step.action == TAU else step.action
        messages.append(Message(number + 1, kind, source, target, text, changes, step))
    if loop_start is not None and loop_start >= len(messages):
        loop_start = None
    return Sequence(tuple(lanes.names), tuple(messages), loop_start)


def _of_threads(path: Path) -> Sequence:
    """The diagram of a run of threads, with a lane for each of them; who does something together sends it."""
    steps = enumerate(path.steps, 1)
    done = [(number, step, _between(step)) for number, step in steps if step.action != TAU or step.changes]
    who = dict.fromkeys(name for step in path.steps for name in step.by)
    others = {lane for _, _, (rows, _) in done for row in rows for lane in row} - set(who)
    names = [*(n for n in (ENVIRONMENT,) if n in others), *who, *(n for n in (SHARED,) if n in others)]
    lanes = {name: lane for lane, name in enumerate(names)}
    messages: list[Message] = []
    loop_start = None
    for number, step, (rows, kind) in done:
        if path.loop_start is not None and loop_start is None and number > path.loop_start:
            loop_start = len(messages)
        for source, target in rows:
            is_first = (source, target) == rows[0]
            changes = tuple(f"{name} = {value}" for name, value in step.changes) if is_first else ()
            text = "" if step.action == TAU else step.action
            beside = lanes[step.by[0] if step.by else source]
            own = (number, step) if is_first else (0, None)
            messages.append(Message(own[0], kind, lanes[source], lanes[target], text, changes, own[1], beside))
    return Sequence(tuple(names), tuple(messages), loop_start)


def _between(step: Step) -> tuple[list[tuple[str, str]], RowKind]:
    """Between which lanes a step of threads goes on; an event of several goes from the first to each of the others."""
    action = parsed(step.action)
    one, *others = step.by or (ENVIRONMENT,)
    if is_error(step.action):
        return [(one, one)], RowKind.ALARM
    if others:
        return [(one, other) for other in others], RowKind.SEND
    is_own = action.name.startswith(f"{one}.")
    match action.verb:
        case Verb.LOAD if is_own:
            return [(SHARED, one)], RowKind.RETURN
        case Verb.STORE if is_own:
            return [(one, SHARED)], RowKind.CALL
        case Verb.CALL if is_own:
            return [(one, ENVIRONMENT)], RowKind.CALL
        case Verb.RETURN if is_own:
            return [(ENVIRONMENT, one)], RowKind.RETURN
        case _:
            return [(one, one)], RowKind.INSIDE


@final
class _Lanes:
    """Who takes part in a run, and which calls are under way while its actions are gone through in order."""

    def __init__(self, path: Path, subject: str) -> None:
        self._own = set(subject.split(", ")) if subject else set[str]()
        actions = [parsed(step.action) for step in path.steps]
        self._is_object = any(self._is_own(a.name) and a.name not in self._own for a in actions)
        clients = dict.fromkeys(c for a in actions if (c := self._client(a.name)))
        outside = list(dict.fromkeys(self._outside(actions)))
        named = outside[:MOST_OUTSIDE] if len(outside) > MOST_OUTSIDE + 1 else outside
        self.names = [ENVIRONMENT, *clients, subject or "model", *named]
        self._subject = 1 + len(clients)
        self._clients = {name: number for number, name in enumerate(clients, 1)}
        self._others = {name: number for number, name in enumerate(named, self._subject + 1)}
        if len(named) < len(outside):
            self._others |= dict.fromkeys(outside[len(named) :], len(self.names))
            self.names.append(OTHERS)
        self._open: list[tuple[int, int]] = []  # calls under way: who was called, and by whom

    def direction(self, action: str) -> tuple[int, int, RowKind]:
        """Between which lanes an action goes on."""
        if is_error(action):
            return self._subject, self._subject, RowKind.ALARM
        found, own = parsed(action), self._subject
        lane = self._others.get(self._lane(found.name))
        caller = self._clients.get(self._client(found.name), 0)
        match found.verb:
            case Verb.CALL if lane is not None:
                self._open.append((lane, own))
                return own, lane, RowKind.CALL
            case Verb.CALL:
                caller = self._open[-1][0] if self._open and self._open[-1][0] != own else caller
                self._open.append((own, caller))
                return caller, own, RowKind.CALL
            case Verb.RETURN | Verb.THROW:
                known = (own, caller) if lane is None else (lane, own)
                # A run may begin within a call.
                ended = self._open.pop() if self._open else known
                source, target = ended if ended[0] == known[0] else known
                return source, target, RowKind.RETURN
            case Verb.LOAD | Verb.STORE:
                return (0, own, RowKind.CALL) if lane is None else (own, lane, RowKind.CALL)
            case Verb.EXIT:
                return own, 0, RowKind.RETURN
            case Verb.ERROR | None:
                inside = own if lane is None else lane
                return inside, inside, RowKind.INSIDE
            case _:
                assert_never(found.verb)

    def _is_own(self, name: str) -> bool:
        """Whether it is a function of the subject; of an object also by the name of a client."""
        return name in self._own or any(name.startswith(f"{o}.") or f".{o}." in name for o in self._own)

    def _client(self, name: str) -> str:
        return next((name.partition(f".{o}.")[0] for o in self._own if f".{o}." in name), "")

    def _lane(self, name: str) -> str:
        """A part of an object is one lane, whatever of it is used."""
        return name.rpartition(".")[0] or name if self._is_object else name

    def _outside(self, actions: Iterable[Action]) -> Iterator[str]:
        """The lanes that the code calls: none of its own; without a subject, calls within calls."""
        depth = 0
        for action in actions:
            match action.verb:
                case Verb.CALL:
                    if not self._is_own(action.name) and (self._own or depth):
                        yield self._lane(action.name)
                    depth += 1
                case Verb.RETURN | Verb.THROW:
                    depth = max(depth - 1, 0)
                case Verb.LOAD | Verb.STORE if self._is_object and not self._is_own(action.name):
                    yield self._lane(action.name)
                case _:
                    pass
