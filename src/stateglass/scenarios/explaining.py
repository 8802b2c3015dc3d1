"""Why a scenario has its verdict, in a sentence."""

from __future__ import annotations

from typing import assert_never

from stateglass.evidence import Verdict
from stateglass.scenarios.english import event_clause, never_clause
from stateglass.scenarios.language import Link, Relation, Start, Vocabulary
from stateglass.scenarios.validating import Reply, Validation
from stateglass.scenarios.writing import event_text


def explanation(validation: Validation, vocabulary: Vocabulary) -> str:
    """What decides about a scenario; of several relations, which one."""
    reply = validation.deciding
    several = len(validation.replies) > 1
    said = f"`{_link_text(reply.question.link, vocabulary)}`" if several else "It"
    match reply.verdict:
        case Verdict.HOLDS:
            return f"All {len(validation.replies)} relations hold." if several else "It holds."
        case Verdict.VIOLATED:
            return f"{said} is violated: {_wrong(reply)}."
        case Verdict.VACUOUS:
            never = " and ".join(f"`{event_text(event, vocabulary)}`" for event in reply.impossible)
            return f"{said} says nothing: {never} never {'happens' if len(reply.impossible) == 1 else 'happen'} there."
        case Verdict.INCONCLUSIVE:
            return f"{said} is not decided. {reply.words}".strip() if several else reply.words
        case _:
            assert_never(reply.verdict)


def _link_text(link: Link, vocabulary: Vocabulary) -> str:
    """A cause, the relation and the effect, as they are written."""
    return f"{event_text(link.cause, vocabulary)} {link.relation.value} {event_text(link.effect, vocabulary)}"


def _wrong(reply: Reply) -> str:
    link = reply.question.link
    cause, effect = event_clause(link.cause), event_clause(link.effect)
    match link.relation:
        case Relation.CAN_FOLLOW:
            return f"there is no run on which {cause} and, in the same step or later, {effect}"
        case Relation.LEADS_TO:
            begins = "" if isinstance(link.cause, Start) else f"{cause}, and from then on "
            return f"on this run {begins}{never_clause(link.effect)}"
        case Relation.ONLY_AFTER:
            return f"on this run {effect}, and up to then {never_clause(link.cause)}"
        case Relation.ONLY_SINCE:
            return f"on this run {effect}, and up to then, or since the last time, {never_clause(link.cause)}"
        case Relation.LINKED:
            raise AssertionError("taken apart before")
        case _:
            assert_never(link.relation)
