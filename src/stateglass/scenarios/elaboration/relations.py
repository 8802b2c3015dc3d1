"""Stronger relation: whether the same events belong together more closely than a story says."""

from __future__ import annotations

from typing import Final

from stateglass.evidence import Verdict
from stateglass.scenarios.elaboration.findings import Notebook
from stateglass.scenarios.elaboration.judging import Judge
from stateglass.scenarios.language import Link, Relation

_STRONGER: Final = {
    Relation.CAN_FOLLOW: (Relation.LINKED, Relation.LEADS_TO, Relation.ONLY_SINCE, Relation.ONLY_AFTER),
    Relation.LEADS_TO: (Relation.LINKED, Relation.ONLY_SINCE, Relation.ONLY_AFTER),
    Relation.ONLY_AFTER: (Relation.LINKED, Relation.ONLY_SINCE, Relation.LEADS_TO),
    Relation.ONLY_SINCE: (Relation.LEADS_TO,),
    Relation.LINKED: (Relation.ONLY_SINCE,),
}
"""What may be asked next, strongest first."""
_IMPLIED: Final = {
    Relation.LINKED: frozenset({Relation.LEADS_TO, Relation.ONLY_AFTER}),
    Relation.ONLY_SINCE: frozenset({Relation.ONLY_AFTER}),
}
assert set(_STRONGER) == set(Relation)


def strengthen(judge: Judge, notes: Notebook) -> None:
    """Notes the strongest relations of the two events, and which ones they do not have."""
    link = judge.base.link
    if judge.validate(judge.story(link)).verdict is not Verdict.HOLDS:
        return
    implied: set[Relation] = set()
    for relation in _STRONGER[link.relation]:
        if relation in implied:
            continue
        story = judge.story(Link(link.cause, relation, link.effect))
        elaboration = judge.elaboration(notes.pattern, story)
        holds = elaboration.verdict is Verdict.HOLDS
        # `<->` is two relations: which of them fails is said by the one that does.
        if holds or relation is not Relation.LINKED:
            notes.add(elaboration)
        if holds:
            implied |= _IMPLIED.get(relation, frozenset())
