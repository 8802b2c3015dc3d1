"""Answers as JUnit XML, in the shape that pytest writes: CI systems show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from stateglass.evidence import Verdict
from stateglass.views.claims.cards import Card, verdict_words, why
from stateglass.views.claims.text import card_lines

# Characters that XML 1.0 has no place for.
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(cards: Sequence[Card]) -> str:
    """What is violated or vacuous is a failure, what is inconclusive an error: neither is green."""
    failures = sum(card.is_finding for card in cards)
    errors = sum(card.answer.verdict is Verdict.INCONCLUSIVE for card in cards)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<testsuites>",
        f'  <testsuite name="stateglass" tests="{len(cards)}" failures="{failures}" errors="{errors}" skipped="0">',
        *(line for card in cards for line in _case(card)),
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(card: Card) -> list[str]:
    subject = card.origin.origin.subject or "model"
    span = next((step.span for step in reversed(card.path.steps) if step.span), None) if card.path else None
    place = f" file={_quoted(span.file)} line={_quoted(str(span.line))}" if span is not None else ""
    head = f"    <testcase classname={_quoted(subject)} name={_quoted(card.title)}{place}"
    if card.answer.verdict is Verdict.HOLDS:
        return [head + "/>"]
    tag = "failure" if card.is_finding else "error"
    message = ": ".join(t for t in (verdict_words(card.answer), why(card.answer)) if t)
    text = "\n".join(card_lines(card, 100))
    return [
        head + ">",
        f"      <{tag} type={_quoted(card.answer.verdict.value)} message={_quoted(message)}>{_text(text)}</{tag}>",
        "    </testcase>",
    ]


def _quoted(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text))


def _text(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))
