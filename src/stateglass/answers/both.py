"""Claims of both kinds on code that is handed objects: for any values in them, or where these start at zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.answers.answering import FIRST_LOOKS, answer_claims, answer_open_claims
from stateglass.answers.checking import Checked, Checking
from stateglass.answers.how import How, is_decidable
from stateglass.evidence import Verdict
from stateglass.explore import Manner
from stateglass.logic.claims import Claim
from stateglass.system import System
from stateglass.unbounded.engines import Engine
from stateglass.work import Progress


@final
@dataclass(frozen=True, slots=True)
class Split:
    """Claims by whether they can be decided without looking at every state, and which of all they are."""

    decidable: tuple[int, ...]
    others: tuple[int, ...]


def split(claims: Sequence[Claim], manner: Manner, how: How) -> Split:
    decidable = tuple(n for n, claim in enumerate(claims) if is_decidable(claim, manner, how.engine))
    return Split(decidable, tuple(n for n in range(len(claims)) if n not in decidable))


def answer_both(
    system: System, opened: System, manner: Manner, claims: Sequence[Claim], progress: Progress, how: How
) -> tuple[Checking, tuple[str, ...]]:
    """The answers in the order of the claims; `opened` is the system in which objects may hold any value."""
    parts = split(claims, manner, how)
    first, notes = answer_open_claims(opened, manner, [claims[n] for n in parts.decidable], progress, how)
    if first.interrupted:
        return first, notes
    second, further = answer_claims(system, manner, [claims[n] for n in parts.others], 0, progress, how)
    answers: dict[int, Checked] = dict(zip(parts.decidable, first.checked, strict=True))
    answers |= dict(zip(parts.others, second.checked, strict=False))
    said = dict.fromkeys([*opened.assumptions, *second.model.origin.assumptions])
    model = replace(second.model, origin=replace(second.model.origin, assumptions=tuple(said)))
    named = ", ".join(f"`{claims[n].title}`" for n in parts.others)
    note = f"for {named} what is handed in starts at zero; the other claims are decided for any value of it"
    checked = tuple(answers[n] for n in sorted(answers))
    return Checking(model, checked, second.interrupted, second.models), (*notes, *further, note)


def with_violated(system: System, manner: Manner, checking: Checking, progress: Progress) -> Checking:
    """The answers with those runs that violate what was not decided, where objects start at zero.

    That is one of all that they may hold, so that a run is one of the code; that there is none says nothing.
    """
    left = [one.claim for one in checking.checked if one.answer.verdict is Verdict.INCONCLUSIVE]
    if checking.interrupted or not left or not manner.left():
        return checking
    few = replace(manner, max_states=min(manner.max_states, FIRST_LOOKS[-1]))
    try:
        second, _ = answer_claims(system, few, left, 0, progress, How(Engine.EXPLICIT))
    except KeyboardInterrupt:
        return replace(checking, interrupted=True)
    violated = {id(one.claim): one for one in second.checked if one.answer.verdict is Verdict.VIOLATED}
    return replace(checking, checked=tuple(violated.get(id(one.claim), one) for one in checking.checked))
