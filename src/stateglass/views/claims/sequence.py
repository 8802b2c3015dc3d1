"""A run as messages between lanes: the environment, the code, and functions outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.evidence import Path, Step
from stateglass.model import TAU, Verb, is_error, parsed

ENVIRONMENT: Final = "environment"
OTHERS: Final = "other functions"
MOST_OUTSIDE: Final = 6
"""More functions outside than this share one lane."""


@final
@unique
class RowKind(Enum):
    """What a row of the diagram is."""

    CALL = "call"
    RETURN = "return"
    INSIDE = "inside"
    ALARM = "alarm"


@final
@dataclass(frozen=True, slots=True)
class Message:
    """A step: from one lane to another, or within one; `changes` stand beside it."""

    number: int  # of the step, from 1
    kind: RowKind
    source: int
    target: int
    text: str
    changes: tuple[str, ...]
    step: Step


@final
@dataclass(frozen=True, slots=True)
class Sequence:
    """A diagram; from message `loop_start` on it is repeated for ever."""

    lanes: tuple[str, ...]
    messages: tuple[Message, ...]
    loop_start: int | None


def sequence(path: Path, subject: str) -> Sequence:
    """The diagram of a run; silent steps without a change are left out."""
    own = set(subject.split(", ")) if subject else set[str]()
    outside = list(dict.fromkeys(_outside(path, own)))
    named = outside[:MOST_OUTSIDE] if len(outside) > MOST_OUTSIDE + 1 else outside
    lanes = [ENVIRONMENT, subject or "model", *named, *([OTHERS] if len(named) < len(outside) else [])]
    lane_of = {name: lanes.index(name, 2) if name in named else len(lanes) - 1 for name in outside}
    messages: list[Message] = []
    loop_start = None
    for number, step in enumerate(path.steps):
        if number == path.loop_start:
            loop_start = len(messages)
        if step.action == TAU and not step.changes:
            continue
        source, target, kind = _direction(step.action, lane_of)
        changes = tuple(f"{name} = {value}" for name, value in step.changes)
        text = "" if step.action == TAU else step.action
        messages.append(Message(number + 1, kind, source, target, text, changes, step))
    if loop_start is not None and loop_start >= len(messages):
        loop_start = None
    return Sequence(tuple(lanes), tuple(messages), loop_start)


def _direction(action: str, lane_of: dict[str, int]) -> tuple[int, int, RowKind]:
    if is_error(action):
        return 1, 1, RowKind.ALARM
    found = parsed(action)
    match found.verb:
        case Verb.CALL:
            lane = lane_of.get(found.name)
            return (0, 1, RowKind.CALL) if lane is None else (1, lane, RowKind.CALL)
        case Verb.RETURN | Verb.THROW:
            lane = lane_of.get(found.name)
            return (1, 0, RowKind.RETURN) if lane is None else (lane, 1, RowKind.RETURN)
        case Verb.LOAD | Verb.STORE:
            return 0, 1, RowKind.CALL
        case Verb.EXIT:
            return 1, 0, RowKind.RETURN
        case Verb.ERROR | None:
            return 1, 1, RowKind.INSIDE
        case _:
            assert_never(found.verb)


def _outside(path: Path, own: set[str]) -> Iterator[str]:
    """The functions that the code calls: those that are none of its own; without a subject, calls within calls."""
    depth = 0
    for step in path.steps:
        action = parsed(step.action)
        if action.verb is Verb.CALL:
            if action.name not in own and (own or depth):
                yield action.name
            depth += 1
        elif action.verb in (Verb.RETURN, Verb.THROW):
            depth = max(depth - 1, 0)
