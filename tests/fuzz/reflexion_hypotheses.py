"""Hypotheses about generated functions that are right and wrong in every way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, Protocol, final

from stateglass.reflexion.hypothesis import Hypothesis, Let, StateClaim, TransitionClaim
from stateglass.source import Span, Words
from tests.fuzz.reflexion_scalars import Scalar

HERE: Final = Span.at("generated")


class Conditions(Protocol):
    """Makes a condition."""

    def __call__(self, depth: int, *, in_code: bool = True) -> str: ...


@final
class HypothesisMaker:
    """Makes one hypothesis."""

    def __init__(self, dice: random.Random, variables: Sequence[Scalar], condition: Conditions) -> None:
        self.dice = dice
        self._variables = variables
        self._stateful = [v for v in variables if v.is_state]
        self._condition = condition
        self._lets: list[Let] = []

    def make(self, scalars: Sequence[Scalar]) -> Hypothesis:
        """`scalars` are all that have bounds."""
        dice = self.dice
        if dice.random() < 0.2:
            self._lets.append(Let("word", self._words(self._condition(1, in_code=False)), HERE))
        states: list[StateClaim] = []
        self._cut(states, None, dice.randrange(len(self._stateful)), 0)
        if dice.random() < 0.08:
            never = f"{self._variables[0].name} == 9 && !{self._variables[0].name}"
            states.append(StateClaim("Empty", self._words(never), span=HERE))
        if dice.random() < 0.04:
            states.append(StateClaim("Extra", self._words(self._state_condition()), span=HERE))
        self._start(states)
        names = [s.name for s in states]
        transitions = tuple(self._transition(names) for _ in range(dice.randrange(0, 10)))
        assumes = [self._words(s.assume) for s in scalars if s.assume is not None]
        if dice.random() < 0.15:
            assumes.append(self._words(self._condition(1, in_code=False)))
        start = self._words(self._state_condition()) if dice.random() < 0.08 else None
        inner_first = dice.random() < 0.4
        return Hypothesis(
            "M", "f", (), tuple(self._lets), tuple(assumes), tuple(states), transitions, HERE, HERE, start, inner_first
        )

    def _words(self, text: str) -> Words:
        return Words(text, HERE)

    def _state_condition(self) -> str:
        scalar = self.dice.choice(self._stateful)
        return f"{scalar.name} == {self.dice.choice(scalar.texts)}"

    def _cut(
        self, states: list[StateClaim], parent: str | None, variable: int, depth: int, within: str | None = None
    ) -> None:
        """Cut the values of a variable into states, not always all of them; each perhaps once more.

        `within` is the condition of a parent that has none of its own.
        """
        dice, scalar = self.dice, self._stateful[variable]
        values = [t for t in scalar.texts if t != "-0.0f"]  # it is the same to C
        dice.shuffle(values)
        groups: list[list[str]] = [[] for _ in range(dice.randrange(1, min(4, len(values)) + 1))]
        for value in values:
            dice.choice(groups).append(value)
        if len(groups) > 1 and dice.random() < 0.3:
            groups.pop()
        for group in groups:
            if not group:
                continue
            name = f"S{len(states)}"
            text = " || ".join(f"{scalar.name} == {v}" for v in sorted(group))
            text = text if within is None else f"({within}) && ({text})"
            if depth < 2 and len(self._stateful) > 1 and dice.random() < 0.35:
                is_union = dice.random() < 0.25
                states.append(StateClaim(name, None if is_union else self._words(text), parent, span=HERE))
                others = [n for n in range(len(self._stateful)) if n != variable]
                self._cut(states, name, dice.choice(others), depth + 1, text if is_union else None)
            else:
                states.append(StateClaim(name, self._words(text), parent, span=HERE))
        if not any(s.parent == parent for s in states):
            states.append(StateClaim(f"S{len(states)}", self._words(within or "1"), parent, span=HERE))

    def _start(self, states: list[StateClaim]) -> None:
        """One initial state on each level, if there is one at all."""
        if self.dice.random() < 0.3:
            return
        for parent in dict.fromkeys((None, *(s.parent for s in states))):
            inner = [n for n, s in enumerate(states) if s.parent == parent]
            if parent is None or self.dice.random() < 0.7:
                chosen = self.dice.choice(inner)
                old = states[chosen]
                states[chosen] = StateClaim(old.name, old.condition, old.parent, initial=True, span=HERE)

    def _transition(self, names: Sequence[str]) -> TransitionClaim:
        dice = self.dice
        source = dice.choice([*names, "other"] if dice.random() < 0.3 else names)
        target = dice.choice([*names, "other", "error", "exit"] if dice.random() < 0.4 else names)
        words = self._words(self._when()) if dice.random() < 0.7 else None
        priority = dice.randrange(1, 4) if dice.random() < 0.3 else None
        return TransitionClaim(source, target, words, priority, HERE)

    def _when(self) -> str:
        condition = self._condition(2, in_code=False)
        if not self._lets or self.dice.random() < 0.5:
            return condition
        return self.dice.choice(("word", "!word", f"word && {condition}", f"{condition} || word"))
