"""What changed between two versions, in few sentences: each names an action, what it does now, and when.

Steps from states that both versions have are compared. Those that changed in the same way are one change. What can be
done in states that only one version has follows from how they are reached: such states are told, not their steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.evolution.describing import Description
from stateglass.evolution.effects import Effect
from stateglass.evolution.outcomes import Became
from stateglass.source import counted


@final
@dataclass(frozen=True, slots=True)
class Example:
    """One step of a change: states of the models, -1 where a version has none."""

    old_source: int
    new_source: int
    label: str
    old_target: int
    new_target: int


@final
@dataclass(frozen=True, eq=False)
class Change:
    """Steps that changed in one way. `effects` are values that differ, `phrases` all that is said after "now"."""

    became: Became
    action: str  # a label, with `*` for arguments that do not matter, or that the condition speaks of
    effects: tuple[Effect, ...]
    phrases: tuple[str, ...]
    condition: Description
    count: int  # how many steps
    example: Example

    @property
    def text(self) -> str:
        """One line for people."""
        done = " and ".join(self.phrases)
        match self.became:
            case Became.POSSIBLE:
                what = "is now possible"
            case Became.IMPOSSIBLE:
                what = "is no longer possible"
            case Became.MOVED:
                what = f"now {done}" if not done.startswith("no longer") else done
            case Became.GAINED:
                what = f"may also {done or 'change nothing'} now"
            case Became.LOST:
                what = f"can no longer {done or 'change nothing'}"
            case _:
                assert_never(self.became)
        return f"`{self.action}` {what}{self.condition.when()}"


@final
@dataclass(frozen=True, eq=False)
class StatesOf:
    """States that only one version has: how many, and what is the case in them."""

    count: int
    condition: Description


@final
@dataclass(frozen=True, eq=False)
class Changes:
    """All that changed; the changes that explain most stand first."""

    initial: tuple[Effect, ...]
    steps: tuple[Change, ...]
    new_states: StatesOf | None
    gone_states: StatesOf | None
    added: tuple[str, ...]  # variables
    deleted: tuple[str, ...]
    skipped: int = 0  # pairs of states from which not all steps are known
    renamed: tuple[tuple[str, str], ...] = ()  # variables that seem to have another name now: before, now

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences for people."""
        start = [f"it starts with {effect.text}" for effect in self.initial]
        return (*start, *(change.text for change in self.steps), *self._told_states())

    def _told_states(self) -> Iterator[str]:
        for found, verb in ((self.new_states, "new"), (self.gone_states, "gone")):
            if found is not None:
                states = counted(found.count, "state")
                where = found.condition.prose
                which = "the one" if found.count == 1 else "those"
                some = f"{which} " if found.condition.exact else "among those "
                is_are = "is" if found.count == 1 else "are"
                yield f"{states} {is_are} {verb}" + (f": {some}where {where}" if where else "")
