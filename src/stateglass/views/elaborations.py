"""Stronger stories, answers to questions and kept stories: for people at a terminal, and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Path, Verdict, folded
from stateglass.reports import ElaborationReport, FillingReport, KeptReport, QuestionReport
from stateglass.source import as_sentence, printable
from stateglass.views.claims.cards import Card, ending
from stateglass.views.claims.facts import evidence_facts
from stateglass.views.claims.text import Styled
from stateglass.views.summary import cut

_MOST_STRATEGY: Final = 50
"""What is longer is told by its name; `--format json` has all of it."""


@final
@dataclass(frozen=True, slots=True)
class ElaborationCard:
    """A story that was made from another one, and the run that shows it."""

    pattern: str
    text: str
    english: str
    parent: str
    verdict: Verdict
    note: str
    from_model: bool
    shown: str  # the story whose run is shown
    strategy: str
    card: Card | None  # of the story that is shown; None: nobody waited for it


@final
@dataclass(frozen=True, slots=True)
class PatternCard:
    """What a pattern gave for a story."""

    pattern: str
    found: tuple[ElaborationCard, ...]
    rejected: tuple[ElaborationCard, ...]
    remarks: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class FillingCard:
    """What may stand in a hole."""

    answer: str
    text: str
    is_trivial: bool
    from_model: bool


@final
@dataclass(frozen=True, slots=True)
class QuestionCard:
    """A question with a hole and its answers, the strongest first."""

    text: str
    fillings: tuple[FillingCard, ...]
    remarks: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class KeptCard:
    """A story in the tree of those that were made from each other."""

    name: str
    text: str
    parent: str
    pattern: str
    depth: int
    is_orphan: bool
    verdict: Verdict | None
    old_verdict: Verdict | None
    has_old: bool = False  # there is an older model


def elaboration_facts(card: ElaborationCard) -> ElaborationReport:
    """One element of `elaborations`."""
    return {
        "pattern": card.pattern,
        "text": card.text,
        "english": card.english,
        "from": card.parent,
        "verdict": card.verdict.value,
        "note": card.note or None,
        "facts": card.from_model,
        "shown": card.shown,
        "strategy": card.strategy,
        "evidence": None if card.card is None else evidence_facts(card.card),
    }


def question_facts(card: QuestionCard) -> QuestionReport:
    """One element of `questions`."""
    answers: list[FillingReport] = [
        {"answer": one.answer, "text": one.text, "trivial": one.is_trivial, "facts": one.from_model}
        for one in card.fillings
    ]
    return {"text": card.text, "answers": answers, "remarks": list(card.remarks)}


def kept_facts(card: KeptCard) -> KeptReport:
    """One element of `stories`."""
    return {
        "name": card.name or None,
        "text": card.text,
        "from": card.parent or None,
        "by": card.pattern or None,
        "depth": card.depth,
        "verdict": None if card.verdict is None else card.verdict.value,
        "old_verdict": None if card.old_verdict is None else card.old_verdict.value,
    }


# ---- for people


def pattern_lines(
    card: PatternCard, first: int, width: int, styled: Styled = lambda text, verdict: text, *, runs: bool = True
) -> Iterator[str]:
    """What holds, numbered, each with the run that shows it; then what does not hold, and what else is to be said."""
    yield f"  by {card.pattern}:"
    last: Path | None = None
    for number, one in enumerate(card.found, first):
        yield from _hanging(f"{number:>4}  ", f"{one.text}{_origin(one.from_model)}", width)
        if one.note:
            yield from _hanging("      ", as_sentence(one.note), width)
        path = None if one.card is None else one.card.path
        # The same run again would say nothing more.
        if runs and path != last:
            yield from shown_lines(one, width)
        last = path
    for number, one in enumerate(card.rejected):
        words = styled("not", one.verdict)
        yield from _hanging(f"   {words}  ", f"{one.text}{f': {one.note}' if one.note else ''}", width, len("   not  "))
        # One run against what somebody would ask about first; the others are much like it.
        if runs and not number:
            yield from shown_lines(one, width)
    for remark in card.remarks:
        yield from _hanging("      ", as_sentence(remark), width)


def _origin(from_model: bool) -> str:
    return "  (in the model's own terms)" if from_model else ""


def shown_lines(card: ElaborationCard, width: int) -> Iterator[str]:
    """The run that shows a story."""
    path = None if card.card is None else card.card.path
    if card.card is None or path is None:
        return
    many = len(card.strategy) > _MOST_STRATEGY
    strategy = f"{card.strategy.partition('=')[0]}={{…}}" if many else card.strategy
    how = "" if strategy == "shortest" else f", {strategy}"
    kind = "against" if card.card.answer.verdict is Verdict.VIOLATED else "that shows"
    yield from _hanging("      ", f"A run {kind} `{card.shown}`{how}:", width)
    yield from _run(path, width)


def _run(path: Path, width: int) -> Iterator[str]:
    """A run in brief: its steps and what they change."""
    for number, step, silent in folded(path):
        if path.loop_start is not None and number - silent <= path.loop_start + 1 <= number:
            yield cut("        from here on for ever:", width)
        changes = ", ".join(f"{name} = {value}" for name, value in step.changes)
        yield from _hanging(f"{number:>10}  ", f"{step.action}{f': {changes}' if changes else ''}", width)
    end = ending(path)
    if end:
        yield cut(f"            ({end})", width)


def question_lines(card: QuestionCard, width: int) -> Iterator[str]:
    """A question and its answers."""
    yield printable(card.text)
    for one in card.fillings:
        trivial = "  (it fits whatever the model does)" if one.is_trivial else ""
        yield from _hanging("  ", f"{one.answer}{_origin(one.from_model)}{trivial}", width)
    for remark in card.remarks:
        yield from _hanging("  ", as_sentence(remark), width)


def kept_lines(cards: Sequence[KeptCard], width: int, styled: Styled = lambda text, verdict: text) -> Iterator[str]:
    """The stories as trees: each stands below the one that it was made from."""
    names = {card.name for card in cards}
    for card in cards:
        indent = "  " * card.depth
        name = f"{card.name}: " if card.name else ""
        by = f"  by {card.pattern}" if card.pattern else ""
        lost = "which was made from this one" if card.parent in names else "which is not here"
        orphan = f" from `{card.parent}`, {lost}" if card.is_orphan else ""
        yield from _hanging(indent, f"{name}{card.text}{by}{orphan}", width)
        verdict = "not looked at" if card.verdict is None else styled(card.verdict.value, card.verdict)
        if card.has_old:
            old = "unknown words" if card.old_verdict is None else card.old_verdict.value
            verdict = f"{verdict}; before: {old}"
        yield f"{indent}  {verdict}"


def _hanging(before: str, text: str, width: int, indent: int | None = None) -> list[str]:
    deep = " " * (len(before) if indent is None else indent)
    lines = textwrap.wrap(printable(text), max(width - len(deep), 20), break_on_hyphens=False) or [""]
    return [before + lines[0], *(deep + line for line in lines[1:])]
