"""The verdict on a scenario: whether the runs exist that show or refute its relations.

A relation that a run refutes is violated. One that no run refutes holds if its events can happen; else it says nothing
and is vacuous. Where parts of the behaviour are not known, or the model is an abstraction, it may be inconclusive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from stateglass.check.branching import why_unfair
from stateglass.check.ctl import Evaluation
from stateglass.check.events import matcher
from stateglass.check.positions import Positions
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.check.verdicts import Judgement, judged, missing
from stateglass.evidence import Reason, Verdict
from stateglass.logic.claims import Fairness
from stateglass.logic.temporal import Formula
from stateglass.model import Model, Relation
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.language import Event, Scenario, Vocabulary
from stateglass.scenarios.meaning import Question, example_of, questions
from stateglass.work import Progress, silent


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reply:
    """What is known of one relation; `impossible` are the events that cannot happen and make it vacuous."""

    question: Question
    verdict: Verdict
    evaluation: Evaluation
    reason: Reason | None = None
    words: str = ""  # why it is inconclusive
    impossible: tuple[Event, ...] = ()

    @property
    def has_run(self) -> bool:
        """Whether there is a run that shows the relation, or refutes it."""
        return self.evaluation.at_start() is True

    @property
    def may_have_run(self) -> bool:
        """The same, where not all is known."""
        return self.evaluation.at_start() is not False


@final
@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """The verdict on a scenario and the replies to its questions."""

    scenario: Scenario
    replies: tuple[Reply, ...]

    @property
    def deciding(self) -> Reply:
        """The reply that the verdict comes from."""
        return min(self.replies, key=lambda reply: _GRAVEST.index(reply.verdict))

    @property
    def verdict(self) -> Verdict:
        return self.deciding.verdict


_GRAVEST = (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.INCONCLUSIVE, Verdict.HOLDS)
assert set(_GRAVEST) == set(Verdict)


@final
class Validator:
    """Validates scenarios on one model; what many of them need is made once."""

    def __init__(self, model: Model, vocabulary: Vocabulary, progress: Progress = silent) -> None:
        self.model = model
        self.vocabulary = vocabulary
        self._progress = progress

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.model)

    def validate(self, scenario: Scenario) -> Validation:
        """The verdict on a scenario. Names that the model does not have are mistakes."""
        found = tuple(self.reply(q, scenario.fairness) for q in questions(scenario, self.vocabulary))
        return Validation(scenario, found)

    def reply(self, question: Question, fairness: Sequence[Fairness] = ()) -> Reply:
        evaluation = self.evaluation(question.shown, fairness)
        if fairness and (unfair := why_unfair("", self.model)) is not None:
            return Reply(question, unfair.verdict, evaluation, unfair.reason, unfair.explanation)
        judgement = self._judged(question, evaluation.at_start())
        if judgement.verdict is Verdict.HOLDS and question.needs:
            possible = {id(need): self.holds(need.formula) for need in question.needs}
            impossible = tuple(need.event for need in question.needs if possible[id(need)] is False)
            if impossible:
                return Reply(question, Verdict.VACUOUS, evaluation, impossible=impossible)
            # Of an abstraction nothing is certain to happen: there, what may happen is enough.
            if self.model.origin.relation is not Relation.OVER and None in possible.values():
                words = f"No run refutes it, but whether it says anything is not known. {missing(self.model)}"
                return Reply(question, Verdict.INCONCLUSIVE, evaluation, Reason.PARTIAL, words)
        words = judgement.words if judgement.verdict is Verdict.INCONCLUSIVE else ""
        return Reply(question, judgement.verdict, evaluation, judgement.reason, words)

    def example(self, reply: Reply) -> Reply:
        """The reply to whether the effect can follow the cause: its run shows what a relation speaks of."""
        return self.reply(example_of(reply.question, self.vocabulary))

    def holds(self, formula: Formula) -> bool | None:
        """Whether a formula holds in the initial state; None: not known."""
        return self.evaluation(formula, ()).at_start()

    def evaluation(self, formula: Formula, fairness: Sequence[Fairness]) -> Evaluation:
        known = why_unfair("", self.model) is None if fairness else True
        return Evaluation(formula, self.model, self._progress, fairness if known else (), self.positions)

    def _judged(self, question: Question, shown: bool | None) -> Judgement:
        truth = shown if not question.refutes or shown is None else not shown
        if self.model.origin.relation is not Relation.OVER:
            return judged(truth, self.model, invariant=True)
        invariant = is_stutter_invariant(claimed(question), lambda pattern, label: matcher(pattern)(label))
        return judged(truth, self.model, invariant=invariant)
