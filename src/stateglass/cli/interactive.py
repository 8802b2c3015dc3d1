"""`scenario --interactive`: from a scenario to stronger ones, step by step, with plain questions in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import click

from stateglass.answers.elaborating import Elaborating
from stateglass.answers.scenarios import Telling, Told
from stateglass.cli.console import Console, Style
from stateglass.cli.elaborating import ElaboratingOptions, keep, pattern_cards
from stateglass.cli.exits import Exit
from stateglass.cli.styles import by_verdict
from stateglass.model import Model
from stateglass.scenarios.elaboration.findings import Elaboration, Pattern
from stateglass.scenarios.elaboration.holes import is_question
from stateglass.scenarios.english import sentence
from stateglass.scenarios.language import Scenario, Story
from stateglass.scenarios.reading import read_scenario
from stateglass.source import InputError, counted
from stateglass.views.claims.cards import Card
from stateglass.views.claims.text import Styled, card_lines
from stateglass.views.elaborations import PatternCard, pattern_lines, shown_lines

_BACK: Final = ("b", "back")
_QUIT: Final = ("q", "quit", "exit")


@final
class _Quit(Exception):
    """Somebody has seen enough."""


@final
class _Back(Exception):
    """Somebody wants to choose again."""


@final
@dataclass(frozen=True, slots=True)
class _Stage:
    """What a walk needs: what is looked at, and where it is told."""

    elaborating: Elaborating
    telling: Telling
    story: Story
    patterns: tuple[Pattern, ...]
    files: Sequence[str]
    out: Console
    err: Console
    styled: Styled


def interact(
    telling: Telling,
    story: Story,
    options: ElaboratingOptions,
    old: Model | None,
    files: Sequence[str],
    out: Console,
    err: Console,
) -> Exit:
    """Walks through scenarios, patterns and what they give, until somebody quits or the input ends."""
    elaborating = Elaborating(telling, story.vocabulary, old)
    stage = _Stage(elaborating, telling, story, options.chosen, files, out, err, by_verdict(out))
    known = [told for told in telling.told if told.validation is not None]
    try:
        while True:
            try:
                told = _chosen_scenario(stage, known)
                known += _walk(stage, told)
            except _Back:
                continue
    except (_Quit, click.Abort):
        err.line("")
    return Exit.OK


def _ask(question: str) -> str:
    found: str = click.prompt(question, default="", show_default=False, err=True)
    answer = found.strip()
    if answer.lower() in _QUIT:
        raise _Quit
    if answer.lower() in _BACK:
        raise _Back
    return answer


def _number(answer: str, most: int) -> int | None:
    return int(answer) - 1 if answer.isdecimal() and 1 <= int(answer) <= most else None


# ---- choosing a scenario


def _chosen_scenario(stage: _Stage, known: list[Told]) -> Told:
    for number, told in enumerate(known, 1):
        verdict = stage.styled(told.answer.verdict.value, told.answer.verdict)
        name = f"{told.scenario.name}: " if told.scenario.name else ""
        stage.out.line(f"{number:>4}  {name}{told.scenario.text}: {verdict}")
    while True:
        answer = _ask("scenario (a number, a text, or q to quit)")
        chosen = _number(answer, len(known))
        if chosen is not None:
            return known[chosen]
        if answer and not answer.isdecimal():
            fresh = _validated(stage, answer)
            if fresh is not None:
                known.append(fresh)
                return fresh
        else:
            stage.out.line(f"There {'is' if len(known) == 1 else 'are'} {counted(len(known), 'scenario')}.")


def _validated(stage: _Stage, text: str) -> Told | None:
    try:
        scenario = read_scenario(text, stage.story.vocabulary, stage.story.fairness)
        if is_question(scenario):
            for filling in stage.elaborating.ask(scenario).fillings:
                stage.out.line(f"      {filling.answer}")
            return None
        return stage.elaborating.tell(scenario)
    except InputError as error:
        _say(stage, error)
        return None


def _say(stage: _Stage, error: InputError) -> None:
    for diagnostic in error.diagnostics:
        stage.err.paragraph(f"{stage.err.styled('error', Style.ERROR)}: {diagnostic.message}", "  ")
        if diagnostic.help:
            stage.err.paragraph(f"  {diagnostic.help}", "  ")


# ---- one scenario


def _walk(stage: _Stage, told: Told) -> list[Told]:
    """Shows a scenario and lets patterns be chosen; what was kept."""
    scenario = told.scenario
    card = Card(scenario.title, scenario.text, sentence(scenario), told.answer, told.model, stage.telling.model)
    for line in card_lines(card, stage.out.width, stage.styled):
        stage.out.line(line)
    elaborated = stage.elaborating.elaborate(scenario, stage.patterns)
    cards = list(pattern_cards(elaborated, stage.telling))
    kept: list[Told] = []
    if not cards:
        stage.out.line("No pattern applies.")
        return kept
    try:
        while True:
            for number, pattern in enumerate(cards, 1):
                counts = f"{len(pattern.found)} found, {len(pattern.rejected)} rejected"
                stage.out.line(f"{number:>4}  {pattern.pattern}: {counts}")
            chosen = _number(_ask("pattern (a number, b to go back, or q to quit)"), len(cards))
            if chosen is None:
                stage.out.line(f"There are {len(cards)} patterns.")
                continue
            found = [one.elaboration for one in elaborated.findings[chosen].found]
            try:
                _choose_story(stage, cards[chosen], found, kept)
            except _Back:
                continue
    except _Back:
        return kept


def _choose_story(stage: _Stage, card: PatternCard, found: list[Elaboration], kept: list[Told]) -> None:
    for line in pattern_lines(card, 1, stage.out.width, stage.styled, runs=False):
        stage.out.line(line)
    while True:
        answer = _ask("story (a number shows its run, k NUMBER NAME keeps it, b to go back, or q to quit)")
        word, _, rest = answer.partition(" ")
        if word == "k":
            what, _, name = rest.strip().partition(" ")
            number = _number(what, len(found))
            if number is not None and name.strip():
                _keep(stage, found[number].scenario, name.strip(), kept)
                continue
        else:
            number = _number(answer, len(found))
            if number is not None:
                for line in shown_lines(card.found[number], stage.out.width):
                    stage.out.line(line)
                continue
        stage.out.line(f"There are {len(found)} stories. To keep the first: k 1 NAME")


def _keep(stage: _Stage, scenario: Scenario, name: str, kept: list[Told]) -> None:
    try:
        line = keep(name, scenario, stage.files, stage.story)
    except InputError as error:
        _say(stage, error)
        return
    stage.out.line(f"kept: {line}")
    kept.append(stage.elaborating.tell(replace(scenario, name=name)))
