"""Intermediate event and intermediate cause: what happens in between.

An intermediate event of `a -> b` is a `c` with `a -> c -> b`. An intermediate cause of `a <- b` is a `d` with
`a <- d <- b`; where the stricter `a <<- b` fails, one with `a <<- d <<- b`. As `<-` is transitive, there can be none
where `a <- b` fails.
"""

from __future__ import annotations

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate
from stateglass.scenarios.elaboration.findings import Notebook, Showing
from stateglass.scenarios.elaboration.judging import Judge
from stateglass.scenarios.language import Event, Link, Relation
from stateglass.scenarios.writing import event_text


def find_events(judge: Judge, candidates: list[Candidate], notes: Notebook) -> None:
    """Notes events by way of which the cause leads to the effect, the closest connections first."""
    cause, effect = judge.base.cause, judge.base.effect
    if not judge.holds(cause, Relation.LEADS_TO, effect):
        return
    found: list[tuple[int, Candidate, tuple[Link, Link]]] = []
    for one in _between(judge, candidates):
        if judge.recurs(one.event):
            continue
        if judge.holds(cause, Relation.LEADS_TO, one.event) and judge.holds(one.event, Relation.LEADS_TO, effect):
            links = _closest(judge, cause, one.event), _closest(judge, one.event, effect)
            found.append((sum(link.relation is Relation.LINKED for link in links), one, links))
    for _, one, links in sorted(found, key=lambda item: -item[0]):
        showing = Showing(judge.story(Link(cause, Relation.CAN_FOLLOW, effect)))
        notes.add(judge.elaboration(notes.pattern, judge.story(*links), showing, from_model=one.from_model))
    if not found:
        notes.say(f"no event of the vocabulary always comes between `{event_text(cause)}` and `{event_text(effect)}`")


def find_causes(judge: Judge, candidates: list[Candidate], notes: Notebook) -> None:
    """Notes events without which the effect does not come, and which do not come without the cause."""
    cause, effect = judge.base.cause, judge.base.effect
    if judge.base.link.relation is Relation.CAN_FOLLOW or not judge.holds(cause, Relation.ONLY_AFTER, effect):
        return
    strictly = judge.verdict(cause, Relation.ONLY_SINCE, effect) is Verdict.VIOLATED
    for one in _between(judge, candidates):
        for relation in (Relation.ONLY_SINCE, Relation.ONLY_AFTER) if strictly else (Relation.ONLY_AFTER,):
            if judge.holds(cause, relation, one.event) and judge.holds(one.event, relation, effect):
                story = judge.story(Link(cause, relation, one.event), Link(one.event, relation, effect))
                showing = Showing(judge.story(Link(cause, Relation.CAN_FOLLOW, effect)))
                notes.add(judge.elaboration(notes.pattern, story, showing, from_model=one.from_model))
                break


def _between(judge: Judge, candidates: list[Candidate]) -> list[Candidate]:
    """Events that are not a part of the cause or of the effect, nor have one of them as a part."""
    ends = [judge.extents.event(judge.base.cause), judge.extents.event(judge.base.effect)]
    return [
        one for one in candidates if not any(one.extent.is_within(end) or end.is_within(one.extent) for end in ends)
    ]


def _closest(judge: Judge, cause: Event, effect: Event) -> Link:
    linked = judge.holds(cause, Relation.ONLY_AFTER, effect)
    return Link(cause, Relation.LINKED if linked else Relation.LEADS_TO, effect)
