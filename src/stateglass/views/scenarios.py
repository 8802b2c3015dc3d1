"""Answers to scenarios: for people at a terminal, and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

from stateglass.evidence import Verdict
from stateglass.reports import ScenarioReport
from stateglass.views.claims.cards import Card, shortened, why
from stateglass.views.claims.facts import evidence_facts
from stateglass.views.claims.text import Styled, card_lines, indented


@final
@dataclass(frozen=True, slots=True)
class ScenarioCard:
    """A scenario with its answer, and what was said beside it."""

    card: Card
    name: str
    expected: Verdict
    parent: str = ""
    pattern: str = ""
    formulas: tuple[str, ...] | None = None  # None: nobody asked
    obligations: tuple[tuple[str, ...], ...] = ()  # what is to be shown in each state of the run
    new_steps: frozenset[int] | None = None  # of the run, from 0; None: it is not known which are new

    @property
    def as_expected(self) -> bool:
        return self.card.answer.verdict is self.expected

    @property
    def for_people(self) -> Card:
        """On a page, beside others: whether its verdict is the one that was expected."""
        return replace(self.card, remark=_expectation(self))

    @property
    def for_reports(self) -> Card:
        """As tools see it that know nothing of expectations: what is as expected is no finding, the rest is one."""
        answer = self.card.answer
        if self.expected is Verdict.HOLDS or answer.verdict is Verdict.INCONCLUSIVE:
            return self.card
        words = f"Its verdict is `{answer.verdict.value}`{_expectation(self)}. {answer.explanation}".strip()
        if self.as_expected:
            return replace(self.card, answer=replace(answer, verdict=Verdict.HOLDS, explanation=words, evidence=None))
        return replace(self.card, answer=replace(answer, verdict=Verdict.VIOLATED, explanation=words))


def scenario_facts(shown: ScenarioCard) -> ScenarioReport:
    """One element of `scenarios`."""
    card = shown.card
    report: ScenarioReport = {
        "name": shown.name or None,
        "text": card.text,
        "english": card.meaning,
        "verdict": card.answer.verdict.value,
        "expected": shown.expected.value,
        "reason": None if card.answer.reason is None else card.answer.reason.value,
        "explanation": why(card.answer) or None,
        "from": shown.parent or None,
        "by": shown.pattern or None,
        "evidence": evidence_facts(card),
        "assumptions": [str(assumption) for assumption in card.origin.origin.assumptions],
    }
    if shown.formulas is not None:
        report["formulas"] = list(shown.formulas)
        report["obligations"] = [list(texts) for texts in shown.obligations]
    if shown.new_steps is not None:
        report["new_steps"] = sorted(shown.new_steps)
    return report


def scenario_lines(shown: ScenarioCard, width: int, styled: Styled = lambda text, verdict: text) -> Iterator[str]:
    """The verdict, why, what the scenario says, and a run."""
    first, *rest = card_lines(shown.card, width, styled, shown.obligations, shown.new_steps or ())
    yield first + _expectation(shown)
    if shown.name:
        yield from indented(shortened(shown.card.text), width)
    if shown.parent:
        yield from indented(f"It was made from `{shown.parent}` by {shown.pattern}.", width)
    for formula in shown.formulas or ():
        yield from indented(f"In CTL: {shortened(formula)}", width)
    yield from rest


def _expectation(shown: ScenarioCard) -> str:
    if shown.expected is Verdict.HOLDS:
        return ""
    return ", as expected" if shown.as_expected else f", and {shown.expected.value} was expected"
