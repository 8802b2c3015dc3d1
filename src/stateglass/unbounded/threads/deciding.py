"""Claims on threads whose data is not bounded: proved on abstract models, or violated by runs of the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

from stateglass.check.deciding import decide
from stateglass.evidence import Answer, Path, Reason, Support, Verdict
from stateglass.explore import Manner
from stateglass.explore.stepwise import Failure
from stateglass.explore.stretches import NoFlow
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.model import Model, Origin
from stateglass.source import counted
from stateglass.system import System
from stateglass.system.threads import Threads
from stateglass.unbounded.executing import executed
from stateglass.unbounded.results import Walk
from stateglass.unbounded.threads.abstract import AbstractThread
from stateglass.unbounded.threads.composing import Composition, composed
from stateglass.unbounded.threads.executing import run_model
from stateglass.unbounded.threads.flows import NotLabelled
from stateglass.unbounded.threads.parts import team_of
from stateglass.unbounded.threads.preparing import Prepared, prepared
from stateglass.unbounded.threads.refining import Abandoned, Effort, Found, Loop, Proved
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

MOST_TOGETHER: Final = 1_000_000
"""So many states abstract models have at most together."""


@final
@dataclass(frozen=True)
class Decided:
    """An answer, and the composition that its evidence is a run of, or that was looked at."""

    answer: Answer
    composition: Composition | None = None
    asked: Model | None = None  # what the abstract models do together, if it is another one


def decide_threads(
    claim: Claim, threads: Threads, systems: Sequence[System | None], manner: Manner, time: Deadline, progress: Progress
) -> Decided:
    """The answer to a claim, whatever values inputs have."""
    if claim.content not in (BuiltIn.NO_ERROR, BuiltIn.NO_DEADLOCK):
        why = "without bounds, claims on threads are no-error and no-deadlock"
        return Decided(Answer(claim.title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, why))
    return _Deciding(claim, threads, systems, manner, time, progress).run()


@final
class _Deciding:
    def __init__(
        self,
        claim: Claim,
        threads: Threads,
        systems: Sequence[System | None],
        manner: Manner,
        time: Deadline,
        progress: Progress,
    ) -> None:
        self._claim = claim
        self._threads = threads
        self._systems = systems
        self._manner = manner
        self._time = time
        self._progress = progress

    def run(self) -> Decided:
        try:
            ready = prepared(self._threads, self._systems, {}, {}, lambda label, known: False, self._progress)
        except (NoFlow, NotLabelled) as problem:
            return self._open(Reason.UNSUPPORTED, str(problem))
        outcome = self._loop(ready).run(self._find)
        match outcome:
            case Proved(whole, effort):
                words = f"{_proved(self._claim)} {_effort(effort)}"
                support = Support(whole.model.states, ())
                return Decided(Answer(self._claim.title, Verdict.HOLDS, None, words, support), whole)
            case Found(is_lost=True) as found:
                return self._lost(ready, found.walks)
            case Found() as found:
                return self._confirmed(ready, found)
            case Abandoned(reason, why, effort):
                return self._open(reason, f"{why}. {_effort(effort)}")
            case other:
                assert_never(other)

    def _loop(self, ready: Prepared) -> Loop:
        abstract = {
            number: AbstractThread(number, flow, self._origin(number), self._time)
            for number, flow in ready.flows.items()
        }
        return Loop(ready.team, abstract, {}, MOST_TOGETHER, self._time, self._progress)

    def _origin(self, number: int) -> Origin:
        system = self._systems[number]
        assert system is not None
        return Origin(
            subject=system.subject, files=system.program.files, bounds=system.bounds, assumptions=system.assumptions
        )

    def _find(self, whole: Composition) -> Path | None:
        path = decide(self._claim, whole.model, progress=self._progress).evidence
        return path if isinstance(path, Path) else None

    def _open(self, reason: Reason, why: str) -> Decided:
        return Decided(Answer(self._claim.title, Verdict.INCONCLUSIVE, reason, why))

    def _lost(self, ready: Prepared, walks: Mapping[int, Walk]) -> Decided:
        """A run comes to code that is not known."""
        for number, walk in walks.items():
            rest = ready.flows[number].flow.rests[ready.flows[number].flow.stretches[walk.stretches[-1]].target]
            if rest.phase.value == "lost":
                reason = Reason.BOUND if rest.bound else Reason.UNSUPPORTED
                who = self._threads.threads[number].name
                why = f"`{who}` comes to where it is not known what follows: {rest.what} ({rest.span})"
                return self._open(reason, why)
        raise AssertionError("somebody has come to code that is not known")

    def _confirmed(self, ready: Prepared, run: Found) -> Decided:
        """A violation by a run that each thread has done; what the reference does otherwise is no violation."""
        models: list[Model | None] = [None] * len(self._systems)
        for number, walk in run.walks.items():
            system = self._systems[number]
            assert system is not None
            found = executed(system, ready.flows[number].flow, walk, self._manner)
            if isinstance(found, Failure):
                name = self._threads.threads[number].name
                why = f"a run that formulas show could not be executed: `{name}`: {found.reason}"
                return self._open(Reason.UNSUPPORTED, why)
            models[number] = run_model(found)
        team = team_of(self._threads, models, ready.team.alphabets)
        whole = composed(team, self._manner.max_states, {}, self._progress)
        answer = decide(self._claim, whole.model, progress=self._progress)
        if answer.verdict is not Verdict.VIOLATED or not isinstance(answer.evidence, Path):
            return self._open(Reason.UNSUPPORTED, "a run that formulas show does not violate the claim when executed")
        explained = f"{answer.explanation} {_effort(run.effort)}"
        return Decided(replace(answer, explanation=explained), whole, run.whole.model)


def _proved(claim: Claim) -> str:
    what = "deadlock" if claim.content is BuiltIn.NO_DEADLOCK else "error"
    return f"No {what} can be reached, whatever values inputs have."


def _effort(effort: Effort) -> str:
    states = counted(effort.states, "abstract state")
    return f"{counted(effort.rounds, 'round')}, {counted(effort.predicates, 'predicate')}, {states}."
