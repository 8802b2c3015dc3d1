"""From two models to whether they are related, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never, final

from stateglass.check import truth_at_start
from stateglass.model import Model
from stateglass.reduce import Equivalence
from stateglass.relate import MOST_CASES as MOST_CASES
from stateglass.relate import (
    RELATIONS,
    Answer,
    By,
    Claim,
    Patience,
    Related,
    Trace,
    Undecided,
    Unrelated,
    compare,
)
from stateglass.relate import SECONDS_TO_EXPLAIN as SECONDS_TO_EXPLAIN
from stateglass.relate import Side as Side
from stateglass.relate import Traces as Traces
from stateglass.work import OutOfTime, Progress, silent

NAMES_OF_RELATIONS = tuple(RELATIONS)


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two models are related (None: it cannot be said, for this reason), and if not, why."""

    by: By
    related: bool | None
    reason: str = ""
    traces: Traces = Traces.UNKNOWN
    trace: Trace | None = None
    claim: Claim | None = None  # confirmed on both models
    without_claim: str = ""
    interrupted: bool = False  # the search for reasons was


def compare_models(
    a: Model,
    b: Model,
    by: str,
    keep: Sequence[str] = (),
    names: tuple[str, str] = ("the first model", "the second model"),
    most_cases: int = MOST_CASES,
    progress: Progress = silent,
    seconds_to_explain: float = SECONDS_TO_EXPLAIN,
) -> Comparison:
    """From two models to whether they are related; only what was confirmed is said."""
    relation = RELATIONS.get(by) or Equivalence(by)
    patience = Patience(progress, seconds_to_explain)
    # Two models become an answer: the relation is decided, and a difference explained.
    answer = compare(a, b, relation, keep=keep, names=names, most=most_cases, progress=progress, patience=patience)
    # An explanation is checked by an evaluator that knows nothing of how it was found.
    progress("checking the explanation")
    return confirm(a, b, relation, answer, patience)


def confirm(a: Model, b: Model, by: By, answer: Answer, patience: Patience) -> Comparison:
    """The answer with the first of its claims that is true of the model it names and false of the other."""
    match answer:
        case Related():
            return Comparison(by, True)
        case Undecided():
            return Comparison(by, None, answer.reason)
        case Unrelated() if answer.needs_proof:
            proof = _confirmed(a, b, answer.claims, patience.progress)
            if proof is None:
                reason = "the difference that was found depends on what was not explored"
                return Comparison(by, None, reason, interrupted=answer.interrupted)
            return Comparison(by, False, "", answer.traces, answer.trace, proof, interrupted=answer.interrupted)
        case Unrelated():
            claim, why, interrupted = None, answer.without_formula, answer.interrupted
            patience.begin()
            try:
                claim = _confirmed(a, b, answer.claims, patience)
                why = why or ("" if claim else "none could be confirmed")
            except OutOfTime:
                why = f"none was confirmed within {patience.limit} (--explain)"
            except KeyboardInterrupt:
                why, interrupted = "the check of it was interrupted", True
            return Comparison(by, False, "", answer.traces, answer.trace, claim, why, interrupted)
        case _:
            assert_never(answer)


def _confirmed(a: Model, b: Model, claims: Sequence[Claim], progress: Progress) -> Claim | None:
    for claim in claims:
        one, other = (a, b) if claim.true_of is Side.FIRST else (b, a)
        true_of_one = truth_at_start(claim.formula, one, progress) is True
        if true_of_one and truth_at_start(claim.formula, other, progress) is False:
            return claim
    return None
