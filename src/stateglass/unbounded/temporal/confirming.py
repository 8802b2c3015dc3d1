"""Runs that are real, executed by the reference semantics: the claim is decided anew on each."""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Path, Verdict, problem_of, told
from stateglass.explore import Manner
from stateglass.explore.stepwise import Run
from stateglass.logic.claims import Claim
from stateglass.model import Model
from stateglass.source import InputError
from stateglass.system import System
from stateglass.unbounded.executing import Executed, executed, executed_again
from stateglass.unbounded.results import Walk
from stateglass.unbounded.temporal.split import Asked
from stateglass.work import Progress


@final
class Confirming:
    """Executes walks along the flow of a claim."""

    def __init__(self, system: System, asked: Asked, claim: Claim, manner: Manner, progress: Progress) -> None:
        self._system = system
        self._asked = asked
        self._claim = claim
        self._manner = manner.watching(asked.watch)
        self._progress = progress

    def run(self, walk: Walk, *, loop: int | None = None, stops: bool = False) -> tuple[Answer, Model] | str:
        """The answer for a run of the code alone, and the run as a model; or why it does not violate the claim.

        With `loop`, what comes from that stretch on is repeated for ever; `stops` says that nothing can follow.
        """
        self._progress("following a run")
        found = executed(self._system, self._asked.flow, walk, self._manner, loop)
        if isinstance(found, Executed):
            return self._decided(_open(found.model, found.run, stops=stops))
        if loop is None:
            return found.reason
        closed = self._closed(walk, loop)
        return found.reason if closed is None else self._decided(closed)

    def _closed(self, walk: Walk, loop: int) -> Model | None:
        """A run that comes back to what it was but for values that decide nothing, as a model with that loop."""
        found = executed_again(self._system, self._asked.flow, walk, self._manner, loop)
        if found is None:
            return None
        once, length = found
        return _with_loop(once.model, once.run, length)

    def _decided(self, model: Model) -> tuple[Answer, Model] | str:
        try:
            answer = decide(self._claim, model, progress=self._progress)
        except InputError:
            return "it has values that the claim does not know"
        if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
            return "the code goes another way there"
        assert not problem_of(answer.evidence, model)
        return replace(answer, evidence=told(answer.evidence, model), confirmed_by=("reference",)), model


def _open(model: Model, run: Run, *, stops: bool) -> Model:
    """A run of which nothing is said about what follows its last state, unless it is over or nothing can follow."""
    last = run.numbers()[run.taken[-1].step.state if run.taken else run.first]
    if stops or model.is_terminal(last) or model.is_unexplored(last):
        return model
    unexplored = np.zeros(model.states, dtype=np.bool_) if model.unexplored is None else model.unexplored.copy()
    unexplored[last] = True
    return replace(model, unexplored=unexplored)


def _with_loop(model: Model, run: Run, first: int) -> Model:
    """The model of a run whose last step leads back to the state after some steps, instead of on."""
    numbers = run.numbers()
    states = [run.first, *(taken.step.state for taken in run.taken)]
    back, last = numbers[states[first]], numbers[states[-1]]
    targets = model.targets.copy()
    targets[model.targets == last] = back
    return replace(model, targets=targets)
