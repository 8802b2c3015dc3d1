"""Can an error be reached, whatever the inputs are? Several engines in turn, within one budget of time.

What an engine says is a suggestion: an invariant counts when a solver of its own found it inductive, a walk when the
reference semantics has followed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar, final

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Phase, Rest
from stateglass.unbounded.reachability import proofs
from stateglass.unbounded.reachability.attempts import Attempt
from stateglass.unbounded.results import GivenUp, Proof, Walk
from stateglass.unbounded.time import Deadline
from stateglass.work import Progress

T = TypeVar("T")
GROWTH: Final = 3
"""Each round of engines may do so many times the work of the one before it."""


@final
@dataclass(frozen=True, slots=True)
class Proved:
    """No error can be reached: an inductive invariant says so."""

    proof: Proof


@final
@dataclass(frozen=True, slots=True)
class Reached(Generic[T]):
    """An error is reached by a run that the reference semantics has; `confirmed` is what whoever asked makes of it."""

    walk: Walk
    confirmed: T


@final
@dataclass(frozen=True, slots=True)
class Tried:
    """How far engines came: the last word of each, and walks that may be runs, of which the last one counts."""

    last: dict[str, str] = field(default_factory=dict)
    candidates: list[Walk] = field(default_factory=list)

    @property
    def candidate(self) -> Walk | None:
        return self.candidates[-1] if self.candidates else None

    def text(self) -> str:
        listed = "; ".join(f"{name}: {said.removesuffix('.')}" for name, said in self.last.items() if said)
        return f"what was said last is {listed}" if listed else ""


def decide(
    flow: Flow,
    attempts: tuple[Attempt, ...],
    confirmed: Callable[[Walk], T | str],
    time: Deadline,
    progress: Progress,
    tried: Tried,
) -> Proved | Reached[T] | GivenUp:
    """Whether a rest can be reached where an error has happened.

    `confirmed` follows a walk by the reference semantics, or says why it cannot. Code that is not modelled must not be
    reached, either: else it may be where errors are.
    """
    return _Deciding(flow, attempts, confirmed, time, progress, tried).run()


@final
class _Deciding(Generic[T]):
    def __init__(
        self,
        flow: Flow,
        attempts: tuple[Attempt, ...],
        confirmed: Callable[[Walk], T | str],
        time: Deadline,
        progress: Progress,
        tried: Tried,
    ) -> None:
        self._flow = flow
        self._attempts = attempts
        self._confirmed = confirmed
        self._time = time
        self._progress = progress
        self._tried = tried
        self._errors = frozenset(rest.number for rest in flow.of_phase(Phase.FAILED))
        self._lost = {rest.number: rest for rest in flow.of_phase(Phase.LOST)}
        self._reached_lost: list[Rest] = []
        self._refused: list[str] = []
        self._for_good: dict[str, GivenUp] = {}  # those that more time does not help

    def run(self) -> Proved | Reached[T] | GivenUp:
        for attempt, time in self._turns():
            found = self._tried_with(attempt, time)
            if found is not None:
                return found
            if not self._errors and not self._lost:
                break
        return self._gave_up()

    def _turns(self) -> Iterator[tuple[Attempt, Deadline]]:
        """Engines and how much each may do, in growing rounds, until none is left or time is over."""
        scale = 1
        while not self._time.is_over():
            left = [a for a in self._attempts if a.label not in self._for_good]
            if not left:
                return
            for attempt in left:
                if self._time.is_over():
                    return
                # Who is alone needs not hurry.
                yield attempt, self._time if len(left) == 1 else self._time.part(attempt.effort * scale)
            scale *= GROWTH

    def _tried_with(self, attempt: Attempt, time: Deadline) -> Proved | Reached[T] | GivenUp | None:
        """What an engine comes to; None if that decides nothing."""
        while not time.is_over():
            bad = self._errors | self._lost.keys()
            result = attempt.run(self._flow, bad, time, telling(self._tried, attempt.label, self._progress))
            match result:
                case Proof():
                    # It was found in time: looking at it again is what all the time was for.
                    problem = proofs.check(self._flow, result, bad, self._time)
                    if problem:
                        self._note(attempt, f"what it found proves nothing: {problem}")
                        self._drop(attempt, Reason.SOLVER, problem)
                        return None
                    return self._proved(result)
                case Walk():
                    found = self._followed(attempt, result)
                    if found is not None:
                        return found
                    if attempt.label in self._for_good:
                        return None
                case GivenUp():
                    self._note(attempt, result.why)
                    self._tried.candidates.extend(filter(None, [result.candidate]))
                    if result.reason is not Reason.TIMEOUT:
                        self._for_good[attempt.label] = result
                    return None
        return None

    def _followed(self, attempt: Attempt, walk: Walk) -> Reached[T] | None:
        end = self._flow.stretches[walk.stretches[-1]].target
        lost = self._lost.pop(end, None)
        if lost is not None:
            # What lies behind is not known; an error elsewhere is one all the same.
            self._reached_lost.append(lost)
            return None
        self._tried.candidates.append(walk)
        self._note(attempt, "a run to an error was found, and being followed")
        self._progress("following the run that was found", steps=len(walk.stretches))
        confirmed = self._confirmed(walk)
        if not isinstance(confirmed, str):
            return Reached(walk, confirmed)
        self._refused.append(confirmed)
        self._note(attempt, f"the run that it found is none of the code: {confirmed}")
        self._drop(attempt, Reason.UNSUPPORTED, confirmed)
        return None

    def _proved(self, proof: Proof) -> Proved | GivenUp:
        if not self._reached_lost:
            return Proved(proof)
        return replace(self._lost_way(), engine=proof.engine, rounds=proof.rounds, predicates=proof.predicates)

    def _lost_way(self) -> GivenUp:
        lost = self._reached_lost[0]
        where = f" ({lost.span.file}:{lost.span.line})" if lost.span.line else ""
        reason = Reason.BOUND if lost.bound else Reason.UNSUPPORTED
        why = f"a run leads to what is not known: {lost.what}{where}"
        return GivenUp(reason, why, "", candidate=self._tried.candidate)

    def _gave_up(self) -> GivenUp:
        """The gravest reason why nothing is known."""
        engine = self._attempts[-1].name if len(self._attempts) == 1 else ""
        if self._refused:
            why = f"a run was found that the reference semantics does not have: {self._refused[0]}"
            return GivenUp(Reason.UNSUPPORTED, why, engine, candidate=self._tried.candidate)
        if self._reached_lost:
            return replace(self._lost_way(), engine=engine)
        if self._time.is_over() or not self._for_good:
            return GivenUp(Reason.TIMEOUT, self._tried.text(), engine, candidate=self._tried.candidate)
        last = list(self._for_good.values())[-1]
        reason = last.reason if len(self._for_good) == 1 else Reason.SOLVER
        return replace(last, reason=reason, why=self._tried.text(), candidate=self._tried.candidate)

    def _drop(self, attempt: Attempt, reason: Reason, why: str) -> None:
        self._for_good[attempt.label] = GivenUp(reason, why, attempt.name)

    def _note(self, attempt: Attempt, text: str) -> None:
        self._tried.last[attempt.label] = text


def telling(tried: Tried, label: str, progress: Progress) -> Progress:
    """Progress of an engine with its name; what it said last is kept."""

    def tell(phase: str, /, **counts: int) -> None:
        listed = ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in counts.items())
        tried.last[label] = phase + (f" ({listed})" if listed else "")
        progress(f"{label}, {phase}", **counts)

    return tell
