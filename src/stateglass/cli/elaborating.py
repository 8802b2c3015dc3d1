"""`scenario --elaborate` and what goes with it: questions, kept stories."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import click

from stateglass.answers.elaborating import Elaborating, ToldElaborated, ToldElaboration
from stateglass.answers.scenarios import Telling
from stateglass.cli.stories import MOST_BYTES, read_files
from stateglass.evidence import Verdict
from stateglass.formats.files import decode, read_bytes, utf8, write_bytes
from stateglass.model import Model
from stateglass.reports import ScenariosReport
from stateglass.scenarios.elaboration.findings import PATTERNS, Elaboration, Pattern
from stateglass.scenarios.elaboration.holes import Answered, is_question
from stateglass.scenarios.elaboration.stories import grown, kept_line, with_line
from stateglass.scenarios.english import sentence
from stateglass.scenarios.language import Scenario, Story
from stateglass.scenarios.validating import Validator
from stateglass.source import Code, InputError, input_error, suggestion
from stateglass.views.claims.cards import Card
from stateglass.views.claims.text import Styled
from stateglass.views.elaborations import (
    ElaborationCard,
    FillingCard,
    KeptCard,
    PatternCard,
    QuestionCard,
    elaboration_facts,
    kept_facts,
    kept_lines,
    pattern_lines,
    question_facts,
    question_lines,
)
from stateglass.work import Progress

_KEEP: Final = re.compile(r"\s*(?P<name>[^=\s]+)\s*=\s*(?P<what>.+?)\s*", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class ElaboratingOptions:
    """What is to be made of scenarios beside answers."""

    elaborate: bool = False
    patterns: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    stories: bool = False
    old: str | None = None
    interactive: bool = False

    def check(self, *, for_programs: bool) -> None:
        """Refuses what does not go together."""
        if self.interactive and for_programs:
            raise input_error(Code.USAGE, "--interactive is for people, and --format json for programs")
        if self.keep and not self.elaborate:
            raise input_error(Code.USAGE, "--keep keeps what --elaborate finds", help="add --elaborate")
        for one in self.keep:
            if _KEEP.fullmatch(one) is None:
                message = f"--keep {one} does not say what is kept under which name"
                raise input_error(Code.USAGE, message, help="write --keep NAME=NUMBER, or --keep NAME=TEXT")

    @property
    def chosen(self) -> tuple[Pattern, ...]:
        return tuple(PATTERNS[name] for name in self.patterns) or tuple(Pattern)


def elaborating_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--elaborate` and the like: the command gets them as one value, `elaborating`."""

    @functools.wraps(command)
    def with_options(*args: Any, **kwargs: Any) -> Any:
        names = ("elaborate", "patterns", "keep", "stories", "old", "interactive")
        options = ElaboratingOptions(**{name: kwargs.pop(name) for name in names})
        return command(*args, elaborating=options, **kwargs)

    options = (
        click.option(
            "--elaborate", is_flag=True, help="Look for stronger stories: other causes, conditions, events in between."
        ),
        click.option(
            "--pattern",
            "patterns",
            multiple=True,
            type=click.Choice(list(PATTERNS)),
            metavar="PATTERN",
            help=f"Elaborate by this pattern alone ({', '.join(PATTERNS)}); may be repeated.",
        ),
        click.option(
            "--keep",
            multiple=True,
            metavar="NAME=WHAT",
            help="Add what was found to the file of scenarios under a name: WHAT is its number or its text.",
        ),
        click.option("--stories", is_flag=True, help="List the scenarios as trees: which was made from which."),
        click.option("--old", metavar="MODEL", help="The model before a change: what has broken which story?"),
        click.option(
            "--interactive", is_flag=True, help="Go through scenarios and what they can become, step by step."
        ),
    )
    for option in reversed(options):
        with_options = option(with_options)
    return with_options


@final
@dataclass(frozen=True, slots=True)
class Further:
    """What came out beside the answers to scenarios."""

    questions: tuple[QuestionCard, ...]
    elaborated: tuple[tuple[str, tuple[PatternCard, ...]], ...]  # by the title of the story
    kept: tuple[str, ...]  # lines
    stories: tuple[KeptCard, ...] | None  # None: nobody asked
    interrupted: bool

    def add_to(self, report: ScenariosReport) -> None:
        """Adds what was asked for to the report."""
        if self.questions:
            report["questions"] = [question_facts(question) for question in self.questions]
        if self.elaborated:
            cards = [card for _, patterns in self.elaborated for card in patterns]
            each = [one for card in cards for one in (*card.found, *card.rejected)]
            report["elaborations"] = [elaboration_facts(one) for one in each]
            report["remarks"] = [f"{card.pattern}: {remark}" for card in cards for remark in card.remarks]
        if self.stories is not None:
            report["stories"] = [kept_facts(card) for card in self.stories]
        if self.kept:
            report["kept"] = list(self.kept)

    def lines(self, width: int, styled: Styled) -> Iterator[str]:
        for question in self.questions:
            yield from question_lines(question, width)
        number = 1
        for title, patterns in self.elaborated:
            yield f"elaborating {title}"
            if not patterns:
                yield "  no pattern applies"
            for card in patterns:
                yield from pattern_lines(card, number, width, styled)
                number += len(card.found)
        if self.stories is not None:
            yield from kept_lines(self.stories, width, styled)
        for line in self.kept:
            yield f"kept: {line}"


def further(
    telling: Telling,
    story: Story,
    formulas: Sequence[str],
    options: ElaboratingOptions,
    old: Model | None,
    files: Sequence[str],
    progress: Progress,
) -> Further:
    """Questions answered, stories elaborated and kept, as it was asked for."""
    elaborating = Elaborating(telling, story.vocabulary, old, progress=progress)
    like = story.scenarios[0] if story.scenarios else None
    answers = [elaborating.ask(scenario) for scenario in story.scenarios if is_question(scenario)]
    answers += [elaborating.ask_formula(text, like) for text in formulas]
    interrupted = any(answer.interrupted for answer in answers)
    cards: list[tuple[str, tuple[PatternCard, ...]]] = []
    found: list[Elaboration] = []  # as they are numbered
    for told in telling.told if options.elaborate else ():
        if told.validation is not None:
            elaborated = elaborating.elaborate(told.scenario, options.chosen)
            cards.append((told.scenario.title, tuple(pattern_cards(elaborated, telling))))
            found += [one.elaboration for findings in elaborated.findings for one in findings.found]
            if elaborated.interrupted:
                interrupted = True
                break
    kept = tuple(keep(*_wished(wish, found), files, story) for wish in options.keep)
    before = None if old is None else Validator(old, story.vocabulary)
    stories = tuple(_kept(telling, before)) if options.stories else None
    return Further(tuple(map(_question, answers)), tuple(cards), kept, stories, interrupted)


def _question(answer: Answered) -> QuestionCard:
    fillings = tuple(FillingCard(one.answer, one.text, one.is_trivial, one.from_model) for one in answer.fillings)
    return QuestionCard(answer.question, fillings, answer.remarks)


def pattern_cards(elaborated: ToldElaborated, telling: Telling) -> Iterator[PatternCard]:
    """What the patterns gave for a story."""
    for findings in elaborated.findings:
        yield PatternCard(
            findings.pattern.value,
            tuple(_card(one, elaborated.base, telling) for one in findings.found),
            tuple(_card(one, elaborated.base, telling) for one in findings.rejected),
            findings.remarks,
        )


def _card(one: ToldElaboration, base: Scenario, telling: Telling) -> ElaborationCard:
    elaboration, told = one.elaboration, one.told
    shown = elaboration.showing.scenario
    card = None
    if told is not None:
        card = Card(shown.text, shown.text, sentence(shown), told.answer, told.model, telling.model)
    return ElaborationCard(
        elaboration.pattern.value,
        elaboration.scenario.text,
        sentence(elaboration.scenario),
        base.title,
        elaboration.verdict,
        elaboration.note,
        elaboration.from_model,
        shown.text,
        elaboration.showing.strategy,
        card,
    )


# ---- kept stories


def _wished(wish: str, found: Sequence[Elaboration]) -> tuple[str, Scenario]:
    match = _KEEP.fullmatch(wish)
    assert match is not None, "checked before"
    name, what = match["name"], match["what"]
    if what.isdecimal():
        if not 1 <= int(what) <= len(found):
            there = f"there are {len(found)}" if found else "nothing was found"
            raise input_error(Code.USAGE, f"--keep {wish}: no story has the number {what}", help=there)
        return name, found[int(what) - 1].scenario
    by_text = {one.scenario.text: one.scenario for one in found}
    if what not in by_text:
        message = f"--keep {wish}: no story that was found is `{what}`"
        raise input_error(Code.USAGE, message, help=suggestion(what, by_text))
    return name, by_text[what]


def keep(name: str, scenario: Scenario, files: Sequence[str], story: Story) -> str:
    """Adds a story to the last file of scenarios; the line that was added."""
    if not files:
        raise input_error(Code.USAGE, f"there is no file to keep `{name}` in", help="name a file FILE.scenarios")
    path = files[-1]
    taken = [known.name for known in read_files(list(files)).scenarios]
    line = kept_line(scenario, name, taken, story.vocabulary)
    text = decode(read_bytes(path, MOST_BYTES), path)
    write_bytes(path, utf8(with_line(text, line)))
    return line


def _kept(telling: Telling, old: Validator | None) -> Iterator[KeptCard]:
    verdicts = {told.scenario.title: told.answer.verdict for told in telling.told}
    for kept in grown([told.scenario for told in telling.told]):
        scenario = kept.scenario
        ancestry = scenario.ancestry
        yield KeptCard(
            scenario.name,
            scenario.text,
            "" if ancestry is None else ancestry.parent,
            "" if ancestry is None else ancestry.pattern,
            kept.depth,
            kept.is_orphan,
            verdicts.get(scenario.title),
            None if old is None else _old_verdict(scenario, old),
            old is not None,
        )


def _old_verdict(scenario: Scenario, old: Validator) -> Verdict | None:
    """None: the old model does not know its words."""
    try:
        return old.validate(scenario).verdict
    except InputError:
        return None
