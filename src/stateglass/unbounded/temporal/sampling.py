"""Looks for a run that violates a claim among those with some values of each input: what violates it there does so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Path, Verdict, problem_of, told
from stateglass.explore import Manner, explore
from stateglass.explore.stepwise import EXACTLY, Failure, Retracing, Wanted
from stateglass.logic.claims import Claim
from stateglass.model import Model
from stateglass.source import InputError
from stateglass.system import System
from stateglass.system.concrete import MOST_VALUES, concretised, numbers_in
from stateglass.work import Progress

MOST_STATES: Final = 2_000
MOST_STEPS: Final = 2_000_000
"""So many steps of the code are done to look at them: some seconds."""


def sampled_violation(
    system: System, claim: Claim, values: Iterable[int], manner: Manner, seconds: float, progress: Progress
) -> tuple[Answer, Model] | None:
    """A violation by a run with these values of inputs, those that the claim mentions, and a few others.

    `manner` says what is seen of runs; the run was followed again by the reference semantics.
    """
    asked = tuple(dict.fromkeys([*numbers_in([claim.text]), *values]))[:MOST_VALUES]
    # What is chosen once is zero in these runs, as it may be.
    exact = replace(concretised(system, asked), beginnings=())
    manner = replace(manner, max_states=MOST_STATES, max_steps=MOST_STEPS, timeout=min(manner.timeout, seconds))
    model = explore(exact, manner, progress=progress).model
    try:
        answer = decide(claim, model, progress=progress)
    except InputError:
        return None  # it was read with the words of the code: these values lack some
    path = answer.evidence
    if answer.verdict is not Verdict.VIOLATED or not isinstance(path, Path):
        return None
    if path.ends and not model.is_terminal(path.steps[-1].target if path.steps else path.start):
        return None  # with other values it may go on
    assert not problem_of(path, model)
    steps = tuple((step.action, model.valuation(step.target)) for step in path.steps)
    wanted = Wanted(steps, model.valuation(path.start), path.loop_start, path.ends)
    if isinstance(Retracing(exact, manner).follow(wanted, EXACTLY), Failure):
        return None
    return replace(answer, evidence=told(path, model), confirmed_by=("reference",)), model
