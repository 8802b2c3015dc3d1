"""A run of threads as messages: between threads, the variables that they share, and functions outside of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from stateglass.evidence import Path, Step
from stateglass.model import TAU, Action, Verb, is_error, parsed
from stateglass.views.claims.sequence import Message, RowKind
from stateglass.views.claims.sequence import Sequence as Diagram

TOGETHER: Final = "all threads"
"""Where steps are of which it is not known whose they are."""

_BACK: Final = (Verb.RETURN, Verb.THROW, Verb.LOAD)


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
        (source, target), *further = lanes.between(step)
        kind = lanes.kind(step, several=bool(further) or source != target)
        text = "" if step.action == TAU else step.action
        beside: dict[int, list[str]] = {}
        for name, value in step.changes:
            beside.setdefault(lanes.of_value(name, source), []).append(f"{name} = {value}")
        first, *others = beside.items() or [(source, [])]
        messages.append(Message(number + 1, kind, source, target, text, tuple(first[1]), step, first[0]))
        # A step has one number, whatever comes of it.
        messages += (Message(0, kind, lane, to, text, (), step, lane) for lane, to in further)
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
        acting = {name for step in path.steps for name in self._who(step)}
        acting |= {self._thread(name) for step in path.steps for name, _ in step.changes if name not in others}
        processes = dict.fromkeys(name for step in path.steps for name in step.by if name not in threads)
        common = [TOGETHER] if "" in acting or not acting else []
        self.names = (*(name for name in threads if name in acting), *processes, *common, *others)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def between(self, step: Step) -> list[tuple[int, int]]:
        """Between which lanes a step goes on: what is read comes from where it is kept.

        What several do together goes from the first of them to each of the others.
        """
        found = parsed(step.action)
        here, *joining = [self._numbers.get(name or TOGETHER, 0) for name in self._who(step)]
        other = self._split(found)[1]
        if other and not is_error(step.action):
            there = self._numbers[other]
            return [(there, here) if found.verb in _BACK else (here, there)]
        return [(here, lane) for lane in joining] or [(here, here)]

    def kind(self, step: Step, *, several: bool) -> RowKind:
        found = parsed(step.action)
        if is_error(step.action):
            return RowKind.ALARM
        if self._split(found)[1]:
            return RowKind.RETURN if found.verb in _BACK else RowKind.CALL
        return RowKind.SEND if several else RowKind.INSIDE

    def _who(self, step: Step) -> tuple[str, ...]:
        """Who takes part in a step, the first one at least by the name of what is done; nobody is called nothing."""
        return step.by or ("" if step.action == TAU else self._thread(parsed(step.action).name),)

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
