"""Which interactions can be under way on the sink pins of a reaction, found without looking at data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Flag
from functools import reduce
from typing import assert_never, final

from stateglass.assemblies.interpretation.charts import Chart, Step, surely
from stateglass.design import START, Assign, Begin, Block, End, If, Repeat, Statement


@final
class _May(Flag):
    """What is possible of one pin."""

    NOTHING = 0
    IDLE = 1
    UNDER_WAY = 2
    EITHER = 3


_Pins = Mapping[str, _May]


@final
@dataclass(frozen=True)
class Completion:
    """What is known of a reaction whatever its data is."""

    wrong: frozenset[str]  # pins on which `$` may find no interaction under way
    left: frozenset[str]  # pins on which one may still be under way when the next event is taken


def completion(chart: Chart, sinks: Collection[str]) -> Completion:
    """Follows all ways through a statechart; guards may be true or false."""
    return _Following(chart, tuple(sinks)).run()


@final
class _Following:
    def __init__(self, chart: Chart, sinks: tuple[str, ...]) -> None:
        self._chart = chart
        self._sinks = sinks
        self._wrong: set[str] = set()
        self._left: set[str] = set()
        self._at: dict[str, _Pins] = {}  # when a state has been entered, after its entry action

    def run(self) -> Completion:
        self._enter(START, dict.fromkeys(self._sinks, _May.IDLE))
        return Completion(frozenset(self._wrong), frozenset(self._left))

    def _enter(self, state: str, pins: _Pins) -> None:
        """Whatever follows when a state is entered with these pins, until nothing new is learned."""
        waiting = [(state, pins)]
        while waiting:
            at, found = waiting.pop()
            known = self._at.get(at)
            joined = found if known is None else _either(known, found)
            if joined == known:
                continue
            self._at[at] = joined
            rests = self._chart.may_rest(at)
            for step in self._chart.steps(at):
                trigger = step.transition.trigger
                if trigger is None or trigger.is_end or (rests and trigger.pin in self._sinks):
                    waiting.append((step.target, self._taken(step, joined)))
            if rests:
                self._left |= {pin for pin, may in joined.items() if _May.UNDER_WAY in may}
                for pin in self._sinks:
                    if not surely(self._chart.levels(at, pin)):
                        # An event that is discarded is complete at once.
                        waiting.append((at, {**joined, pin: _May.IDLE}))

    def _taken(self, step: Step, pins: _Pins) -> _Pins:
        trigger = step.transition.trigger
        if trigger is not None and not trigger.is_end:
            pins = {**pins, trigger.pin: _May.UNDER_WAY}
        for block in (*step.before, *step.after, self._chart.entry(step.target)):
            pins = self._done(block, pins)
        return pins

    def _done(self, statement: Statement, pins: _Pins) -> _Pins:
        match statement:
            case End(pin):
                if _May.IDLE in pins.get(pin, _May.IDLE):
                    self._wrong.add(pin)
                # On a pin that nothing is connected to, none ever is.
                return {**pins, pin: _May.IDLE} if pin in pins else pins
            case If(_, then, otherwise):
                return _either(self._done(then, pins), self._done(otherwise, pins))
            case Repeat(_, body):
                before: _Pins | None = None
                while pins != before:
                    before, pins = pins, _either(pins, self._done(body, pins))
                return pins
            case Block(statements):
                return reduce(lambda known, one: self._done(one, known), statements, pins)
            case Assign() | Begin():
                return pins
            case other:
                assert_never(other)


def _either(one: _Pins, other: _Pins) -> _Pins:
    return {pin: one[pin] | other[pin] for pin in one}
