"""Avoid exception, and exception breaks causation: where a story fails, what has to stay away for it to hold.

Applies where a relation is violated and its effect can follow its cause. Looks for conditions `c` so that the relation
holds `when (c)` at its cause, or `while (c)` all the while, and for events `e` so that it holds `unless e`. If it held in
an older model, the change has brought the exception: conditions that only the new model knows come first, and what
the cause leads to instead is looked for.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import Candidate, joined
from stateglass.scenarios.elaboration.findings import Elaboration, Findings, Pattern, Showing
from stateglass.scenarios.elaboration.judging import Judge
from stateglass.scenarios.elaboration.restricting import REFUTED, Restricted, under_vocabulary_or_facts
from stateglass.scenarios.elaboration.wording import event_text
from stateglass.scenarios.language import Link, Relation

_MOST_CONDITIONS: Final = 4
_MOST_EVENTS: Final = 2


def avoided(judge: Judge, candidates: list[Candidate], pattern: Pattern = Pattern.AVOID_EXCEPTION) -> Findings | None:
    """None: the pattern does not apply."""
    link = judge.base.link
    if link.relation not in REFUTED or judge.validate(judge.story(link)).verdict is not Verdict.VIOLATED:
        return None
    if not judge.holds(link.cause, Relation.CAN_FOLLOW, link.effect):
        return None
    remarks: list[str] = []
    found: list[Elaboration] = []
    rejected: list[Elaboration] = []
    for at_cause in (True, False) if link.relation is Relation.LEADS_TO else (False,):
        conditions, more = under_vocabulary_or_facts(judge, link, at_cause=at_cause, most=_MOST_CONDITIONS)
        for restricted in conditions:
            found.append(_elaboration(judge, pattern, restricted))
            rejected += _near(judge, pattern, restricted)
        if more:
            remarks.append(f"{more} more conditions would do `{'when' if at_cause else 'while'}` they hold")
    found += _unless(judge, candidates, pattern)
    if not found:
        remarks.append("no condition and no event that was tried keeps the exception away")
    return Findings(pattern, tuple(found), _once(rejected), tuple(remarks))


def _elaboration(judge: Judge, pattern: Pattern, restricted: Restricted) -> Elaboration:
    link = judge.base.link
    showing = Showing(judge.story(Link(link.cause, Relation.CAN_FOLLOW, link.effect)), "shortest")
    return judge.elaboration(pattern, restricted.scenario, showing, from_model=restricted.from_model)


def _near(judge: Judge, pattern: Pattern, restricted: Restricted) -> list[Elaboration]:
    tried = [judge.elaboration(pattern, story, from_model=restricted.from_model) for story in restricted.rejected]
    return [one for one in tried if one.verdict is Verdict.VIOLATED]


def _once(rejected: list[Elaboration]) -> tuple[Elaboration, ...]:
    return tuple({one.scenario.text: one for one in rejected}.values())


def _unless(judge: Judge, candidates: list[Candidate], pattern: Pattern) -> list[Elaboration]:
    """Exceptional events: the fewest, none that is the cause or the effect, none that comes in any case."""
    link = judge.base.link
    cause, effect = judge.extents.event(link.cause), judge.extents.event(link.effect)
    possible = [
        one
        for one in candidates
        if not cause.is_within(one.extent)
        and not one.extent.is_within(effect)
        and not effect.is_within(one.extent)
        and not judge.holds(link.cause, Relation.LEADS_TO, one.event)
    ]
    found: list[tuple[Candidate, ...]] = []
    for size in range(1, _MOST_EVENTS + 1):
        for chosen in combinations(possible, size):
            if any(set(smaller) <= set(chosen) for smaller in found):
                continue
            event = joined([one.event for one in chosen])
            if not judge.holds(link.cause, link.relation, link.effect, exception=event):
                continue
            if judge.holds(link.cause, Relation.CAN_FOLLOW, link.effect, exception=event):
                found.append(chosen)
    return [_exceptional(judge, pattern, chosen) for chosen in found]


def _exceptional(judge: Judge, pattern: Pattern, chosen: tuple[Candidate, ...]) -> Elaboration:
    link = judge.base.link
    event = joined([one.event for one in chosen])
    showing = Showing(
        judge.story(Link(link.cause, Relation.CAN_FOLLOW, link.effect)), f"avoid-events={event_text(event)}"
    )
    scenario = judge.story(link, exception=event)
    return judge.elaboration(pattern, scenario, showing, from_model=any(one.from_model for one in chosen))
