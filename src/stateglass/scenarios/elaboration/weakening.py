"""Cause weakening: what else causes the effect, so that it happens only after one of the causes.

Applies where `a -> b` holds and `a <- b` does not. Looks for events `c` with `c -> b`, such that `a | c <- b`. If
`a` is `d when (e)`, an event that does not lead to `b` may still do so under the same condition.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate, joined
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.findings import Elaboration, Notebook, Pattern, Showing, avoiding
from stateglass.scenarios.elaboration.judging import Judge, refuting_runs
from stateglass.scenarios.language import Condition, Event, EventName, Link, Relation, Start, When
from stateglass.scenarios.validating import Validation
from stateglass.scenarios.writing import event_text
from stateglass.source import counted

MOST_CAUSES: Final = 3
"""So many causes are added at most."""
_MOST_FOUND: Final = 6
_MOST_RANKED: Final = 12


def weaken(judge: Judge, candidates: list[Candidate], notes: Notebook) -> None:
    """Notes sets of causes that are enough."""
    cause, effect = judge.base.cause, judge.base.effect
    if not judge.holds(cause, Relation.LEADS_TO, effect):
        return
    if judge.verdict(cause, Relation.ONLY_AFTER, effect) is not Verdict.VIOLATED:
        return
    others = _other_causes(judge, candidates)
    if not others:
        notes.say(f"no other event of the vocabulary leads to `{event_text(effect)}`")
        return
    together = joined([cause, *(other.event for other in others)])
    if not judge.holds(together, Relation.ONLY_AFTER, effect):
        _note_lack(judge, others, together, notes)
    else:
        _note(judge, candidates, _smallest(judge, others), notes)


def _other_causes(judge: Judge, candidates: list[Candidate]) -> list[Candidate]:
    """Events that lead to the effect, are no part of the cause, and are not the same thing as the effect."""
    cause, effect = judge.base.cause, judge.base.effect
    condition = _condition(judge, cause)
    found = []
    for other in candidates:
        if judge.is_same_thing(other.event, effect) or judge.is_same_thing(effect, other.event):
            continue
        tried = [other]
        if condition is not None:
            narrowed = When(other.event, condition)
            tried.append(Candidate(narrowed, judge.extents.event(narrowed), other.from_model))
        found += [
            one
            for one in tried
            if not one.extent.is_empty
            and not one.extent.is_within(judge.extents.event(cause))
            and judge.holds(one.event, Relation.LEADS_TO, effect)
        ][:1]
    return found


def _condition(judge: Judge, cause: Event) -> Condition | None:
    """Under which condition the cause is one, if it says so."""
    while isinstance(cause, EventName) and cause.name in judge.validator.vocabulary.events:
        cause = judge.validator.vocabulary.events[cause.name]
    return cause.condition if isinstance(cause, When) else None


def _smallest(judge: Judge, others: list[Candidate]) -> list[tuple[Candidate, ...]]:
    """The sets of few causes that are enough and of which none can be left out; at most one for the same steps."""
    found: list[tuple[Candidate, ...]] = []
    enough: list[Extent] = []
    met: set[Extent] = set()
    lacking: list[set[int]] = []  # for each known run to the effect, the events that happen on it up to there
    for size in range(1, MOST_CAUSES + 1):
        for chosen in combinations(others, size):
            ids = {id(one) for one in chosen}
            if any(not ids & run for run in lacking):
                continue
            extent = judge.extents.event(judge.base.cause)
            for one in chosen:
                extent = extent.joined(one.extent)
            if extent in met or any(smaller.is_within(extent) for smaller in enough):
                continue
            met.add(extent)
            story = judge.story(Link(_with(judge, chosen), Relation.ONLY_AFTER, judge.base.effect))
            validation = judge.validate(story)
            if validation.verdict is Verdict.HOLDS:
                found.append(chosen)
                enough.append(extent)
            else:
                lacking += _happening(judge, others, validation)
    return found


def _happening(judge: Judge, others: list[Candidate], validation: Validation) -> list[set[int]]:
    """The candidates that may happen on the runs against a relation."""
    found = []
    for run in refuting_runs(validation):
        steps = 0
        for at in judge.extents.positions_of(run):
            steps |= 1 << at
        found.append({id(one) for one in others if one.extent.may & steps or one.extent.at_start})
    return found


def _note(judge: Judge, candidates: list[Candidate], found: list[tuple[Candidate, ...]], notes: Notebook) -> None:
    few = found[:_MOST_RANKED]
    ranked = sorted(few, key=lambda one: (len(one), any(c.from_model for c in one), -_depending(judge, one, few)))
    for chosen in ranked[:_MOST_FOUND]:
        notes.add(_elaboration(judge, candidates, chosen, notes.pattern))
    if len(found) > _MOST_FOUND:
        notes.say(f"{counted(len(found) - _MOST_FOUND, 'more set')} of causes would do")
    if not found:
        notes.say(f"more than {MOST_CAUSES} causes would have to be added")


def _depending(judge: Judge, chosen: tuple[Candidate, ...], sets: list[tuple[Candidate, ...]]) -> int:
    """How many of the other sets happen only after this one: the more, the earlier it stands in the chain of causes."""
    event = _with(judge, chosen)
    others = [joined([one.event for one in other]) for other in sets if other is not chosen]
    return sum(judge.holds(event, Relation.ONLY_AFTER, other) for other in others)


def _elaboration(
    judge: Judge, candidates: list[Candidate], chosen: tuple[Candidate, ...], pattern: Pattern
) -> Elaboration:
    cause = _with(judge, chosen)
    scenario = judge.story(Link(cause, Relation.LINKED, judge.base.effect))
    same = [
        event_text(one.event)
        for one in candidates
        if judge.is_same_thing(cause, one.event) and judge.is_same_thing(one.event, cause)
    ]
    note = f"`{event_text(cause)}` is `{same[0]}`" if same and same[0] != event_text(cause) else ""
    from_model = any(one.from_model for one in chosen)
    return judge.elaboration(pattern, scenario, _showing(judge), note, from_model=from_model)


def _with(judge: Judge, chosen: tuple[Candidate, ...]) -> Event:
    return joined([judge.base.cause, *(one.event for one in chosen)])


def _showing(judge: Judge) -> Showing:
    """The effect without the cause: what such a run shows instead is another cause."""
    can_happen = judge.story(Link(Start(), Relation.CAN_FOLLOW, judge.base.effect))
    return Showing(can_happen, avoiding("events", (event_text(judge.base.cause, judge.validator.vocabulary),)))


def _note_lack(judge: Judge, others: list[Candidate], together: Event, notes: Notebook) -> None:
    from_model = any(other.from_model for other in others)
    for relation, note in ((Relation.LEADS_TO, ""), (Relation.ONLY_AFTER, "even all these causes are not all")):
        story = judge.story(Link(together, relation, judge.base.effect))
        showing = _showing(judge) if relation is Relation.LEADS_TO else None
        notes.add(judge.elaboration(notes.pattern, story, showing, note, from_model=from_model))
