"""Runs that are real, executed by the reference semantics: the claim is decided anew on each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, final

import numpy as np

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Path, Verdict, problem_of, told
from stateglass.explore import Manner
from stateglass.explore.stepwise import Run
from stateglass.logic.claims import Claim
from stateglass.model import Model
from stateglass.source import InputError
from stateglass.system import System
from stateglass.unbounded.results import Walk
from stateglass.unbounded.temporal.split import Asked
from stateglass.unbounded.walks.executing import Again, Executed, executed, executed_again
from stateglass.work import Progress

MOST_NAMES: Final = 4
"""So many variables are named that change while a run repeats itself."""


@final
class Confirming:
    """Executes walks along the flow of a claim."""

    def __init__(self, system: System, asked: Asked, claim: Claim, manner: Manner, progress: Progress) -> None:
        self._system = system
        self._asked = asked
        self._claim = claim
        self._manner = manner.watching(asked.watch)
        self._progress = progress

    def run(self, walk: Walk, *, loop: int | None = None) -> tuple[Answer, Model] | str:
        """The answer for a run of the code alone, and the run as a model; or why it does not violate the claim.

        With `loop`, what comes from that stretch on is repeated for ever.
        """
        self._progress("following a run")
        found = executed(self._system, self._asked.flow, walk, self._manner, loop)
        if isinstance(found, Executed):
            return self._decided(_open(found.model, found.run))
        if loop is None:
            return found.reason
        return self._closed(walk, loop) or found.reason

    def run_on(self, walk: Walk, loop: int, rounds: int, seconds: float) -> tuple[Answer, Model] | str:
        """The same if what is repeated for ever may be some other time where it was before."""
        self._progress("following a run", rounds=rounds)
        manner = replace(self._manner, timeout=seconds)
        found = executed(self._system, self._asked.flow, walk, manner, loop, rounds)
        return self._decided(found.model) if isinstance(found, Executed) else found.reason

    def _closed(self, walk: Walk, loop: int) -> tuple[Answer, Model] | str:
        """What is decided on a run that comes back to what it was but for values that decide nothing; empty: none."""
        again = executed_again(self._system, self._asked.flow, walk, self._manner, loop)
        if again is None:
            return ""
        decided = self._decided(_with_loop(again))
        if isinstance(decided, str) or not again.changing:
            return decided
        # The next rounds would not have the values that were shown of them.
        answer, model = decided
        words = f"{answer.explanation} {_left_out(again.changing)}".strip()
        return replace(answer, explanation=words), model

    def _decided(self, model: Model) -> tuple[Answer, Model] | str:
        try:
            answer = decide(self._claim, model, progress=self._progress)
        except InputError:
            return "it has values that the claim does not know"
        if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
            return "the code goes another way there"
        assert not problem_of(answer.evidence, model)
        return replace(answer, evidence=told(answer.evidence, model), confirmed_by=("reference",)), model


def _open(model: Model, run: Run) -> Model:
    """A run of which nothing is said about what follows its last state, unless it is over."""
    last = run.numbers()[run.taken[-1].step.state if run.taken else run.first]
    if model.is_terminal(last) or model.is_unexplored(last):
        return model
    unexplored = np.zeros(model.states, dtype=np.bool_) if model.unexplored is None else model.unexplored.copy()
    unexplored[last] = True
    return replace(model, unexplored=unexplored)


def _with_loop(again: Again) -> Model:
    """The model of a run whose last step leads back, instead of on; without variables that change for ever."""
    run, model = again.executed.run, again.executed.model
    numbers, states = run.numbers(), run.states
    back, last = numbers[states[again.back]], numbers[states[-1]]
    targets = model.targets.copy()
    targets[model.targets == last] = back
    kept = tuple(one for one in model.propositions if one.name not in again.changing)
    return replace(model, targets=targets, propositions=kept)


def _left_out(changing: Collection[str]) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(changing)[:MOST_NAMES])
    more = f" and {len(changing) - MOST_NAMES} more" if len(changing) > MOST_NAMES else ""
    return f"What is repeated goes on with other values of {names}{more}, which decide nothing."
