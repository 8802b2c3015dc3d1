"""`stateglass scenario`: are stories of causes and effects true, and which runs show it?"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from typing import final

import click

from stateglass.answers.confirming import lines_run
from stateglass.answers.scenarios import Steering, Telling, Told, tell
from stateglass.cli.answered import answers_output_option
from stateglass.cli.asking import is_model, refuse_options_of_extraction
from stateglass.cli.console import Console, Style
from stateglass.cli.elaborating import ElaboratingOptions, elaborating_options, further
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, document, from_option, sizes, write_json
from stateglass.cli.interactive import interact
from stateglass.cli.progress import ProgressLine
from stateglass.cli.stories import StoryOptions, files_of_scenarios, steering_asked, story_asked, story_options
from stateglass.cli.styles import by_verdict
from stateglass.cli.subject import files_in, subject_options
from stateglass.cli.telling import say_diagnostics, say_granted, say_partial, size_in_words
from stateglass.cli.words import say_words, word_facts
from stateglass.evidence import Verdict
from stateglass.formats import read_model
from stateglass.formats.targets import check_different
from stateglass.logic.notation import formula_text
from stateglass.operations.changing import facts_of_change, steps_that_are_new
from stateglass.options import ExtractOptions
from stateglass.options.recorded import recorded
from stateglass.reports import ScenariosReport
from stateglass.scenarios.counting import odd_definitions, with_uses
from stateglass.scenarios.elaboration.formulas_with_holes import is_formula_question
from stateglass.scenarios.english import sentence
from stateglass.scenarios.formulas import claimed
from stateglass.scenarios.language import Story
from stateglass.source import Diagnostic, counted
from stateglass.views.claims.cards import Card
from stateglass.views.claims.writing import check_outputs, kind_of, write_claims
from stateglass.views.scenarios import ScenarioCard, scenario_facts, scenario_lines


@final
@dataclass(frozen=True, slots=True)
class ScenarioOptions:
    """The options of `scenario` beside those that say what is extracted."""

    story: StoryOptions
    explain: bool = False
    vocabulary: bool = False
    outputs: tuple[str, ...] = ()
    from_format: str | None = None
    elaborating: ElaboratingOptions = field(default_factory=ElaboratingOptions)


@final
@dataclass(frozen=True, slots=True)
class _Answered:
    """What came out: the answers, what a replay needs, and what is worth saying."""

    telling: Telling
    settings: ExtractOptions | None = None  # of code
    warnings: tuple[Diagnostic, ...] = ()


def scenario(
    cli: dict[str, object],
    system: str | None,
    project: str | None,
    options: ScenarioOptions,
    format: OutputFormat,
    out: Console,
    err: Console,
) -> Exit:
    options.elaborating.check(for_programs=format is OutputFormat.JSON)
    files = files_of_scenarios(cli, project)
    cli, story = story_asked(cli, project, options.story)
    formulas = [text for text in options.story.texts if is_formula_question(text)]
    old = None if options.elaborating.old is None else read_model(options.elaborating.old)
    steering = steering_asked(options.story, story.vocabulary)
    if old is not None:
        steering = replace(steering, facts_of=functools.partial(facts_of_change, old))
    check_different(options.outputs)
    check_outputs(options.outputs)
    asked = replace(story, scenarios=()) if options.vocabulary else story
    if not story.scenarios and not formulas and not options.vocabulary:
        err.paragraph("nothing to check: no scenario is given; name a file, or add --scenario", "  ")
        if format is OutputFormat.JSON:
            write_json(out, "scenario", {"scenarios": [], "outputs": []})
        return Exit.NOTHING_TO_CHECK
    names = files_in(cli)
    with ProgressLine(err) as progress:
        if is_model(names, options.from_format):
            answered = _on_model(names[0], cli, asked, steering, options.from_format, progress)
        else:
            answered = _on_code(cli, system, project, asked, steering, progress)
        beside = further(answered.telling, asked, formulas, options.elaborating, old, files, progress)
    say_diagnostics(err, answered.warnings)
    telling = answered.telling
    say_diagnostics(err, odd_definitions(telling.words, story.vocabulary, telling.model))
    if options.vocabulary:
        return _list_words(story, telling, format, out, err)
    if options.elaborating.interactive:
        return interact(telling, story, options.elaborating, old, files, out, err)
    cards = [_card(told, telling, answered.settings, options.explain) for told in telling.told]
    report: ScenariosReport = {"scenarios": [scenario_facts(card) for card in cards], "model": sizes(telling.model)}
    beside.add_to(report)
    for output in options.outputs:
        title = f"Scenarios on {telling.model.origin.subject or names[0]}"
        of_tools = kind_of(output) in (".xml", ".sarif")
        told = [card.for_reports if of_tools else card.for_people for card in cards]
        problem = write_claims(told, document("scenario", report), output, title)
        if problem:
            err.paragraph(f"{err.styled('note', Style.NOTE)}: {problem}", "  ")
    report["outputs"] = list(options.outputs)
    if format is OutputFormat.JSON:
        write_json(out, "scenario", report)
    else:
        styled = by_verdict(out)
        for card in cards if not options.elaborating.stories else ():
            for line in scenario_lines(card, out.width, styled):
                out.line(line)
        for line in beside.lines(out.width, styled):
            out.line(line)
    _conclude(telling, cards, err, len(beside.questions))
    if telling.interrupted or beside.interrupted:
        err.line(err.styled("interrupted", Style.WARNING) + f": {counted(len(cards), 'scenario')} answered")
        return Exit.INTERRUPTED
    return gravest(map(_exit, cards)) if cards else Exit.OK


def _list_words(story: Story, telling: Telling, format: OutputFormat, out: Console, err: Console) -> Exit:
    words = with_uses(telling.words, story)
    if format is OutputFormat.JSON:
        facts = [word_facts(word) for word in words]
        write_json(out, "scenario", {"scenarios": [], "vocabulary": facts, "model": sizes(telling.model)})
    else:
        say_words(out, words, telling.model)
    _conclude(telling, [], err)
    return Exit.INTERRUPTED if telling.interrupted else Exit.OK


def _on_model(
    path: str,
    cli: dict[str, object],
    story: Story,
    steering: Steering,
    from_format: str | None,
    progress: ProgressLine,
) -> _Answered:
    refuse_options_of_extraction(path, cli)
    progress("reading")
    model = read_model(path, from_format)
    return _Answered(tell(model, story.vocabulary, story.scenarios, steering=steering, progress=progress))


def _on_code(
    cli: dict[str, object],
    system: str | None,
    project: str | None,
    story: Story,
    steering: Steering,
    progress: ProgressLine,
) -> _Answered:
    # Imported on use: a model is looked at without what reads code.
    from stateglass.options.settings import settings
    from stateglass.pipeline import tell_program

    chosen, warnings = settings(cli, system, project)
    found = tell_program(chosen, story.vocabulary, story.scenarios, steering, progress)
    return _Answered(found.telling, chosen, (*warnings, *found.warnings))


def _card(told: Told, telling: Telling, settings: ExtractOptions | None, explain: bool) -> ScenarioCard:
    scenario = told.scenario
    subject = {} if settings is None else recorded(settings, telling.watch)
    lines = functools.partial(lines_run, told.answer, told.model, telling.code)
    meaning, model = sentence(scenario), telling.model
    card = Card(scenario.title, scenario.text, meaning, told.answer, told.model, model, subject, lines_run=lines)
    formulas: tuple[str, ...] | None = None
    obligations: tuple[tuple[str, ...], ...] = ()
    if explain:
        replies = () if told.validation is None else told.validation.replies
        formulas = tuple(formula_text(claimed(reply.question)) for reply in replies)
        obligations = () if told.witness is None else told.witness.obligations
    parent = scenario.ancestry
    origin = ("", "") if parent is None else (parent.parent, parent.pattern)
    expected = scenario.expected or Verdict.HOLDS
    new = steps_that_are_new(told, telling.model, telling.facts)
    return ScenarioCard(card, scenario.name, expected, *origin, formulas, obligations, new)


def _exit(card: ScenarioCard) -> Exit:
    if card.as_expected:
        return Exit.OK
    return Exit.INCONCLUSIVE if card.card.answer.verdict is Verdict.INCONCLUSIVE else Exit.FINDINGS


def _conclude(telling: Telling, cards: list[ScenarioCard], err: Console, questions: int = 0) -> None:
    """Says on standard error what was looked at, and what the answers take for granted."""
    model = telling.model
    verdicts = [card.card.answer.verdict for card in cards]
    counts = [f"{verdict.value} {verdicts.count(verdict)}" for verdict in Verdict if verdict in verdicts]
    subject = f"{model.origin.subject}: " if model.origin.subject else ""
    answers = f": {', '.join(counts)}" if counts else ""
    asked = " and ".join(
        counted(count, what) for count, what in ((len(cards), "scenario"), (questions, "question")) if count
    )
    asked = asked or counted(len(telling.words), "word")
    err.paragraph(f"{subject}{asked} on {size_in_words(model)}{answers}", "  ")
    say_granted(err, model.origin.assumptions)
    for note in telling.notes:
        err.paragraph(f"{err.styled('note', Style.WARNING)}: {note}", "  ")
    say_partial(err, model.origin.partial)


@click.command(
    cls=Verb,
    examples=[
        "stateglass scenario lift.sg lift.scenarios",
        "stateglass scenario door.c --function step door.scenarios --explain",
        "stateglass scenario lift.sg --scenario 'call(open) -> rises(door == OPEN)'",
        "stateglass scenario lift.sg lift.scenarios --scenario landing --elaborate",
        "stateglass scenario lift.sg lift.scenarios --scenario 'call3 -> ?'",
    ],
    exits={
        Exit.OK: "all scenarios are as expected",
        Exit.FINDINGS: "one is violated or vacuous",
        Exit.INCONCLUSIVE: "one is not decided",
        Exit.NOTHING_TO_CHECK: "no scenario",
    },
)
@subject_options
@story_options
@elaborating_options
@click.option(
    "--explain",
    is_flag=True,
    help="Show what each scenario claims in CTL, and what is to be shown at each step of a run.",
)
@click.option(
    "--vocabulary",
    is_flag=True,
    help="List the events and conditions, what they are made of and how often they come true; check nothing.",
)
@answers_output_option
@from_option
@common_options
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    story: StoryOptions,
    elaborating: ElaboratingOptions,
    explain: bool,
    vocabulary: bool,
    outputs: tuple[str, ...],
    from_format: str | None,
) -> Exit:
    """Say whether stories of causes and effects are true of the code in FILES, or of a model, and show runs.

    FILES are C or C++ files, with options as `extract` has them, or one model; and a file FILE.scenarios, which defines
    events and conditions and says with them how events belong together: `request -> answer` (it follows in any case),
    `request <- answer` (it does not come without), `request ~> answer` (it can follow).

    Every run that is shown has been executed again step by step.
    """
    options = ScenarioOptions(story, explain, vocabulary, outputs, from_format, elaborating)
    return scenario(subject, system, project, options, frame.format, frame.out, frame.err)
