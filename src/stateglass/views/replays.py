"""What the compiled code said to a run, in the words that terminal and page share, and as a chapter of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from stateglass.source import as_sentence, counted, printable
from stateglass.views.page import Chapter
from stateglass.views.report_parts import escaped, inline, items


@final
@dataclass(frozen=True, slots=True)
class Replayed:
    """A run that was to be confirmed, and what came of it: True, False, or None if that cannot be said."""

    claim: str
    verdict: str
    confirmed: bool | None
    events: int
    step: int | None = None
    reason: str = ""
    compiled: bool = True
    others: tuple[str, ...] = ()  # claims with a run that were not taken


def outcome_word(confirmed: bool | None) -> str:
    return {True: "confirmed", False: "refuted", None: "inconclusive"}[confirmed]


def sentences(replayed: Replayed) -> Iterator[str]:
    """What there is to say of the outcome, each without a capital and a full stop."""
    reason = printable(replayed.reason)
    if replayed.confirmed:
        yield f"the compiled code does what the run says, {counted(replayed.events, 'event')} with their values"
        if reason:
            yield reason
    else:
        at = f"at step {replayed.step}, " if replayed.step and replayed.compiled else ""
        yield f"{at}{reason}"


def others_sentence(replayed: Replayed) -> str:
    """That there were other runs; empty if there were none."""
    if not replayed.others:
        return ""
    several = "violated claims" if replayed.verdict == "violated" else "claims with a run"
    return f"of {1 + len(replayed.others)} {several} the first was taken; --claim takes another:"


def replay_chapter(replayed: Replayed, name: str = "") -> Chapter:
    """A card with the outcome."""
    look = {True: "findings" if replayed.verdict == "violated" else "whole", False: "findings", None: "partial"}
    words = f"<code>{escaped(replayed.claim)}</code>: {outcome_word(replayed.confirmed)}"
    card = (
        f'<section class="card {look[replayed.confirmed]}" aria-label="Outcome"><p><strong>{words}</strong></p>'
        f"{items(inline(as_sentence(text)) for text in sentences(replayed))}</section>"
    )
    return Chapter(name, (), (card,))
