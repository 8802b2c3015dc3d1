"""Event splitting: which of several effects a cause has, and what decides it.

Applies where `a -> b` holds, `b` is one of several events, and `a` leads to none of them in any case. Looks for parts of
`a` that do, and for conditions under which `a` or a part of it does.
"""

from __future__ import annotations

from typing import Final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.candidates import alternatives, parts_of
from stateglass.scenarios.elaboration.extents import Extent
from stateglass.scenarios.elaboration.findings import Elaboration, Findings, Pattern, Showing
from stateglass.scenarios.elaboration.judging import Judge
from stateglass.scenarios.elaboration.restricting import Restricted, under_vocabulary_or_facts
from stateglass.scenarios.elaboration.wording import event_text
from stateglass.scenarios.language import Event, Link, Relation

PATTERN: Final = Pattern.EVENT_SPLITTING
_MOST_CONDITIONS: Final = 4
"""So many conditions are told for one cause and one effect."""


def split(judge: Judge) -> Findings | None:
    """None: the pattern does not apply."""
    cause, effect = judge.base.cause, judge.base.effect
    vocabulary = judge.validator.vocabulary
    effects = alternatives(effect, vocabulary)
    if len(effects) < 2 or not judge.holds(cause, Relation.LEADS_TO, effect):
        return None
    found: list[Elaboration] = []
    rejected: list[Elaboration] = []
    remarks: list[str] = []
    causes = _largest_first(judge, [cause, *parts_of(cause, vocabulary)])
    for one in effects:
        covered: list[Extent] = []  # the steps that are known to lead to this effect
        undecided: list[Event] = []
        for part in causes:
            if any(judge.extents.event(part).is_within(known) for known in covered):
                continue
            link = Link(part, Relation.LEADS_TO, one)
            verdict = judge.verdict(part, Relation.LEADS_TO, one)
            if verdict is Verdict.HOLDS:
                covered.append(judge.extents.event(part))
                found.append(judge.elaboration(PATTERN, judge.story(link), _showing(judge, part, one)))
            elif verdict is Verdict.VIOLATED:
                undecided.append(part)
        # What leads there without a condition is told before anything that needs one.
        for part in undecided:
            conditions, more = under_vocabulary_or_facts(
                judge, Link(part, Relation.LEADS_TO, one), at_cause=True, most=_MOST_CONDITIONS
            )
            for restricted in conditions:
                steps = _steps(judge, part, restricted)
                if any(steps.is_within(known) for known in covered):
                    continue
                covered.append(steps)
                found.append(_under_condition(judge, part, one, restricted))
                rejected += _rejected(judge, part, one, restricted)
            if more:
                remarks.append(f"{more} more conditions decide when `{event_text(part)}` leads to `{event_text(one)}`")
            if not conditions and judge.holds(part, Relation.CAN_FOLLOW, one):
                remarks.append(_open(part, one))
    if not found and not rejected and not remarks:
        return None
    return Findings(PATTERN, tuple(found), tuple(rejected), tuple(remarks))


def _largest_first(judge: Judge, causes: list[Event]) -> list[Event]:
    """A cause that leads to an effect makes its parts not worth telling."""
    possible = [one for one in causes if not judge.extents.event(one).is_empty]
    return sorted(possible, key=lambda one: -judge.extents.event(one).size)


def _steps(judge: Judge, cause: Event, restricted: Restricted) -> Extent:
    return judge.extents.event(cause).common(judge.extents.steps_from(restricted.term.extent))


def _under_condition(judge: Judge, cause: Event, effect: Event, restricted: Restricted) -> Elaboration:
    note = "exactly then: in every other state it may fail" if restricted.is_exact else ""
    return judge.elaboration(
        PATTERN,
        restricted.scenario,
        _showing(judge, cause, effect),
        note,
        from_model=restricted.from_model,
    )


def _rejected(judge: Judge, cause: Event, effect: Event, restricted: Restricted) -> list[Elaboration]:
    tried = [judge.elaboration(PATTERN, story, from_model=restricted.from_model) for story in restricted.rejected]
    return [one for one in tried if one.verdict is Verdict.VIOLATED]


def _showing(judge: Judge, cause: Event, effect: Event) -> Showing:
    """A run from the cause to the effect that has little in common with one on which it does not come."""
    return Showing(judge.story(Link(cause, Relation.CAN_FOLLOW, effect)), "shortest")


def _open(cause: Event, effect: Event) -> str:
    return (
        f"`{event_text(cause)}` can be followed by `{event_text(effect)}` or not, and no condition that was tried "
        "decides it: it may be an open choice"
    )
