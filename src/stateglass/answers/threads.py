"""Claims on functions that run at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from typing import Final, final

from stateglass.answers.checking import Checked, Checking, undecided
from stateglass.answers.claims import names_asked, nodes, refuse_counting
from stateglass.answers.how import Predicates, Stopped
from stateglass.answers.prefixes import shortened
from stateglass.answers.turns import checked_in_turns
from stateglass.check.deciding import decide
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Answer, Path, Reason, Verdict, problem_of, told
from stateglass.explore import Manner
from stateglass.explore.stretches import NoFlow
from stateglass.logic.claims import BuiltIn, Claim, Conforms
from stateglass.logic.temporal import Happens
from stateglass.model import Model, ModelBuilder
from stateglass.source import Code, InputError, Span, input_error
from stateglass.system import System
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.threads.by_blocks import decided_by_steps
from stateglass.unbounded.threads.composing import Composition, may_do, may_know, with_first_values
from stateglass.unbounded.threads.conforming import conforms
from stateglass.unbounded.threads.deciding import Decided, Interrupted, decide_threads, not_counted
from stateglass.unbounded.threads.explicit import LEAST_TOGETHER, Explored, Explorer, Ready
from stateglass.unbounded.threads.following import Projection, followed
from stateglass.unbounded.threads.given import read_for_threads
from stateglass.unbounded.threads.joining import Shelf
from stateglass.unbounded.threads.scheduling import Scheduling, scheduled
from stateglass.unbounded.threads.systems import Setting, thread_systems
from stateglass.unbounded.threads.turns.wording import with_any_value
from stateglass.unbounded.threads.waiting import waits
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress, until
from stateglass.work.in_time import in_time

FIRST_LOOK: Final = 4_000
"""Threads with no more states than this are put together as they are, before anything is abstracted."""
FIRST_STEPS: Final = 5_000_000
"""So many steps of the code are done to find these states."""
FEW_TOGETHER: Final = 20_000
"""All that threads do together is looked at as it is if it has no more states."""
MOST_BY_STEPS: Final = 1_000_000
"""So many states blocks of threads have at most."""
EXPLORING: Final = 0.75
"""This part of the time is for the code of threads, each by itself; the rest is for all that they do together."""
LATE: Final = "The time was over before it was known what the threads do together."
SHARE: Final = 4
"""Abstraction may do the work of this part of the time before all states are looked at."""


def answer_threads(
    setting: Setting,
    manner: Manner,
    claims: Sequence[Claim],
    engine: Engine,
    progress: Progress,
    predicates: Sequence[str] = (),
    places: Mapping[str, Span] | None = None,
) -> tuple[Checking, tuple[str, ...]]:
    """The answers, and what was noticed on the way; `predicates` are conditions that abstractions begin with.

    `places` are those of predicates that stand in a file.
    """
    if setting.threads.is_direct:
        refuse_counting(claims)
        return _shared_directly(setting, manner, claims, engine, progress, Predicates(predicates, places or {}))
    if engine not in (Engine.AUTO, Engine.PREDICATE, Engine.EXPLICIT):
        help = "leave it out, or choose `predicate` or `explicit`"
        raise input_error(Code.USAGE, f"the engine `{engine.value}` does not know threads", help=help)
    if setting.scheduling is not None and engine is Engine.PREDICATE:
        message = "priorities are known of exact models only, and the engine `predicate` abstracts"
        raise input_error(Code.USAGE, message, help="choose `explicit`")
    if not manner.every_step:
        refuse_counting(claims)
    try:
        answering = in_time(manner.left(), _Answering, setting, manner, engine, progress, predicates, places or {})
    except OutOfTime:
        return undecided(claims, LATE), ()
    return answering.run(claims)


def _shared_directly(
    setting: Setting,
    manner: Manner,
    claims: Sequence[Claim],
    engine: Engine,
    progress: Progress,
    predicates: Predicates,
) -> tuple[Checking, tuple[str, ...]]:
    """Answers by turns; what is not known of these, by processes that hold what is shared, if it has few values."""
    from stateglass.answers.sharing import answer_turns
    from stateglass.unbounded.threads.holding import NotHeld, held

    if manner.every_step:
        raise input_error(Code.USAGE, "`--steps all` does not know threads that share variables directly")
    time = Deadline(manner.left())

    @cache
    def holding() -> _Answering | str:
        if engine not in (Engine.AUTO, Engine.PREDICATE, Engine.EXPLICIT):
            return f"the engine `{engine.value}` does not know threads"
        try:
            found = held(setting, manner, time, until(time.is_over, progress))
        except NoFlow as reason:
            return str(reason)
        except OutOfTime:
            return "no time is left"
        if isinstance(found, NotHeld):
            return found.why
        return _Answering(found, replace(manner, timeout=time.left()), engine, progress, (), {})

    def otherwise(claim: Claim, own: Deadline) -> Checked | str:
        found = holding()
        return found if isinstance(found, str) else found.answered(claim, own)

    try:
        return answer_turns(setting, manner, claims, engine, progress, predicates, otherwise)
    except InputError as refused:
        if predicates.texts or any(problem.code is not Code.UNSUPPORTED for problem in refused.diagnostics):
            raise
        with suppress(InputError):
            found = holding()
            if not isinstance(found, str):
                return found.run(claims)
        raise


@final
class _Answering:
    """Answers claims one after the other, by models of all that threads can do or by abstraction."""

    def __init__(
        self,
        setting: Setting,
        manner: Manner,
        engine: Engine,
        progress: Progress,
        predicates: Sequence[str],
        places: Mapping[str, Span],
    ) -> None:
        self._threads = setting.threads
        self._scheduling = setting.scheduling
        self._manner = manner
        self._engine = engine
        self._progress = progress
        self._time = Deadline(manner.left())
        self._until = until(self._time.is_over, progress)  # for what looks at no clock itself
        self._all_meant = setting.meant
        self._bounded = _bounded(setting, needed=engine is Engine.EXPLICIT or setting.scheduling is not None)
        self._open = thread_systems(setting, open=True)
        self._given = read_for_threads(predicates, setting.threads, self._open, places)
        self._ready: dict[tuple[frozenset[str], int], Ready | None] = {}
        self._together: dict[int, Explored | None] = {}  # None: there are too many states
        self._shelf = Shelf()

    def run(self, claims: Sequence[Claim]) -> tuple[Checking, tuple[str, ...]]:
        return checked_in_turns(claims, self._time, self.answered, self._progress), ()

    def answered(self, claim: Claim, time: Deadline) -> Checked:
        """The answer to one claim."""
        own = with_any_value(claim, self._threads)
        try:
            if time.left() <= 0:
                raise OutOfTime
            return replace(in_time(time.late(), self._decided, own, time), claim=claim)
        except Stopped as stopped:
            raise Stopped(replace(stopped.checked, claim=claim)) from None
        except OutOfTime:
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.TIMEOUT, LATE)
            return Checked(claim, answer, ModelBuilder().build(1))

    def _decided(self, claim: Claim, time: Deadline) -> Checked:
        if problem := not_counted(claim, self._open):
            answer = Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, problem)
            return Checked(claim, answer, ModelBuilder().build(1))
        if self._scheduling is not None:
            return self._on_scheduled(claim, self._scheduling)
        may_explore = self._engine is Engine.AUTO and self._bounded is not None
        if self._engine in (Engine.AUTO, Engine.EXPLICIT) and self._bounded is not None:
            most = self._manner.max_states if self._engine is Engine.EXPLICIT else FIRST_LOOK
            found = self._on_all(claim, most)
            if found is not None:
                return found
        # Where all states can be looked at afterwards, abstraction does not take all the time.
        own = time.worth(self._manner.timeout / SHARE) if may_explore else time
        meant = self._meant(claim)
        try:
            decided = decide_threads(
                claim, self._threads, self._open, meant, self._manner, own, self._progress, self._given
            )
        except Interrupted as early:
            raise Stopped(_of_abstraction(claim, early.decided, self._progress)) from None
        if decided.answer.verdict is Verdict.INCONCLUSIVE and may_explore:
            found = self._on_all(claim, self._manner.max_states)
            if found is not None:
                return found
        return _of_abstraction(claim, decided, self._progress)

    @cached_property
    def _explorer(self) -> Explorer:
        assert self._bounded is not None
        return Explorer(self._threads, self._bounded, self._until)

    def _on_all(self, claim: Claim, most: int) -> Checked | None:
        """The answer on a model of everything; None if there is more than was looked at."""
        assert self._bounded is not None
        asked, partly = names_asked([claim]), most == self._manner.max_states
        if (asked, most) not in self._ready:
            steps = FIRST_STEPS if most == FIRST_LOOK else 0
            manner = replace(self._manner, max_states=most, max_steps=steps, timeout=self._time.left() * EXPLORING)
            self._ready[asked, most] = self._explorer.ready(manner, asked, partly=partly)
        ready = self._ready[asked, most]
        if ready is None:
            return None
        found = None if ready.is_partial else self._on_few(claim, ready)
        if found is None and not ready.is_partial and not self._manner.every_step:
            found = self._by_steps(claim, ready)
        if found is None and partly:
            found = self._on_composed(claim, ready, most)
        return found

    def _on_scheduled(self, claim: Claim, scheduling: Scheduling) -> Checked:
        """The answer on all that happens where the most urgent threads go first."""
        asked = names_asked([claim])
        if (asked, 0) not in self._ready:
            # Whether a thread still computes, or waits, decides who else may go on: each step counts.
            manner = replace(self._manner, every_step=True, timeout=self._time.left() * EXPLORING)
            self._ready[asked, 0] = self._explorer.ready(manner, asked, partly=True)
        ready = self._ready[asked, 0]
        assert ready is not None
        if id(ready) not in self._together:
            most = self._manner.max_states
            composition = scheduled(ready.team, scheduling, ready.aliases, most, self._until)
            self._together[id(ready)] = Explored(composition, ready.manners)
        whole = self._together[id(ready)]
        assert whole is not None
        return self._on_whole(claim, whole)

    def _on_few(self, claim: Claim, ready: Ready) -> Checked | None:
        """All states together, if they are few: runs are shortest then."""
        if id(ready) not in self._together:
            found = ready.together(FEW_TOGETHER, self._until)
            self._together[id(ready)] = None if found.composition.model.partial else found
        whole = self._together[id(ready)]
        return None if whole is None else self._on_whole(claim, whole)

    def _on_composed(self, claim: Claim, ready: Ready, most: int) -> Checked:
        if ready.is_partial:
            # What is violated by what was found soonest is worth more than how much there is.
            first = self._on_whole(claim, ready.together(FEW_TOGETHER, self._until))
            if first.answer.verdict is Verdict.VIOLATED:
                return first
        return self._on_whole(claim, ready.together(max(most, LEAST_TOGETHER), self._until))

    def _on_whole(self, claim: Claim, whole: Explored) -> Checked:
        assert self._bounded is not None
        whole = replace(whole, composition=_with_events_of(claim, whole.composition))
        refuse_unknown_words([claim], whole.composition.model)
        return _on_model(claim, whole, self._bounded, self._meant(claim), self._until)

    def _by_steps(self, claim: Claim, ready: Ready) -> Checked | None:
        """The answer where threads are put together block by block; None if that is too much."""
        if self._meant(claim) is not None:
            return None
        found = decided_by_steps(claim, ready, self._shelf, MOST_BY_STEPS, self._until)
        if found is None:
            return None
        answer = found.answer
        if found.run is None or not isinstance(answer.evidence, Path):
            return Checked(claim, answer, found.largest, asked=found.largest)
        assert self._bounded is not None
        answer = shortened(claim, answer, found.run.model, self._until)
        checked = _confirmed(claim, answer, Explored(found.run, ready.manners), self._bounded)
        return replace(checked, asked=found.largest)

    def _meant(self, claim: Claim) -> Model | None:
        return self._all_meant[claim.content.file] if isinstance(claim.content, Conforms) else None


def _with_events_of(claim: Claim, composition: Composition) -> Composition:
    """With the events of a claim that stand in the code, whether any thread ever comes to them or not."""
    model = composition.model
    asked = dict.fromkeys(node.pattern for node in nodes(claim.content) if isinstance(node, Happens))
    more = [pattern for pattern in asked if pattern not in model.labels and may_know(composition.team, pattern)]
    return replace(composition, model=replace(model, labels=(*model.labels, *more))) if more else composition


def _bounded(setting: Setting, *, needed: bool) -> tuple[System | None, ...] | None:
    """The threads with bounds for all their inputs; None if some have none."""
    try:
        return thread_systems(setting, open=False)
    except InputError as error:
        if needed or any(problem.code is not Code.MISSING_BOUND for problem in error.diagnostics):
            raise
        return None


def _on_model(
    claim: Claim, whole: Explored, systems: Sequence[System | None], meant: Model | None, progress: Progress
) -> Checked:
    model = whole.composition.model
    if meant is not None:
        team = whole.composition.team
        answer = conforms(claim.title, model, meant, progress, lambda label: may_do(team, systems, label))
    else:
        answer = shortened(claim, decide(claim, model, progress=progress), model, progress)
    if not isinstance(answer.evidence, Path):
        return Checked(claim, answer, model, asked=model)
    return _confirmed(claim, answer, whole, systems)


def _confirmed(claim: Claim, answer: Answer, whole: Explored, systems: Sequence[System | None]) -> Checked:
    """An answer whose run each thread has done again by itself."""
    model = whole.composition.model
    assert isinstance(answer.evidence, Path)
    problem = followed(whole.composition, answer.evidence, systems, whole.manners)
    answer, shown = _told(claim, answer, whole.composition)
    if problem is not None:
        why = f"its evidence could not be executed again: {problem.reason}"
        reason = Reason.UNSUPPORTED if problem.is_sure else Reason.TIMEOUT
        answer = replace(answer, verdict=Verdict.INCONCLUSIVE, reason=reason, explanation=why)
    else:
        answer = replace(answer, confirmed_by=("reference",))
    return Checked(claim, answer, shown, asked=model)


def _of_abstraction(claim: Claim, decided: Decided, progress: Progress) -> Checked:
    whole = decided.composition
    if whole is None:
        model = decided.asked or ModelBuilder().build(1)
        return Checked(claim, decided.answer, model, asked=model)
    # Each thread has done its part of it: the model is made of nothing else.
    answer = shortened(claim, decided.answer, whole.model, progress)
    answer, shown = _told(claim, answer, whole)
    return Checked(claim, replace(answer, confirmed_by=("reference",)), shown, asked=decided.asked)


def _told(claim: Claim, answer: Answer, whole: Composition) -> tuple[Answer, Model]:
    """The answer with what each step changes and where it stands, and in a deadlock what everybody waits for.

    And the model with the values that are to be shown at first.
    """
    path = answer.evidence
    assert isinstance(path, Path) and not problem_of(path, whole.model)
    shown = with_first_values(whole, path).model
    found = told(path, shown)
    assert isinstance(found, Path)
    answer = replace(answer, evidence=replace(found, steps=Projection(whole, path).told(found.steps)))
    if claim.content is BuiltIn.NO_DEADLOCK and answer.verdict is Verdict.VIOLATED:
        last = path.steps[-1].target if path.steps else path.start
        answer = replace(answer, explanation=f"A deadlock can be reached: {waits(whole, last)}")
    return answer, shown
