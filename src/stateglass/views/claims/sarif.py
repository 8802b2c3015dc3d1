"""Answers as SARIF 2.1.0, which code hosts and editors show beside the lines of the source."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from stateglass import __version__
from stateglass.evidence import Path, Step, Verdict
from stateglass.source import Span, as_sentence
from stateglass.views.claims.cards import Card, confirmation, verdict_words, why

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_KINDS: Final = {
    Verdict.HOLDS: ("pass", "none"),
    Verdict.VIOLATED: ("fail", "error"),
    Verdict.VACUOUS: ("fail", "warning"),
    Verdict.INCONCLUSIVE: ("open", "none"),
}
assert set(_KINDS) == set(Verdict)


def sarif(cards: Sequence[Card]) -> dict[str, Any]:
    """One run with a rule for each claim, and one result for each."""
    rules = [
        {
            "id": rule_id(card),
            "shortDescription": {"text": card.title},
            "fullDescription": {"text": card.meaning or card.text},
        }
        for card in cards
    ]
    results = [_result(number, card) for number, card in enumerate(cards)]
    driver = {"name": "Stateglass", "version": __version__, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}],
    }


def rule_id(card: Card) -> str:
    """The name of a claim; a claim without one goes by what it says, so that it is the same in the next run."""
    plain = card.title.isascii() and all(c.isalnum() or c in "-_." for c in card.title)
    return card.title if plain else "claim-" + hashlib.sha256(card.text.encode("utf-8", "replace")).hexdigest()[:12]


def _result(number: int, card: Card) -> dict[str, Any]:
    kind, level = _KINDS[card.answer.verdict]
    said = (f"{card.title}: {verdict_words(card.answer)}.", as_sentence(why(card.answer)), confirmation(card.answer))
    path = card.path
    result: dict[str, Any] = {
        "ruleId": rule_id(card),
        "ruleIndex": number,
        "kind": kind,
        "level": level,
        "message": {"text": " ".join(text for text in said if text)},
        "partialFingerprints": {"stateglassRun/v1": _fingerprint(card, path)},
    }
    if path is not None:
        placed = [step for step in path.steps if step.span is not None and step.span.line and not step.span.in_library]
        if placed:
            result["locations"] = [{"physicalLocation": _physical(placed[-1].span)}]
        if path.steps:
            result["codeFlows"] = [{"threadFlows": [{"locations": [_flow(n, s) for n, s in enumerate(path.steps)]}]}]
    return result


def _flow(number: int, step: Step) -> dict[str, Any]:
    changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
    location: dict[str, Any] = {"message": {"text": step.action + (f"; then {changes}" if changes else "")}}
    if step.span is not None and step.span.line and not step.span.in_library:
        location["physicalLocation"] = _physical(step.span)
    return {"executionOrder": number + 1, "location": location}


def _physical(span: Span | None) -> dict[str, Any]:
    assert span is not None
    region: dict[str, Any] = {"startLine": span.line}
    if span.start.column:
        region["startColumn"] = span.start.column
    uri = quote(PurePath(os.path.normpath(span.file)).as_posix())
    return {"artifactLocation": {"uri": uri}, "region": region}


def _fingerprint(card: Card, path: Path | None) -> str:
    """A text that stays the same for the same finding when its lines move."""
    actions = [] if path is None else [step.action for step in path.steps]
    loop = None if path is None else path.loop_start
    whole = json.dumps([card.text, card.answer.verdict.value, actions, loop])
    return hashlib.sha256(whole.encode()).hexdigest()
