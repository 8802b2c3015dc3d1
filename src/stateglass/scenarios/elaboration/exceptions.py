"""Avoid exception, and exception breaks causation: where a story fails, what has to stay away for it to hold.

Applies where a relation is violated and its effect can follow its cause. Looks for conditions `c` so that the relation
holds `when (c)` at its cause, or `while (c)` all the while, and for events `e` so that it holds `unless e`. If it held
in an older model, the change has brought the exception: then conditions are looked for that only the new model knows,
and what the cause leads to instead.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final

from stateglass.check.names import Names
from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate, Literal, joined, literals, opposite_of
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.findings import AVOID_NEW, Notebook, Showing
from stateglass.scenarios.elaboration.judging import Judge, at_cause
from stateglass.scenarios.elaboration.restricting import Restricted, Restricting
from stateglass.scenarios.language import Condition, Event, Link, Relation
from stateglass.scenarios.reading.definitions import names_in
from stateglass.scenarios.validating import Validator
from stateglass.scenarios.writing import condition_text, event_text
from stateglass.source import InputError, counted

_MOST_CONDITIONS: Final = 4
_MOST_NEIGHBOURS: Final = 1
"""Of so many conditions on single variables it is told why they are not weaker; of words, of all."""
_MOST_EVENTS: Final = 2


def avoid(judge: Judge, candidates: list[Candidate], notes: Notebook) -> None:
    """Notes conditions and events that the story is to be restricted by."""
    if not _applies(judge):
        return
    restricting = Restricting(judge, judge.base.link)
    for with_facts in (False, True):
        first = restricting.at_cause(with_facts=with_facts) if _is_leading(judge) else []
        _note(judge, first, "`when` they hold", notes)
        lasting = restricting.all_the_while(with_facts=with_facts, at_cause=first)
        _note(judge, lasting, "`while` they hold", notes)
        if not with_facts:
            exceptional = _exceptional_events(judge, candidates)
            _note_events(judge, exceptional, notes)
            if not notes.has_found:
                _note_both(judge, exceptional, notes)
        if notes.has_found:
            return
    notes.say("no condition and no event that was tried keeps the exception away")


def broken(judge: Judge, old: Validator, candidates: list[Candidate], notes: Notebook) -> None:
    """Notes which new condition breaks a story that held in the old model, and what the cause leads to then."""
    if not _applies(judge) or not _held(judge, old):
        return
    restricting = Restricting(judge, judge.base.link, _is_new(judge, old))
    found = restricting.all_the_while() or restricting.all_the_while(with_facts=True)
    shown = Showing(judge.story(judge.base.link), AVOID_NEW)
    _note(judge, found, "`while` they hold", notes, shown)
    for restricted in found[:_MOST_CONDITIONS]:
        _note_instead(judge, restricted, candidates, notes)
    if not found:
        notes.say("no condition on what is new keeps the exception away")


def _applies(judge: Judge) -> bool:
    link = judge.base.link
    if not link.relation.is_refuted_by_runs or judge.validate(judge.story(link)).verdict is not Verdict.VIOLATED:
        return False
    return judge.holds(link.cause, Relation.CAN_FOLLOW, link.effect)


def _is_leading(judge: Judge) -> bool:
    return judge.base.link.relation is Relation.LEADS_TO


def _note(judge: Judge, found: list[Restricted], when: str, notes: Notebook, showing: Showing | None = None) -> None:
    for number, restricted in enumerate(found[:_MOST_CONDITIONS]):
        shown = showing or Showing(restricted.shown)
        from_model = restricted.from_model
        notes.add(judge.elaboration(notes.pattern, restricted.scenario, shown, from_model=from_model))
        for story in restricted.neighbours if number < _MOST_NEIGHBOURS or not from_model else ():
            notes.add(judge.elaboration(notes.pattern, story, from_model=from_model))
    if len(found) > _MOST_CONDITIONS:
        notes.say(f"{counted(len(found) - _MOST_CONDITIONS, 'more condition')} would do {when}")


# ---- events


def _exceptional_events(judge: Judge, candidates: list[Candidate]) -> list[Candidate]:
    """Events that are neither a part of the cause or of the effect, and that do not come in any case."""
    link = judge.base.link
    cause, effect = judge.extents.event(link.cause), judge.extents.event(link.effect)
    return [
        one
        for one in candidates
        if not cause.is_within(one.extent)
        and not one.extent.is_within(cause)
        and not one.extent.is_within(effect)
        and not effect.is_within(one.extent)
        and not judge.holds(link.cause, Relation.LEADS_TO, one.event)
    ]


def _note_events(judge: Judge, possible: list[Candidate], notes: Notebook) -> None:
    """The fewest events of which one has to stay away."""
    found: list[tuple[Candidate, ...]] = []
    for size in range(1, _MOST_EVENTS + 1):
        for chosen in combinations(possible, size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            event = joined([one.event for one in chosen])
            if _note_event(judge, judge.base.link, event, any(one.from_model for one in chosen), notes):
                found.append(chosen)


def _note_both(judge: Judge, possible: list[Candidate], notes: Notebook) -> None:
    """A condition at the cause and an event that has to stay away, where neither is enough alone."""
    link = judge.base.link
    causing = judge.extents.states_before(judge.extents.event(link.cause))
    known = literals(judge.extents, judge.validator.vocabulary)
    for one in possible if _is_leading(judge) else ():
        told: list[Extent] = []
        for literal in sorted(known, key=lambda literal: -literal.extent.common(causing).size):
            own = literal.extent.common(causing)
            if own.is_empty or any(own.is_within(weaker) for weaker in told):
                continue
            cause = at_cause(link.cause, Condition(literal.predicate))
            if _note_event(judge, Link(cause, link.relation, link.effect), one.event, one.from_model, notes):
                told.append(own)


def _note_event(judge: Judge, link: Link, event: Event, from_model: bool, notes: Notebook) -> bool:
    """Notes that a relation holds unless an event happens, if it does and the effect can still follow."""
    scenario = judge.story(link, exception=event)
    follow = judge.story(Link(link.cause, Relation.CAN_FOLLOW, link.effect), exception=event)
    if any(judge.validate(story).verdict is not Verdict.HOLDS for story in (scenario, follow)):
        return False
    notes.add(judge.elaboration(notes.pattern, scenario, Showing(follow), from_model=from_model))
    return True


# ---- what a change has brought


def _held(judge: Judge, old: Validator) -> bool:
    """Whether the story holds in the old model; it cannot if that does not know its words."""
    try:
        return old.validate(judge.story(judge.base.link)).verdict is Verdict.HOLDS
    except InputError:
        return False


def _is_new(judge: Judge, old: Validator) -> Callable[[Literal], bool]:
    known = Names(old.model).known
    words = judge.extents.words
    return lambda literal: any(name not in known for name in names_in(words.predicate(literal.predicate)))


def _note_instead(judge: Judge, restricted: Restricted, candidates: list[Candidate], notes: Notebook) -> None:
    """Where the condition does not hold, events that the cause leads to, though it does not do so in any case."""
    link = judge.base.link
    exceptional = Condition(opposite_of(restricted.term.condition.predicate))
    effect = judge.extents.event(link.effect)
    found = False
    for one in candidates:
        if one.extent.is_within(effect) or judge.extents.event(link.cause).is_within(one.extent):
            continue
        if judge.recurs(one.event) or not judge.holds(link.cause, Relation.LEADS_TO, one.event, exceptional):
            continue
        if not judge.holds(link.cause, Relation.CAN_FOLLOW, one.event, exceptional):
            continue
        only = judge.holds(link.cause, Relation.ONLY_AFTER, one.event)
        note = "it happens only after the cause" if only else ""
        story = judge.story(Link(link.cause, Relation.LEADS_TO, one.event), condition=exceptional)
        notes.add(judge.elaboration(notes.pattern, story, None, note, from_model=one.from_model))
        found = True
    if not found:
        words = condition_text(exceptional)
        notes.say(f"while `{words}`, no event of the vocabulary always follows `{event_text(link.cause)}` instead")
