"""Which scenarios are asked about: those of files, and of the command line."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, final

import click

from stateglass.answers.scenarios import Steering
from stateglass.cli.asking import project_asked
from stateglass.cli.subject import files_in
from stateglass.formats.files import decode, read_bytes
from stateglass.logic.claims import Fairness
from stateglass.scenarios.elaboration.formulas_with_holes import is_formula_question
from stateglass.scenarios.language import Scenario, Story, Vocabulary
from stateglass.scenarios.reading import read_scenario, read_story
from stateglass.scenarios.witnesses import SHORTEST, read_strategy
from stateglass.source import Diagnostic, InputError

EXTENSION: Final = ".scenarios"
MOST_BYTES: Final = 16 << 20


@final
@dataclass(frozen=True, slots=True)
class StoryOptions:
    """What is told, and of which runs."""

    texts: tuple[str, ...] = ()
    fair: tuple[Fairness, ...] = ()
    strategy: str | None = None
    greedy: bool = False


def story_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--scenario`, `--strategy`, `--fair` and the like: the command gets them as one value, `story`."""

    @functools.wraps(command)
    def with_story(*args: Any, **kwargs: Any) -> Any:
        weak = [Fairness(pattern, False) for pattern in kwargs.pop("fair")]
        strong = [Fairness(pattern, True) for pattern in kwargs.pop("strongly_fair")]
        story = StoryOptions(kwargs.pop("texts"), (*weak, *strong), kwargs.pop("strategy"), kwargs.pop("greedy"))
        return command(*args, story=story, **kwargs)

    options = (
        click.option(
            "--scenario",
            "texts",
            multiple=True,
            metavar="TEXT",
            help="What is to be true, or the name of a scenario of the file; may be repeated.",
        ),
        click.option(
            "--fair",
            multiple=True,
            metavar="PATTERN",
            help="Look only at runs on which an action that stays possible happens again and again; may be repeated.",
        ),
        click.option(
            "--strongly-fair",
            multiple=True,
            metavar="PATTERN",
            help="Look only at runs on which an action that is possible again and again happens again and again.",
        ),
        click.option(
            "--strategy",
            metavar="S",
            help="Which run is shown, such as shortest (the default), avoid-events=open, fewest-changes,"
            " FILE.py:FUNCTION; several with commas, the first counts most.",
        ),
        click.option("--greedy", is_flag=True, help="Choose each step of a run by itself, not the run as a whole."),
    )
    for option in reversed(options):
        with_story = option(with_story)
    return with_story


def story_asked(
    cli: dict[str, object], project: str | None, options: StoryOptions, rewritten: Callable[[str], str] = str
) -> tuple[dict[str, object], Story]:
    """What is looked at, without the files of scenarios, and what these and the command line say, `rewritten`."""
    names = files_in(cli)
    story = read_files(files_of_scenarios(cli, project), rewritten)
    scenarios = story.scenarios
    if options.texts:
        scenarios = _given(tuple(rewritten(text) for text in options.texts if not is_formula_question(text)), story)
    fairness = (*story.fairness, *options.fair)
    asked = tuple(replace(scenario, fairness=fairness) for scenario in scenarios)
    rest = tuple(name for name in names if not name.endswith(EXTENSION))
    return {**cli, "files": rest}, Story(story.vocabulary, asked, fairness)


def files_of_scenarios(cli: dict[str, object], project: str | None) -> list[str]:
    """The files of scenarios that are named, else those of the project."""
    named = [name for name in files_in(cli) if name.endswith(EXTENSION)]
    found = None if named else project_asked(cli, project)
    return named if found is None else [found.located(file) for file in found.scenarios.all]


def steering_asked(options: StoryOptions, vocabulary: Vocabulary) -> Steering:
    """Which runs are to be shown."""
    if options.strategy is None:
        return Steering(replace(SHORTEST, greedy=options.greedy))
    return Steering(read_strategy(options.strategy, vocabulary, greedy=options.greedy))


def read_files(files: list[str], rewritten: Callable[[str], str] = str) -> Story:
    """The stories of several files as one: each knows the words of those before it."""
    vocabulary = Vocabulary()
    scenarios: list[Scenario] = []
    fairness: list[Fairness] = []
    problems: list[Diagnostic] = []
    for file in files:
        try:
            story = read_story(rewritten(decode(read_bytes(file, MOST_BYTES), file)), file, vocabulary)
        except InputError as error:
            problems += error.diagnostics
            continue
        vocabulary = story.vocabulary
        scenarios += story.scenarios
        fairness += story.fairness
    if problems:
        raise InputError(problems)
    return Story(vocabulary, tuple(scenarios), tuple(fairness))


def _given(texts: tuple[str, ...], story: Story) -> tuple[Scenario, ...]:
    """Scenarios of a command line, by their names or as they are."""
    named = {scenario.name: scenario for scenario in story.scenarios if scenario.name}
    found: list[Scenario] = []
    problems: list[Diagnostic] = []
    for text in texts:
        if text.strip() in named:
            found.append(named[text.strip()])
            continue
        try:
            found.append(read_scenario(text, story.vocabulary))
        except InputError as error:
            problems += error.diagnostics
    if problems:
        raise InputError(problems)
    return tuple(found)
