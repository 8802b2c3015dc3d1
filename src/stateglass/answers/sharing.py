"""Claims on threads that share variables directly: they take turns in one system, and every engine knows that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, final

from stateglass.answers.answering import first_part
from stateglass.answers.checking import Checked, Checking, check_claims, undecided
from stateglass.answers.claims import nodes
from stateglass.answers.confirming import Explored, decided_on
from stateglass.answers.how import How, Predicates, Stopped, is_decidable, refuse_predicates
from stateglass.answers.turns import checked_in_turns
from stateglass.answers.without_bounds import WithoutBounds
from stateglass.check.events import matcher
from stateglass.check.stuttering import is_stutter_invariant
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Answer, Path, Reason, Support, Verdict
from stateglass.explore import Manner, explore
from stateglass.explore.stretches import NoFlow, Seen, flow_of
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.logic.reading import read_claim
from stateglass.model import Model, ModelBuilder, Relation
from stateglass.source import Code, InputError
from stateglass.system.concrete import concretised
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.given import Given
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.threads.deciding import READING, not_counted
from stateglass.unbounded.threads.systems import Setting
from stateglass.unbounded.threads.turns.given import read_for_turns
from stateglass.unbounded.threads.turns.retelling import done_again, problem_of_threads, retold
from stateglass.unbounded.threads.turns.systems import Asked, Taking, Turns
from stateglass.unbounded.threads.turns.wording import STOPS, Words, condition_texts, in_words_of, without_unmet
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress
from stateglass.work.in_time import in_time

SHARE: Final = 8
"""Engines that do not look at every state may do the work of this part of the time before all states are looked at."""
FIRST_LOOKS: Final = (4_000, 20_000)
"""Where there are no more states than this, all of them are looked at before anything else is tried."""


NOT_FOLLOWED: Final = "A run that violates it was found, and there was not enough time to execute it again."
Otherwise = Callable[[Claim, Deadline], Checked | str]
"""Who is asked for what is not known of turns: an answer, or why there is none."""


def answer_turns(
    setting: Setting,
    manner: Manner,
    claims: Sequence[Claim],
    engine: Engine,
    progress: Progress,
    predicates: Predicates,
    otherwise: Otherwise,
) -> tuple[Checking, tuple[str, ...]]:
    """The answers, and what was noticed on the way."""
    if predicates.texts:
        refuse_predicates(engine)
    try:
        answering = in_time(manner.left(), _Answering, setting, manner, engine, progress, predicates, otherwise)
    except OutOfTime:
        return undecided(claims, READING), ()
    return answering.run(claims)


@final
class _Answering:
    """Answers claims one after the other; each sees what it asks about and nothing else."""

    def __init__(
        self,
        setting: Setting,
        manner: Manner,
        engine: Engine,
        progress: Progress,
        predicates: Predicates,
        otherwise: Otherwise,
    ) -> None:
        self._setting = setting
        self._predicates = predicates
        self._otherwise = otherwise
        self._manner = manner
        self._engine = engine
        self._progress = progress
        self._taking = Taking(setting)
        self._words = Words(setting, self._taking.labels, self._taking.wording)
        self._time = Deadline(manner.left())
        self._known: dict[Asked, Turns] = {}
        self._is_open = False  # inputs have no bounds

    def run(self, claims: Sequence[Claim]) -> tuple[Checking, tuple[str, ...]]:
        checking = checked_in_turns(claims, self._time, self._answered, self._progress)
        return replace(checking, is_open=self._is_open), ()

    def _turns(self, asked: Asked) -> Turns:
        """The system as a claim sees it; once inputs turned out to have no bounds, they have any value."""
        if asked not in self._known:
            try:
                self._known[asked] = self._taking.system(asked, open=self._is_open)
            except InputError as error:
                others = any(problem.code is not Code.MISSING_BOUND for problem in error.diagnostics)
                if self._is_open or others or self._engine is Engine.EXPLICIT:
                    raise
                self._is_open = True
                return self._turns(asked)
        return self._known[asked]

    def _answered(self, claim: Claim, time: Deadline) -> Checked:
        try:
            if time.left() <= 0:
                raise OutOfTime
            return in_time(time.late(), self._answer, claim, time)
        except OutOfTime:
            nothing = ModelBuilder().build(1)
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.TIMEOUT, READING)
            return Checked(claim, answer, nothing, asked=nothing)
        except Stopped as stopped:
            # An engine was asked in its own words, or whether there is an error of any kind.
            found = stopped.checked
            own = replace(found, claim=claim, answer=replace(found.answer, claim=claim.title))
            raise Stopped(replace(own, model=self._renamed(own.model))) from None

    def _answer(self, claim: Claim, time: Deadline) -> Checked:
        try:
            own, asked = self._words.translated(claim)
            if isinstance(own.content, temporal.Formula) and not is_stutter_invariant(
                own.content, lambda pattern, label: matcher(pattern)(label)
            ):
                raise NotKnown("it depends on how many silent steps there are")
            if problem := not_counted(own, self._taking.systems):
                raise NotKnown(problem)
            found = self._decided(own, asked, time)
        except (NotKnown, NoFlow) as problem:
            other = self._otherwise(claim, time)
            if isinstance(other, Checked) and other.answer.verdict is not Verdict.INCONCLUSIVE:
                return other
            nothing, more = ModelBuilder().build(1), other if isinstance(other, str) else other.answer.explanation
            why = f"{problem}; where processes hold what is shared: {more}"
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, why)
            return Checked(claim, answer, nothing, asked=nothing)
        return self._told(claim, asked, found)

    # ---- who decides

    def _decided(self, claim: Claim, asked: Asked, time: Deadline) -> Checked:
        turns = self._turns(asked)
        given = read_for_turns(self._predicates.texts, turns, self._taking.threads, self._predicates.places)
        if self._is_open or self._engine not in (Engine.AUTO, Engine.EXPLICIT):
            return self._without(claim, asked, turns, self._first(turns, claim), time, given)
        if self._engine is Engine.EXPLICIT:
            return self._on_states(claim, turns, asked, self._manner.max_states)
        first, second = FIRST_LOOKS
        found = self._on_states(claim, turns, asked, first)
        if found.answer.verdict is Verdict.INCONCLUSIVE:
            found = self._on_states(claim, turns, asked, second)
        if found.answer.verdict is not Verdict.INCONCLUSIVE:
            return found
        # Where all states can be looked at afterwards, nobody takes all the time before.
        own = time.worth(self._manner.timeout / SHARE)
        other = self._without(claim, asked, turns, found.model, own, given)
        if other.answer.verdict is not Verdict.INCONCLUSIVE:
            return other
        last = self._on_states(claim, turns, asked, self._manner.max_states)
        return other if last.answer.verdict is Verdict.INCONCLUSIVE else last

    def _first(self, turns: Turns, claim: Claim) -> Model:
        """The first state, from which it is known which names there are."""
        system = concretised(turns.system) if self._is_open else turns.system
        model = self._with_labels(explore(system, replace(self._manner, max_states=1)).model, claim)
        refuse_unknown_words([claim], model, all_met=False)
        return model

    def _with_labels(self, model: Model, claim: Claim) -> Model:
        """A model that knows the events of a claim, which may never happen in it."""
        meant = {n.pattern for n in nodes(claim.content) if isinstance(n, temporal.Happens)}
        more = [label for label in sorted(pattern.replace("*", "") for pattern in meant) if label not in model.labels]
        return replace(model, labels=(*model.labels, *more))

    def _on_states(self, claim: Claim, turns: Turns, asked: Asked, most: int) -> Checked:
        manner = replace(self._manner, max_states=most).watching(asked.watched)
        found = explore(turns.system, manner, progress=self._progress)
        if found.interrupted:
            raise KeyboardInterrupt
        is_first = found.is_cut and most < self._manner.max_states
        model = self._with_labels(first_part(found.model) if is_first else found.model, claim)
        code = Explored(turns.system, manner)
        checking = check_claims(model, [claim], code=code, progress=self._progress)
        if checking.interrupted:
            raise KeyboardInterrupt
        return replace(checking.checked[0], asked=model)

    def _without(
        self, claim: Claim, asked: Asked, turns: Turns, first: Model, time: Deadline, given: tuple[Given, ...]
    ) -> Checked:
        """The answer by engines that do not look at every state."""
        answering = WithoutBounds(turns.system, self._manner, How(self._engine, given), first, self._progress)
        if asked.deadlock and not turns.woven.deadlocks:
            # Wherever all threads can rest together, one of them can go on.
            rests_on = Support(turns.woven.spots, ())
            return Checked(claim, Answer(claim.title, Verdict.HOLDS, None, "", rests_on), _whole(first))
        if asked.deadlock:
            # Where there is no error of any kind, it is not one that nothing can happen.
            found = answering.answer(read_claim(BuiltIn.NO_ERROR.value), time)
            path = found.answer.evidence
            is_error = isinstance(path, Path) and not any(map(matcher(STOPS), (step.action for step in path.steps)))
            if found.answer.verdict is not Verdict.INCONCLUSIVE and not is_error:
                return replace(found, claim=claim)
        if not is_decidable(claim, self._manner, self._engine):
            why = f"the engine `{self._engine.value}` does not decide it"
            return Checked(claim, Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, why), first)
        flow = flow_of(turns.system, Seen(events=True), self._progress, time.left())
        try:
            return answering.answer(without_unmet(claim, flow), time)
        except InputError as error:
            # Which events there are was looked at before: these have arguments that never come.
            raise NotKnown(f"whether it may happen is not known: {error.diagnostics[0].message}") from None

    # ---- what is told of it

    def _told(self, claim: Claim, asked: Asked, found: Checked) -> Checked:
        answer = replace(found.answer, claim=claim.title)
        if answer.decided is not None:
            texts = answer.decided.invariant, answer.decided.told_apart
            invariant, told_apart = (condition_texts(both, self._setting.threads) for both in texts)
            answer = replace(answer, decided=replace(answer.decided, invariant=invariant, told_apart=told_apart))
        if answer.verdict is Verdict.VACUOUS:
            answer = replace(answer, explanation=in_words_of(claim, found.claim, answer.explanation))
        model = self._renamed(found.asked or found.model)
        if claim.content is BuiltIn.NO_DEADLOCK and answer.verdict is Verdict.HOLDS:
            answer = replace(answer, explanation="No deadlock can be reached.")
        if not isinstance(answer.evidence, Path):
            return Checked(claim, replace(answer, evidence=answer.evidence), self._renamed(found.model), asked=model)
        try:
            again = self._again(asked, found)
        except OutOfTime:
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.TIMEOUT, NOT_FOLLOWED, decided=answer.decided)
            return Checked(claim, answer, model, asked=model)
        if isinstance(again, str):
            why = f"its evidence could not be executed again: {again}"
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, why, decided=answer.decided)
            return Checked(claim, answer, model, asked=model)
        path, run, waits = again
        if waits:
            answer = replace(answer, explanation=f"A deadlock can be reached: {waits}.")
        answer = replace(answer, evidence=path, confirmed_by=("reference",))
        return Checked(claim, answer, self._renamed(run), asked=model)

    def _again(self, asked: Asked, found: Checked) -> tuple[Path, Model, str] | str:
        """The run as threads do it: each access is told, and each thread does its part."""
        path = found.answer.evidence
        assert isinstance(path, Path)
        turns = self._turns(replace(asked, accesses=True))
        manner = self._manner.watching(asked.watched)
        done = done_again(turns, path, manner)
        if isinstance(done, str):
            return done
        run, retracing = done
        answer, model = decided_on(
            found.claim, run, retracing, self._with_labels(found.model, found.claim), self._progress
        )
        if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
            return "the run that was executed violates nothing"
        problem = problem_of_threads(answer.evidence, model.valuation(model.initial), turns, self._taking, self._manner)
        if problem:
            return problem
        told = retold(answer.evidence, model, turns, self._taking)
        return told.path, told.model, told.waits

    def _renamed(self, model: Model) -> Model:
        """A model that says what it is of."""
        return replace(
            model, origin=replace(model.origin, subject=self._taking.subject, assumptions=self._taking.assumptions)
        )


def _whole(first: Model) -> Model:
    """The first part of a model where it is enough: that there is more is no reason for doubt."""
    return replace(first, unexplored=None, origin=replace(first.origin, relation=Relation.EXACT, partial=()))
