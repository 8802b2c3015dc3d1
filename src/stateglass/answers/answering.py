"""From code and claims to answers: models for these claims, no larger than the answers need.

What a few states violate is violated, however many there are: a program whose counters go on for long need not be
explored to its end to find the mistake in its first steps. Where there are more states than are soon looked at, or
inputs have no bounds, engines are asked that do not look at every state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import floor
from typing import Final, final

from stateglass.answers.checking import NO_TIME, Checked, Checking, check_claims, members_of, undecided
from stateglass.answers.claims import refuse_counting
from stateglass.answers.confirming import Explored
from stateglass.answers.grouping import grouped, joined
from stateglass.answers.how import How, Stopped, is_decidable
from stateglass.answers.turns import in_turns
from stateglass.answers.wrapping import wrapping_notes
from stateglass.check.standing import standing_in
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Verdict
from stateglass.explore import Exploration, Manner, explore
from stateglass.explore.stepwise import prepare, unsigned_names
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.model import NO_RUN, NO_RUN_YET, Model
from stateglass.system import System
from stateglass.system.concrete import concretised
from stateglass.unbounded.engines import Engine
from stateglass.unbounded.time import Deadline
from stateglass.work import OutOfTime, Progress
from stateglass.work.in_time import in_time

FIRST_LOOKS: Final = (4_000, 64_000)
"""So many states are looked at before all of them are."""
FIRST_STEPS: Final = 20_000_000
"""After so many steps of the code the first look ends, too: a loop may count to a large number between two states."""
SHARE: Final = 4
"""Engines that do not look at every state may do the work of this part of the time before all states are looked at."""


def answer_claims(
    system: System, manner: Manner, claims: Sequence[Claim], later: int, progress: Progress, how: How | None = None
) -> tuple[Checking, tuple[str, ...]]:
    """The answers, and what was noticed on the way; with `later`, the runs shown avoid that many before them."""
    if not manner.every_step:
        refuse_counting(claims)
    # A claim about a variable sees every value of it; what it does not ask about runs as one step.
    groups = grouped(claims, system, manner)
    parts: list[Checking] = []
    try:
        notes = dict.fromkeys(in_time(manner.left(), _on_numbers, system, manner, claims))
    except OutOfTime:
        return undecided(claims, NO_TIME), ()  # others may be answered by now
    for group in groups:
        own = [claims[number] for number in group.claims]
        looking = _Looking(system, manner.watching(group.watch), own, later, progress, how or How(Engine.EXPLICIT))
        # All claims with mistakes are told at once; which names there are does not depend on what is watched, but which
        # values of pointers are met does.
        try:
            part = looking.run(() if parts else claims)
        except OutOfTime:
            part = undecided(own, NO_TIME)
        except KeyboardInterrupt:
            if not parts:
                raise
            parts[-1] = replace(parts[-1], interrupted=True)
            break
        parts.append(part)
        notes |= dict.fromkeys(looking.notes)
        if part.interrupted:
            break
    return joined(groups, parts), tuple(notes)


def answer_open_claims(
    system: System, manner: Manner, claims: Sequence[Claim], progress: Progress, how: How
) -> tuple[Checking, tuple[str, ...]]:
    """The answers where inputs may have any value: nobody looks at every state. All claims must be decidable so."""
    if not manner.every_step:
        refuse_counting(claims)
    # Which names there are is known from the first state on.

    def begin() -> tuple[Model, tuple[str, ...]]:
        begun = replace(concretised(system), beginnings=())
        first = explore(begun, replace(manner, max_states=1, max_steps=FIRST_STEPS), progress=progress).model
        _refuse_unknown(claims, first, system)
        model = replace(first, origin=replace(first.origin, partial=()))
        return model, _on_numbers(system, manner, claims)

    model, notes = in_time(manner.left(), begin)
    from stateglass.answers.without_bounds import WithoutBounds

    answering = WithoutBounds(system, manner, how, model, progress)
    checked: dict[int, Checked] = {}
    try:
        for number, found in in_turns(claims, Deadline(manner.left()), answering.answer):
            checked[number] = found
    except Stopped as stopped:
        checked[next(n for n, claim in enumerate(claims) if claim is stopped.checked.claim)] = stopped.checked
        return Checking(model, tuple(checked.values()), interrupted=True, is_open=True, unfinished=1), notes
    return Checking(model, tuple(checked.values()), is_open=True), notes


def _refuse_unknown(claims: Sequence[Claim], model: Model, system: System) -> None:
    """Refuses names, some of which may be met later."""
    stands, elsewhere = standing_in(system), members_of(system.program)
    refuse_unknown_words(claims, model, all_met=False, stands=stands, elsewhere=elsewhere)


def _on_numbers(system: System, manner: Manner, claims: Sequence[Claim]) -> tuple[str, ...]:
    machine, _ = prepare(system, manner)
    return wrapping_notes(claims, unsigned_names(machine))


@final
class _Looking:
    """Claims that one model serves, on larger and larger parts of it."""

    def __init__(
        self, system: System, manner: Manner, claims: Sequence[Claim], later: int, progress: Progress, how: How
    ) -> None:
        self._system = system
        self._manner = manner
        self._claims = claims
        self._later = later
        self._progress = progress
        self._how = how
        self.notes: tuple[str, ...] = ()
        self._may_leave_states = how.engine is Engine.AUTO and not later
        self._was_asked = False
        self._time = Deadline(manner.left())

    def run(self, known: Sequence[Claim]) -> Checking:
        """The answers; of `known` claims, words that nothing is called by are refused."""
        for found, model, is_all in self._looks():
            _refuse_unknown(known, model, self._system)
            # What was found out is followed again by the semantics that the model was made by.
            explored = Explored(self._system, self._manner, found.unreached)
            part = check_claims(model, self._claims, code=explored, later=self._later, progress=self._progress)
            if part.interrupted or found.interrupted:
                return replace(part, interrupted=True)
            if all(c.answer.verdict is Verdict.VIOLATED for c in part.checked):
                return self._ended(found, part)
            if is_all:
                return self._ended(found, self._beyond(part, model) if found.is_cut else part)
            if found.found >= FIRST_LOOKS[-1] or _is_short(found):
                part = self._beyond(part, model)
                if part.interrupted or all(c.answer.verdict is not Verdict.INCONCLUSIVE for c in part.checked):
                    return self._ended(found, part)
        raise AssertionError("the last look is at all states")

    def _ended(self, found: Exploration, part: Checking) -> Checking:
        self.notes = found.notes
        return part

    def _looks(self) -> Iterator[tuple[Exploration, Model, bool]]:
        """Models of the system that are larger and larger, and whether there is no larger one."""
        coverage = any(claim.content is BuiltIn.NO_UNREACHABLE for claim in self._claims)
        manner, most = self._manner, self._manner.max_states
        first = () if self._later or coverage else [limit for limit in FIRST_LOOKS if limit < most]
        for limit in (*first, most):
            seconds = manner.timeout
            if self._was_asked:
                # On a busy machine, engines may have taken longer than their part.
                seconds = min(seconds * (SHARE - 1) / SHARE, max(1.0, floor(self._time.left())))
            # That is in vain where nobody else is to be asked.
            steps = FIRST_STEPS if self._may_leave_states and limit == FIRST_LOOKS[0] < most else 0
            limited = replace(manner, max_states=limit, timeout=seconds, max_steps=steps or manner.max_steps)
            found = in_time(manner.late(), self._explored, limited, coverage=coverage)
            is_all = limit == most or (found.found < limit and not (steps and _is_short(found))) or found.interrupted
            yield found, found.model if is_all else first_part(found.model), is_all

    def _explored(self, manner: Manner, *, coverage: bool) -> Exploration:
        return explore(self._system, manner, coverage=coverage, progress=self._progress)

    def _beyond(self, part: Checking, model: Model) -> Checking:
        """The answers with those that engines find which do not look at every state."""
        undecided = [c for c in part.checked if c.answer.verdict is Verdict.INCONCLUSIVE]
        if not self._may_leave_states or self._was_asked or not undecided:
            return part
        if not all(is_decidable(c.claim, self._manner, self._how.engine) for c in undecided):
            return part
        # Imported on use: solvers take long to load.
        from stateglass.answers.without_bounds import WithoutBounds

        self._was_asked = True
        answering = WithoutBounds(self._system, self._manner, self._how, model, self._progress)
        time = self._time.worth(self._manner.timeout / SHARE)
        checked: list[Checked] = []
        for one in part.checked:
            if one.answer.verdict is not Verdict.INCONCLUSIVE:
                checked.append(one)
                continue
            try:
                found = answering.answer(one.claim, time)
            except Stopped:
                return replace(part, interrupted=True)
            # What exploration says of why it does not know is not to be lost for another way not to know.
            checked.append(one if found.answer.verdict is Verdict.INCONCLUSIVE else found)
        return replace(part, checked=tuple(checked))


def _is_short(found: Exploration) -> bool:
    """Whether a look ended since code ran for long between few states."""
    return found.is_cut and found.found < FIRST_LOOKS[0] and found.steps > FIRST_STEPS


def first_part(model: Model) -> Model:
    """A model that was cut short, but not by a limit that anybody asked for."""
    first = "state was" if model.states == 1 else f"{model.states:,} states were"
    reason = f"the first {first} enough to answer"
    kept = [why for why in model.origin.partial if why in (NO_RUN, NO_RUN_YET)]
    return replace(model, origin=replace(model.origin, partial=(reason, *kept)))
