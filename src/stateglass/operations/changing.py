"""What a change of a model tells about runs: which steps are new, and what was shown before."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from stateglass.answers.scenarios import Told
from stateglass.check.branching import why_unfair
from stateglass.check.ctl import Evaluation
from stateglass.evidence import Path
from stateglass.evolution.new_steps import new_steps
from stateglass.evolution.pairing import Pairing, Refusal, pairing
from stateglass.evolution.reusing import reuse
from stateglass.model import Model
from stateglass.model.model import Flags
from stateglass.scenarios.validating import Reply
from stateglass.scenarios.witnesses import NO_FACTS, Facts, taken_by, witness
from stateglass.source import InputError


def facts_of_change(old: Model, new: Model) -> Facts:
    """Which steps of the new model the old one does not have; nothing if it is not clear what belongs together."""
    pairs = pairing(old, new)
    steps = pairs if isinstance(pairs, Refusal) else new_steps(pairs)
    if isinstance(pairs, Refusal) or isinstance(steps, Refusal):
        return NO_FACTS
    return Facts(
        steps.is_new,
        steps.new_variable_changes,
        partial(_in_old_witness, pairs=pairs),
        partial(_without_old_witness, pairs=pairs),
    )


def steps_that_are_new(told: Told, model: Model, facts: Facts) -> frozenset[int] | None:
    """The numbers, from 0, of steps of the evidence that the old model does not have; None if that is not known."""
    path = told.answer.evidence
    if facts.is_new is None or told.model is not model or not isinstance(path, Path):
        return None
    is_new = facts.is_new
    taken = [taken_by(replace(path, steps=(step,)), model) for step in path.steps]
    return frozenset(number for number, steps in enumerate(taken) if bool((steps & is_new).any()))


def _in_old_witness(reply: Reply, *, pairs: Pairing) -> Flags:
    """The steps of the new model that the witness of the old one takes, too; none if it has none."""
    new, before = reply.evaluation.model, _before(reply, pairs)
    old = None if before is None else witness(before)
    nothing: Flags = np.zeros(new.transitions, dtype=np.bool_)
    return nothing if old is None else taken_by(reuse(old.path, pairs).path, new)


def _without_old_witness(reply: Reply, *, pairs: Pairing) -> str:
    """Why the witness of the old model is none of the new one, as a sentence; nothing if it is."""
    before = _before(reply, pairs)
    if before is None:
        return "Of the older version this cannot be asked."
    old = witness(before)
    if old is None:
        return "The older version has no such run."
    stop = reuse(old.path, pairs).stop
    if stop is None:
        return ""
    return f"The run of the older version cannot be taken from its step {stop.step + 1} on: {stop.explanation}."


def _before(reply: Reply, pairs: Pairing) -> Reply | None:
    """The same question about the old model; None if it is about what that does not have."""
    fair = reply.evaluation.fair
    if fair is not None and why_unfair("", pairs.old) is not None:
        return None
    try:
        evaluation = Evaluation(reply.question.shown, pairs.old, fairness=() if fair is None else fair.fairness)
    except InputError:
        return None
    return replace(reply, evaluation=evaluation)
