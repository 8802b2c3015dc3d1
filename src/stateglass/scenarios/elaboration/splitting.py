"""Event splitting: which of several effects a cause has, and what decides it.

Applies where `a -> b` holds, `b` is one of several events, and `a` leads to none of them in any case. Looks for parts
of `a` that do, and for conditions under which `a` or a part of it does.
"""

from __future__ import annotations

from typing import Final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import alternatives, parts_of
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.findings import SHORTEST_RUN, Notebook, Showing, avoiding
from stateglass.scenarios.elaboration.judging import Judge, at_cause, run_of
from stateglass.scenarios.elaboration.restricting import Restricted, Restricting
from stateglass.scenarios.language import Event, Link, Relation
from stateglass.scenarios.writing import event_text
from stateglass.source import counted

_MOST_CONDITIONS: Final = 4
"""So many conditions are told for one cause and one effect."""
_MOST_NEIGHBOURS: Final = 1
"""Of so many of them it is told why they are not weaker."""


def split(judge: Judge, notes: Notebook) -> None:
    """Notes what decides which effect comes."""
    cause, effect = judge.base.cause, judge.base.effect
    vocabulary = judge.validator.vocabulary
    effects = alternatives(effect, vocabulary)
    if len(effects) < 2 or not judge.holds(cause, Relation.LEADS_TO, effect):
        return
    causes = _largest_first(judge, [cause, *parts_of(cause, vocabulary)])
    covered: list[list[Extent]] = [[] for _ in effects]  # for each effect, the steps that are known to lead to it
    for one, known in zip(effects, covered, strict=True):
        _note_parts(judge, one, causes, known, notes)
    # A part of which it is known what it leads to needs no condition; nor does what it is a part of.
    settled = [extent for known in covered for extent in known]
    unsettled = [part for part in causes if not any(judge.extents.event(part).meets(extent) for extent in settled)]
    for one, known in zip(effects, covered, strict=True):
        for part in unsettled:
            _note_conditions(judge, Link(part, Relation.LEADS_TO, one), known, notes)
    decided = [extent for known in covered for extent in known]
    for part in unsettled:
        steps = judge.extents.event(part)
        if not parts_of(part, vocabulary) and not any(steps.meets(extent) for extent in decided):
            named = ", ".join(f"`{event_text(one)}`" for one in effects)
            notes.say(
                f"no condition that was tried decides which of {named} follows `{event_text(part)}`: it may be open"
            )


def _note_parts(judge: Judge, effect: Event, causes: list[Event], covered: list[Extent], notes: Notebook) -> None:
    """The largest parts of the cause that lead to one of the effects in any case."""
    for part in causes:
        steps = judge.extents.event(part)
        if any(steps.is_within(known) for known in covered):
            continue
        link = Link(part, Relation.LEADS_TO, effect)
        if judge.validate(judge.story(link)).verdict is Verdict.HOLDS:
            covered.append(steps)
            notes.add(judge.elaboration(notes.pattern, judge.story(link), _showing(judge, link, part)))


def _largest_first(judge: Judge, causes: list[Event]) -> list[Event]:
    """A cause that leads to an effect makes its parts not worth telling."""
    possible = [one for one in causes if not judge.extents.event(one).is_empty]
    return sorted(possible, key=lambda one: -judge.extents.event(one).size)


def _note_conditions(judge: Judge, link: Link, covered: list[Extent], notes: Notebook) -> None:
    restricting = Restricting(judge, link)
    conditions = restricting.at_cause() or restricting.at_cause(with_facts=True)
    told = 0
    for restricted in conditions:
        steps = _steps(judge, link.cause, restricted)
        if any(steps.is_within(known) for known in covered):
            continue
        told += 1
        if told > _MOST_CONDITIONS:
            continue
        covered.append(steps)
        note = "exactly then: in every other state it may fail" if restricted.is_exact else ""
        from_model = restricted.from_model
        showing = _showing(judge, link, at_cause(link.cause, restricted.term.condition))
        notes.add(judge.elaboration(notes.pattern, restricted.scenario, showing, note, from_model=from_model))
        for story in restricted.neighbours if told <= _MOST_NEIGHBOURS or not from_model else ():
            notes.add(judge.elaboration(notes.pattern, story, from_model=from_model))
    if told > _MOST_CONDITIONS:
        words = f"`{event_text(link.cause)}` leads to `{event_text(link.effect)}`"
        notes.say(f"not shown: {counted(told - _MOST_CONDITIONS, 'more condition')} under which {words}")


def _steps(judge: Judge, cause: Event, restricted: Restricted) -> Extent:
    return judge.extents.event(cause).common(judge.extents.steps_from(restricted.term.extent))


def _showing(judge: Judge, link: Link, cause: Event) -> Showing:
    """A run from the cause to the effect that has little in common with one on which the effect does not come."""
    refuted = judge.validate(judge.story(link)).deciding
    run = run_of(refuted) if refuted.verdict is Verdict.VIOLATED else None
    story = judge.story(Link(cause, Relation.CAN_FOLLOW, link.effect))
    states = set() if run is None else {step.target for step in run.steps} - {judge.validator.model.initial}
    return Showing(story, avoiding("states", map(str, sorted(states))) if states else SHORTEST_RUN)
