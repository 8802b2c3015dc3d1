"""The loop of abstraction and refinement for threads: only abstract models are put together, and each thread is
refined by itself [Chaki et al., Modular verification of software components in C, ICSE 2003]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import final

from stateglass.check.builtin import decide_builtin
from stateglass.evidence import Path, Reason
from stateglass.logic.claims import BuiltIn
from stateglass.smt import Unanswered
from stateglass.unbounded.abstraction.refining import Refined, Stuck
from stateglass.unbounded.results import Walk
from stateglass.unbounded.threads.abstract import AbstractThread, Round
from stateglass.unbounded.threads.flows import LOST
from stateglass.unbounded.threads.joining import Interest
from stateglass.unbounded.threads.parts import Part, Team
from stateglass.unbounded.threads.repeating import Later, Ranked, Repeated, Unsure, repeated
from stateglass.unbounded.threads.wholes import Whole, whole_of
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress


@final
@dataclass(frozen=True, slots=True)
class Effort:
    """How far the loop came."""

    rounds: int
    predicates: int


@final
@dataclass(frozen=True)
class Proved:
    """No run of the abstract models is one that was looked for."""

    whole: Whole
    effort: Effort


@final
@dataclass(frozen=True)
class Found:
    """A run that each thread can do, as far as formulas tell."""

    whole: Whole
    walks: Mapping[int, Walk]  # by thread
    loops: Mapping[int, int]  # by thread: the first stretch that is repeated for ever
    effort: Effort
    ends: bool = False  # nothing can follow it
    is_lost: bool = False  # it comes to code that is not known


@final
@dataclass(frozen=True, slots=True)
class Abandoned:
    """Why the loop ended without an answer."""

    reason: Reason
    why: str
    effort: Effort


Outcome = Proved | Found | Abandoned
Find = Callable[[Whole], Path | None]


@final
class Loop:
    """Threads that are refined until no abstract run is left that is looked for, or one is real."""

    def __init__(
        self,
        team: Team,
        abstract: Mapping[int, AbstractThread],
        interest: Interest,
        most_states: int,
        time: Deadline,
        progress: Progress,
    ) -> None:
        """`team` has the processes, and a place for each thread that is `abstract`, by its number.

        `interest` is what `find` looks at, besides who comes to code that is not known.
        """
        self._team = team
        self._abstract = abstract
        self._interest = Interest(lambda label: label == LOST or interest.label(label), interest.value)
        self._most_states = most_states
        self._time = time
        self._progress = progress
        self._rounds: dict[int, Round] = {}
        self._stale = set(abstract)
        self._iteration = 0
        self._later = Later()

    @property
    def effort(self) -> Effort:
        predicates = sum(len(thread.abstraction.predicates) for thread in self._abstract.values())
        return Effort(self._iteration, predicates)

    def run(self, find: Find) -> Outcome:
        """Looks for a run of the whole; `find` gives one of a composition of abstract models."""
        try:
            while not self._time.is_over():
                outcome = self._round(find)
                if outcome is not None:
                    return outcome
        except OutOfTime:
            pass
        except Unanswered:
            return Abandoned(Reason.SOLVER, "the solver does not know an answer", self.effort)
        return Abandoned(Reason.TIMEOUT, "no time is left", self.effort)

    def _round(self, find: Find) -> Outcome | None:
        self._iteration += 1
        for number in sorted(self._stale):
            self._rounds[number] = self._abstract[number].round(self._tell)
        self._stale.clear()
        whole = self._whole()
        if whole is None:
            why = f"the abstract models have more than {self._most_states:,} states together"
            return Abandoned(Reason.BOUND, why, self.effort)
        self._time.spend(whole.largest.states)
        path, is_lost = find(whole), False
        if path is None:
            path, is_lost = _path_to_lost(whole), True
        if path is None:
            if all(thread.confirms(self._rounds[number]) for number, thread in self._abstract.items()):
                return Proved(whole, self.effort)
            if self._time.is_over():
                raise OutOfTime
            return Abandoned(Reason.SOLVER, "why a loop ends was not confirmed", self.effort)
        return self._judged(whole, path, is_lost)

    def _whole(self) -> Whole | None:
        parts: list[Part] = []
        for part in self._team.parts:
            thread = self._abstract.get(part.thread)
            parts.append(part if thread is None else thread.part(self._rounds[part.thread]))
        return whole_of(replace(self._team, parts=tuple(parts)), self._interest, self._most_states, self._tell)

    def _judged(self, whole: Whole, path: Path, is_lost: bool) -> Outcome | None:
        """Whether a run is one of the code: each thread is asked by itself. None: it is not, and was ruled out."""
        taken = whole.taken(path)
        walks: dict[int, Walk] = {}
        loops: dict[int, int] = {}
        unsure: list[str] = []
        for at, part in enumerate(self._team.parts):
            thread = self._abstract.get(part.thread)
            if thread is None:
                continue
            rows, again = taken.of(at)
            found = repeated(thread, self._rounds[part.thread], rows, again, self._later, to_rest=path.ends)
            match found:
                case Repeated(walk, start):
                    walks[part.thread] = walk
                    if start is not None:
                        loops[part.thread] = start
                case Unsure():
                    unsure.append(self._team.threads.threads[part.thread].name)
                case Refined() | Ranked():
                    self._stale.add(part.thread)
                case Stuck(reason, why):
                    return Abandoned(reason, why, self.effort)
        if self._stale:
            return None
        if unsure:
            why = f"whether `{unsure[0]}` can go on for ever in a run that violates the claim is not known"
            return Abandoned(Reason.ABSTRACTION, why, self.effort)
        return Found(whole, walks, loops, self.effort, path.ends, is_lost)

    def _tell(self, phase: str, /, **counts: int) -> None:
        self._progress(phase, iteration=self._iteration, **counts)


def _path_to_lost(whole: Whole) -> Path | None:
    """A shortest run to code that is not known."""
    labels = tuple("error(lost)" if label == LOST else f"~{label}" for label in whole.model.labels)
    answer = decide_builtin(BuiltIn.NO_ERROR, replace(whole.model, labels=labels))
    path = answer.evidence
    if not isinstance(path, Path):
        return None
    steps = tuple(replace(s, action=LOST if s.action == "error(lost)" else s.action[1:]) for s in path.steps)
    return replace(path, steps=steps)
