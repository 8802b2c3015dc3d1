"""A run of threads as messages: between threads, the variables that they share, and functions outside of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from stateglass.evidence import Path
from stateglass.model import TAU, Action, Verb, is_error, parsed
from stateglass.views.claims.sequence import Message, RowKind
from stateglass.views.claims.sequence import Sequence as Diagram

TOGETHER: Final = "all threads"
"""Where events are that threads do together, and steps of which it is not known whose they are."""


def between_threads(path: Path, threads: Sequence[str]) -> Diagram:
    """The diagram of a run; silent steps without a change are left out."""
    lanes = _Lanes(path, threads)
    messages: list[Message] = []
    loop_start = None
    for number, step in enumerate(path.steps):
        if number == path.loop_start:
            loop_start = len(messages)
        if step.action == TAU and not step.changes:
            continue
        source, target, kind = lanes.direction(step.action)
        text = "" if step.action == TAU else step.action
        beside: dict[int, list[str]] = {}
        for name, value in step.changes:
            beside.setdefault(lanes.of_value(name, source), []).append(f"{name} = {value}")
        first, *others = beside.items() or [(source, [])]
        messages.append(Message(number + 1, kind, source, target, text, tuple(first[1]), step, first[0]))
        # A step has one number, whatever comes of it.
        messages += (Message(0, RowKind.INSIDE, lane, lane, "", tuple(t), step, lane) for lane, t in others)
    if loop_start is not None and loop_start >= len(messages):
        loop_start = None
    return Diagram(lanes.names, tuple(messages), loop_start)


@final
class _Lanes:
    """The threads that do something, all together, and what they speak with."""

    def __init__(self, path: Path, threads: Sequence[str]) -> None:
        self._threads = frozenset(threads)
        actions = [parsed(step.action) for step in path.steps if step.action != TAU]
        others = dict.fromkeys(other for a in actions if (other := self._split(a)[1]))
        acting = {self._split(a)[0] for a in actions}
        acting |= {self._thread(name) for step in path.steps for name, _ in step.changes if name not in others}
        common = [TOGETHER] if "" in acting or not acting else []
        self.names = (*(name for name in threads if name in acting), *common, *others)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def direction(self, action: str) -> tuple[int, int, RowKind]:
        """Between which lanes an action goes on: what is read comes from where it is kept."""
        found = parsed(action)
        thread, other = self._split(found)
        here = self._numbers[thread or TOGETHER] if thread or TOGETHER in self._numbers else 0
        if is_error(action):
            return here, here, RowKind.ALARM
        if not other:
            return here, here, RowKind.INSIDE
        there = self._numbers[other]
        if found.verb in (Verb.RETURN, Verb.THROW, Verb.LOAD):
            return there, here, RowKind.RETURN
        return here, there, RowKind.CALL

    def of_value(self, name: str, otherwise: int) -> int:
        """Beside which lane a value stands: that of the variable itself, or of the thread that it belongs to."""
        return self._numbers.get(name, self._numbers.get(self._thread(name), otherwise))

    def _split(self, action: Action) -> tuple[str, str]:
        """The thread that does something, if it is known, and what it does that with, if that is something else."""
        spoken = (Verb.CALL, Verb.RETURN, Verb.THROW, Verb.LOAD, Verb.STORE)
        thread = self._thread(action.name)
        other = action.name.removeprefix(f"{thread}.").removeprefix("::") if action.verb in spoken else ""
        return thread, other

    def _thread(self, name: str) -> str:
        before = name.partition(".")[0]
        return before if before in self._threads else ""
