"""Variable-subset dependence: which variables a story does not need, so that they may be left out of sight.

Variables are looked at in groups, as the parts of an object: `E1.floor` and `E1.door` are of one group. Of a story that
holds, those groups are told whose values need not change from the cause to the effect; of one that is violated, those
whose changes are to blame, as without them it holds.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from stateglass.evidence import Verdict
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Turn
from stateglass.model import STABLE
from stateglass.scenarios.elaboration.candidates import joined
from stateglass.scenarios.elaboration.findings import Notebook, Showing, avoiding
from stateglass.scenarios.elaboration.judging import Judge
from stateglass.scenarios.language import Change, Condition, Event, Link, Relation

_MOST_GROUPS: Final = 12


def leave_out(judge: Judge, notes: Notebook) -> None:
    """Notes what need not change."""
    changing = _groups(judge)
    if len(changing) > _MOST_GROUPS:
        return
    link = judge.base.link
    follow = Link(link.cause, Relation.CAN_FOLLOW, link.effect)
    verdict = judge.validate(judge.story(link)).verdict
    if verdict is Verdict.VIOLATED and link.relation is not Relation.CAN_FOLLOW:
        for name, event in changing.items():
            if judge.holds(link.cause, Relation.CAN_FOLLOW, link.effect, exception=event):
                story = judge.story(link, exception=event)
                if judge.validate(story).verdict is Verdict.HOLDS:
                    showing = Showing(judge.story(link))
                    note = f"the exception needs a change of {name}"
                    notes.add(judge.elaboration(notes.pattern, story, showing, note, from_model=True))
    elif verdict is Verdict.HOLDS:
        unneeded: dict[str, Event] = {}
        for name, event in changing.items():
            together = joined([*unneeded.values(), event])
            if judge.holds(link.cause, Relation.CAN_FOLLOW, link.effect, exception=together):
                unneeded[name] = event
        if unneeded:
            showing = Showing(judge.story(follow), avoiding("vars", unneeded))
            story = judge.story(follow, exception=joined(list(unneeded.values())))
            notes.add(judge.elaboration(notes.pattern, story, showing, from_model=True))


def _groups(judge: Judge) -> dict[str, Event]:
    """The changes of each group of variables that changes at all, unless all of them belong to the cause or the effect.

    Of a single group there is nothing to be left out.
    """
    names = sorted(own.name for own in judge.validator.model.propositions if own.name != STABLE)
    ends = [judge.extents.event(event) for event in (judge.base.cause, judge.base.effect)]
    found: dict[str, Event] = {}
    count = 0
    for group, members in groupby(names, key=lambda name: name.partition(".")[0]):
        several = list(members)
        pattern = f"{group}.*" if "." in several[0] else group
        event = Change(Turn.CHANGES, Condition(Named(pattern)))
        extent = judge.extents.event(event)
        count += not extent.is_empty
        if not extent.is_empty and not any(end.is_within(extent) for end in ends):
            found[pattern] = event
    return found if count > 1 else {}
