"""Intermediate event and intermediate cause: what happens in between.

An intermediate event of `a -> b` is a `c` with `a -> c -> b`. An intermediate cause is a `d` that happens only after
`a`: where `b` comes only after `a`, one with `a <- d <- b`, or with `a <<- d <<- b` where the stricter `a <<- b` fails;
where `b` may come without `a`, one with `a <- d -> b`. There it cannot be that also `d <- b`, as `<-` is transitive.
"""

from __future__ import annotations

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate
from stateglass.scenarios.elaboration.extents import Extent
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
    """Notes events that do not come without the cause, and lead to the effect or are needed for it."""
    cause, effect = judge.base.cause, judge.base.effect
    needed = judge.holds(cause, Relation.ONLY_AFTER, effect)
    if judge.base.link.relation is Relation.CAN_FOLLOW:
        return
    if not needed and not judge.holds(cause, Relation.LEADS_TO, effect):
        return
    told: list[Extent] = []
    # What leads to an effect is told of the event that happens most: it is so of its parts, too.
    for one in sorted(_between(judge, candidates), key=lambda one: 0 if needed else -one.extent.size):
        if not needed and any(one.extent.is_within(other) for other in told):
            continue
        for before, after in _kinds(judge, needed):
            if judge.holds(cause, before, one.event) and judge.holds(one.event, after, effect):
                story = judge.story(Link(cause, before, one.event), Link(one.event, after, effect))
                showing = Showing(judge.story(Link(one.event, Relation.CAN_FOLLOW, effect)))
                notes.add(judge.elaboration(notes.pattern, story, showing, from_model=one.from_model))
                told.append(one.extent)
                break


def _kinds(judge: Judge, needed: bool) -> list[tuple[Relation, Relation]]:
    """How an intermediate cause is related to the cause and the effect, strongest first."""
    if not needed:
        return [(Relation.ONLY_AFTER, Relation.LEADS_TO)]
    plain = (Relation.ONLY_AFTER, Relation.ONLY_AFTER)
    strictly = judge.verdict(judge.base.cause, Relation.ONLY_SINCE, judge.base.effect) is Verdict.VIOLATED
    return [(Relation.ONLY_SINCE, Relation.ONLY_SINCE), plain] if strictly else [plain]


def _between(judge: Judge, candidates: list[Candidate]) -> list[Candidate]:
    """Events that are neither the same thing as the cause nor as the effect."""
    ends = (judge.base.cause, judge.base.effect)
    return [
        one
        for one in candidates
        if not any(judge.is_same_thing(one.event, end) or judge.is_same_thing(end, one.event) for end in ends)
        and one.extent not in map(judge.extents.event, ends)
    ]


def _closest(judge: Judge, cause: Event, effect: Event) -> Link:
    linked = judge.holds(cause, Relation.ONLY_AFTER, effect)
    return Link(cause, Relation.LINKED if linked else Relation.LEADS_TO, effect)
