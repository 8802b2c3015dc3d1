"""Statecharts without states inside states: where they can be at rest, and what is done on the way there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from stateglass.design import START, Block, Reaction, State, Transition


@final
@dataclass(frozen=True, slots=True)
class Step:
    """A transition as it is taken from one innermost state: the actions before the state is another one, and after."""

    transition: Transition
    before: tuple[Block, ...]  # exit actions, and that of the transition
    target: str
    after: tuple[Block, ...]  # entry actions of the states around the target


Levels = tuple[tuple[Step, ...], ...]
"""Steps with one trigger: those of the innermost state first."""


@final
@dataclass(frozen=True)
class Chart:
    """A reaction whose states are the innermost ones."""

    reaction: Reaction

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The states that a statechart can be in, in the order of the text."""
        parents = {state.parent for state in self.reaction.states}
        return tuple(state.name for state in self.reaction.states if state.name not in parents)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """States by the numbers that stand for them; the first one is where everything starts."""
        return {name: number for number, name in enumerate((START, *self.states))}

    def entry(self, state: str) -> Block:
        return self._state(state).entry

    def levels(self, state: str, pin: str | None = None, *, is_end: bool = False) -> Levels:
        """What can be done in a state without a trigger, or with one."""
        found = []
        for around in self._around(state):
            own = [t for t in self.reaction.transitions if t.source == around and _has(t, pin, is_end)]
            if own:
                found.append(tuple(self._step(state, transition) for transition in own))
                if any(transition.guard is None for transition in own):
                    break
        return tuple(found)

    def may_rest(self, state: str) -> bool:
        """Whether it may be that nothing happens in a state without an event."""
        return state != START and not surely(self.levels(state))

    def steps(self, state: str) -> Iterator[Step]:
        """Everything that may be done in a state, whatever the trigger is."""
        for around in self._around(state):
            for transition in self.reaction.transitions:
                if transition.source == around:
                    yield self._step(state, transition)

    def looks_at(self, pin: str) -> bool:
        """Whether the end of an interaction on a source pin is the trigger of anything."""
        return any(_has(transition, pin, True) for transition in self.reaction.transitions)

    def _step(self, state: str, transition: Transition) -> Step:
        outside = self._outside(transition)
        exits = []
        for left in self._around(state):
            if left == outside:
                break
            exits.append(self._state(left).exit)
        inmost = transition.target
        while (inner := self._first_inside(inmost)) is not None:
            inmost = inner
        entered = list(self._around(inmost))
        if outside is not None:
            entered = entered[: entered.index(outside)]
        after = tuple(self._state(name).entry for name in reversed(entered[1:]))
        return Step(transition, (*exits, transition.action), inmost, after)

    def _state(self, name: str) -> State:
        return next((state for state in self.reaction.states if state.name == name), State(name))

    def _around(self, name: str) -> Iterator[str]:
        """A state and those that it stands in, outwards."""
        at: str | None = name
        while at is not None:
            yield at
            at = self._state(at).parent

    def _outside(self, transition: Transition) -> str | None:
        """The innermost state that both ends stand in; none stands in itself."""
        of_source = list(self._around(transition.source))[1:]
        return next((name for name in list(self._around(transition.target))[1:] if name in of_source), None)

    def _first_inside(self, name: str) -> str | None:
        inner = [state for state in self.reaction.states if state.parent == name]
        return next((state.name for state in inner if state.initial), inner[0].name if inner else None)


def surely(levels: Levels) -> bool:
    """Whether one of the steps can always be taken."""
    return any(step.transition.guard is None for level in levels for step in level)


def _has(transition: Transition, pin: str | None, is_end: bool) -> bool:
    trigger = transition.trigger
    if trigger is None or pin is None:
        return trigger is None and pin is None
    return trigger.pin == pin and trigger.is_end == is_end
