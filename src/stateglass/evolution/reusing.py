"""An old run followed in the new model, through versions of its states, as far as that goes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from stateglass.evidence import Path, Step, told_steps
from stateglass.evolution.pairing import Pairing


@final
@dataclass(frozen=True, slots=True)
class Stop:
    """Where an old run cannot be followed: the number of the step from 0, its action, and why, as a sentence."""

    step: int
    action: str
    explanation: str


@final
@dataclass(frozen=True, slots=True)
class Reused:
    """A run of the new model that does what the old one did; `stop` is None if it does so to the end.

    Before a stop, the run is a finite one. A part that the old run repeats may be unrolled: then the new run goes
    through it more than once before it repeats itself.
    """

    path: Path
    stop: Stop | None


def reuse(path: Path, pairs: Pairing) -> Reused:
    """Follows an old run by equal actions; of several ways, one that leads furthest."""
    return _Following(path, pairs).result()


@final
class _Following:
    """Layers of new states, one before each step, and the step that led to each of them."""

    def __init__(self, path: Path, pairs: Pairing) -> None:
        self._path, self._pairs, self._new = path, pairs, pairs.new
        self._labels = {label: number for number, label in enumerate(pairs.new.labels)}
        order = np.argsort(pairs.pair_old, kind="stable")
        self._versions = pairs.pair_new[order]
        self._first = np.concatenate([[0], np.cumsum(pairs.old_counts)])
        self._layers: list[dict[int, int]] = []  # new state: the one before it

    def result(self) -> Reused:
        start = self._new.initial
        if start not in self._of(self._path.start):
            why = "the new model starts in a state that is no version of where the run starts"
            return Reused(Path(start, ()), Stop(0, self._action(0), why))
        self._layers.append({start: -1})
        for number in range(len(self._path.steps)):
            if not self._go_on(number):
                return self._stopped(number)
        loop = self._path.loop_start
        return self._whole() if loop is None else self._repeated(loop)

    def _repeated(self, loop: int) -> Reused:
        """Goes through the repeated part until one run has a state twice at its beginning."""
        begins = [loop, len(self._layers) - 1]
        # A run that goes through it more often than there are versions of that state has one of them twice.
        while True:
            for state in sorted(self._layers[-1]):
                states = self._history(state)
                met: dict[int, int] = {}
                for at in begins:
                    if states[at] in met:
                        return Reused(self._as_path(states[: at + 1], loop_start=met[states[at]]), None)
                    met[states[at]] = at
            for number in range(loop, len(self._path.steps)):
                if not self._go_on(number):
                    return self._stopped(number)
            begins.append(len(self._layers) - 1)

    def _whole(self) -> Reused:
        state = min(self._layers[-1])
        ends = self._path.ends and self._new.first[state] == self._new.first[state + 1]
        return Reused(self._as_path(self._history(state), ends=bool(ends)), None)

    def _stopped(self, number: int) -> Reused:
        step = self._path.steps[number]
        if not len(self._of(step.target)):
            why = f"no state of the new model is a version of where `{step.action}` leads"
        else:
            why = f"the transition by `{step.action}` was removed"
        return Reused(self._as_path(self._history(min(self._layers[-1]))), Stop(number, step.action, why))

    def _go_on(self, number: int) -> bool:
        """Adds the layer after a step; False if it would be empty."""
        step = self._path.steps[number]
        label = self._labels.get(step.action)
        wanted = {int(state) for state in self._of(step.target)}
        following: dict[int, int] = {}
        for state in sorted(self._layers[-1]) if label is not None else ():
            for transition in range(int(self._new.first[state]), int(self._new.first[state + 1])):
                target = int(self._new.targets[transition])
                if self._new.actions[transition] == label and target in wanted:
                    following.setdefault(target, state)
        if following:
            self._layers.append(following)
        return bool(following)

    def _history(self, state: int) -> list[int]:
        """The states of a run to a state of the last layer."""
        states = [state]
        for layer in reversed(self._layers[1:]):
            states.append(layer[states[-1]])
        return states[::-1]

    def _as_path(self, states: list[int], *, loop_start: int | None = None, ends: bool = False) -> Path:
        steps = [Step(source, target, self._action(number)) for number, (source, target) in enumerate(pairwise(states))]
        return Path(states[0], told_steps(steps, self._new), loop_start, ends)

    def _action(self, number: int) -> str:
        """The action of a step, the repeated part unrolled."""
        steps, loop = self._path.steps, self._path.loop_start
        if number >= len(steps) and loop is not None:
            number = loop + (number - loop) % (len(steps) - loop)
        return steps[number].action if number < len(steps) else ""

    def _of(self, old: int) -> list[int]:
        """The new versions of an old state."""
        return [int(s) for s in self._versions[self._first[old] : self._first[old + 1]]]
