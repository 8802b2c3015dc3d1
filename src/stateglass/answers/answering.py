"""From code and claims to answers: models for these claims, no larger than the answers need.

What a few states violate is violated, however many there are: a program whose counters go on for long need not be
explored to its end to find the mistake in its first steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from stateglass.answers.checking import Checking, check_claims
from stateglass.answers.claims import refuse_counting
from stateglass.answers.confirming import Explored
from stateglass.answers.grouping import grouped, joined
from stateglass.answers.wrapping import wrapping_notes
from stateglass.check.vocabulary import refuse_unknown_words
from stateglass.evidence import Verdict
from stateglass.explore import Exploration, Manner, explore
from stateglass.explore.stepwise import prepare, unsigned_names
from stateglass.logic.claims import BuiltIn, Claim
from stateglass.model import Model
from stateglass.source import counted
from stateglass.system import System
from stateglass.work import Progress

FIRST_LOOKS: Final = (4_000, 64_000)
"""So many states are looked at before all of them are."""


def answer_claims(
    system: System, manner: Manner, claims: Sequence[Claim], later: int, progress: Progress
) -> tuple[Checking, tuple[str, ...]]:
    """The answers, and what was noticed on the way; with `later`, the runs shown avoid that many before them."""
    if not manner.every_step:
        refuse_counting(claims)
    # A claim about a variable sees every value of it; what it does not ask about runs as one step.
    groups = grouped(claims, system, manner)
    parts: list[Checking] = []
    notes: dict[str, None] = dict.fromkeys(_on_numbers(system, manner, claims))
    for group in groups:
        own = [claims[number] for number in group.claims]
        watching = manner.watching(group.watch)
        for found, model, is_all in _looks(system, watching, own, later, progress):
            if not parts:
                # All claims with mistakes are told at once; which names there are does not depend on what is watched,
                # but which values of pointers are met does.
                refuse_unknown_words(claims, model, all_met=False)
            # What was found out is followed again by the semantics that the model was made by.
            explored = Explored(system, watching, found.unreached)
            part = check_claims(model, own, code=explored, later=later, progress=progress)
            if is_all or part.interrupted or all(c.answer.verdict is Verdict.VIOLATED for c in part.checked):
                parts.append(replace(part, interrupted=part.interrupted or found.interrupted))
                notes |= dict.fromkeys(found.notes)
                break
        if parts[-1].interrupted:
            break
    return joined(groups, parts), tuple(notes)


def _on_numbers(system: System, manner: Manner, claims: Sequence[Claim]) -> tuple[str, ...]:
    machine, _ = prepare(system, manner)
    return wrapping_notes(claims, unsigned_names(machine))


def _looks(
    system: System, manner: Manner, claims: Sequence[Claim], later: int, progress: Progress
) -> Iterator[tuple[Exploration, Model, bool]]:
    """Models of the system that are larger and larger, and whether there is no larger one."""
    coverage = any(claim.content is BuiltIn.NO_UNREACHABLE for claim in claims)
    most = manner.max_states
    first = () if later or coverage else [limit for limit in FIRST_LOOKS if limit < most]
    for limit in (*first, most):
        found = explore(system, replace(manner, max_states=limit), coverage=coverage, progress=progress)
        is_all = limit == most or found.model.states < limit or found.interrupted
        yield found, found.model if is_all else _first_part(found.model), is_all


def _first_part(model: Model) -> Model:
    """A model that was cut short, but not by a limit that anybody asked for."""
    reason = f"the first {counted(model.states, 'state')} were enough to answer"
    return replace(model, origin=replace(model.origin, partial=(reason,)))
