"""`stateglass diff`: what became of a behaviour between two versions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import final

import click

from stateglass.answers.rerunning import can_be_executed
from stateglass.cli.asking import claims_options
from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Frame, Verb, color_option, sizes, split_names, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.sides import Asked, Source, given, read_sides
from stateglass.cli.stories import StoryOptions
from stateglass.cli.styles import by_verdict
from stateglass.cli.subject import both_sides_options
from stateglass.cli.telling import say_diagnostics, say_granted, say_partial, size_in_words
from stateglass.cli.verdicts import Questions, answered, asked_of_both
from stateglass.evidence import Change, ChangeGraph, Version
from stateglass.formats.targets import check_different, check_folder, extension, is_stdout
from stateglass.model import Relation
from stateglass.operations.differing import DEFAULT_RELATION, EQUIVALENCES, differ, graph_of, graph_of_versions
from stateglass.operations.expecting import Expectation, expectations_in, in_words_of
from stateglass.source import Code, Diagnostic, InputError, input_error, suggestion
from stateglass.views.differences.facts import difference_facts
from stateglass.views.differences.markdown import markdown
from stateglass.views.differences.page import difference_chapter
from stateglass.views.differences.text import difference_lines
from stateglass.views.differences.words import Shown, notes
from stateglass.views.differences.writing import OUTPUTS, write_difference
from stateglass.work import Progress


@final
@unique
class DiffFormat(Enum):
    """The `--format` option of this command."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@final
@dataclass(frozen=True, slots=True)
class DiffOptions:
    """The options of `diff` beside those that say what is extracted."""

    by: str = DEFAULT_RELATION
    keep: tuple[str, ...] | None = None
    expect: str | None = None
    questions: Questions = field(default_factory=Questions)
    outputs: tuple[str, ...] = ()
    format: DiffFormat = DiffFormat.TEXT
    force: bool = False
    each_version: bool = False


def diff(texts: tuple[str, str], asked: Asked, options: DiffOptions, frame: Frame) -> Exit:
    out, err = frame.out, frame.err
    _check_outputs(options)
    expectations = () if options.expect is None else expectations_in(options.expect)
    with ExitStack() as open_until:
        with ProgressLine(err) as progress:
            sides = given(texts, asked.from_format)
            sources = read_sides(sides, asked, expectations, open_until, progress)
            claims, stories = asked_of_both(sides, sources, asked, options.questions, expectations)
            names = (sources[0].name, sources[1].name)
            models = [source.model for source in sources]
            found = differ(models[0], models[1], options.by, options.keep, expectations, names, progress)
            found = replace(found, changes=tuple(_executed(c, sources, expectations, progress) for c in found.changes))
            verdicts = answered(claims, stories, sources, expectations, progress, over=found.interrupted)
        found = replace(found, expectations=verdicts.met(expectations, found.expectations))
        abstract = any(model.origin.relation is Relation.OVER for model in models)
        shown = Shown(names, found, verdicts.claims, verdicts.scenarios, abstract)

        def place(version: Version) -> AbstractContextManager[None]:
            return sources[0 if version is Version.OLD else 1].entered()

        def graph() -> ChangeGraph:
            if options.each_version:
                return graph_of_versions(models[0], models[1], expectations)
            return graph_of(models[0], models[1], options.keep, expectations)

        files = _files(sources)
        for source in sources:
            say_diagnostics(err, source.warnings)
        frame.keep(lambda name: difference_chapter(shown, graph(), files, place, name, force=options.force))
        facts = difference_facts(
            shown,
            [{"name": source.name, **sizes(source.model)} for source in sources],
            options.outputs,
        )
        refused: list[Diagnostic] = []
        for output in options.outputs:
            # A picture that is too large is no reason to keep back the answer.
            try:
                write_difference(shown, graph, facts, output, place, files, force=options.force)
            except InputError as error:
                refused += error.diagnostics
        if refused and options.format is DiffFormat.JSON:
            raise InputError(refused)
        match options.format:
            case DiffFormat.JSON:
                write_json(out, "diff", facts)
            case DiffFormat.MARKDOWN:
                out.write(markdown(shown, place))
            case DiffFormat.TEXT:
                for line in difference_lines(shown, out.width, by_verdict(out), place):
                    out.line(line)
        _conclude(shown, sources, err)
    if refused:
        raise InputError(dict.fromkeys(refused))
    if found.interrupted or verdicts.interrupted:
        err.line(err.styled("interrupted", Style.WARNING) + ": what is said stands, more was to come")
        return Exit.INTERRUPTED
    return gravest(_exits(shown))


def _check_outputs(options: DiffOptions) -> None:
    """What cannot be written is told before the work, not after it."""
    check_different(options.outputs)
    for output in options.outputs:
        if is_stdout(output):
            help = "--format json and --format markdown print them"
            raise input_error(Code.USAGE, "pictures and pages are written to files", help=help)
        if extension(output) not in OUTPUTS:
            help = suggestion(extension(output), OUTPUTS)
            raise input_error(Code.USAGE, f"`{output}`: a difference is written as {', '.join(OUTPUTS)}", help=help)
        check_folder(output)


def _files(sources: tuple[Source, Source]) -> tuple[Sequence[str], Sequence[str]]:
    """The files of both sides; of models, these may have changed since."""
    old, new = sources
    return (old.model.origin.files, new.model.origin.files) if old.code and new.code else ((), ())


def _executed(
    change: Change, sources: tuple[Source, Source], expectations: Sequence[Expectation], progress: Progress
) -> Change:
    """A change of code with a run that was executed again; what cannot be is not shown."""
    old = change.run_of is Version.OLD
    source = sources[0 if old else 1]
    if source.code is None or not change.run or source.model.origin.relation is Relation.OVER:
        return change
    progress("following the runs again")

    def own(text: str, *, variables: bool = False) -> str:
        return in_words_of(text, expectations, old=old, variables=variables)

    steps = [
        replace(step, action=own(step.action), changes=tuple((own(n, variables=True), v) for n, v in step.changes))
        for step in change.run
    ]
    with source.entered():
        followed = can_be_executed(steps, source.code)
    return replace(change, confirmed_by=("reference",)) if followed else replace(change, run=())


def _exits(shown: Shown) -> list[Exit]:
    """Everything that decides about the status; declared changes do not."""
    found = shown.difference
    exits = [{True: Exit.OK, False: Exit.FINDINGS, None: Exit.INCONCLUSIVE}[found.equivalent]]
    exits += [Exit.FINDINGS for pair in shown.asked if pair.changed and not pair.expected]
    exits += [Exit.INCONCLUSIVE for pair in shown.asked if pair.lost]
    exits += [Exit.FINDINGS] * shown.unmet
    return exits


def _conclude(shown: Shown, sources: tuple[Source, Source], err: Console) -> None:
    """Says on standard error what was compared, and what the answer takes for granted."""
    for source in sources:
        err.paragraph(f"{source.name}: {size_in_words(source.model)}", "  ")
    for note in notes(shown):
        err.paragraph(f"{err.styled('note', Style.NOTE)}: {note}", "  ")
    for source in sources:
        if source.model.origin.relation is Relation.OVER:
            what = f"{source.name} is an over-approximation, which can do more than its code may be able to"
            err.paragraph(f"{err.styled('note', Style.NOTE)}: {what}: the answer is one about the models", "  ")
        say_partial(err, source.model.origin.partial)
    assumptions = dict.fromkeys(a for source in sources for a in source.model.origin.assumptions)
    say_granted(err, list(assumptions))


@click.command(
    cls=Verb,
    examples=[
        "stateglass diff old.c new.c --function step --bound step.x=0..3",
        "stateglass diff HEAD~1:src/lock.c src/lock.c --function open",
        "stateglass diff --system door HEAD~1 . -o change.html",
        "stateglass diff main HEAD --format markdown > comment.md",
        "stateglass diff old.sg new.sg --expect change.expect",
    ],
    exits={
        Exit.OK: "no behaviour change, but for what was declared",
        Exit.FINDINGS: "behaviour or a verdict changed, or a declared change did not come",
        Exit.INCONCLUSIVE: "a model is partial, or the search too large",
    },
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@both_sides_options
@click.option(
    "--by",
    default=DEFAULT_RELATION,
    type=click.Choice(EQUIVALENCES),
    metavar="EQ",
    help=f"What counts as the same: {', '.join(EQUIVALENCES)}. Default: {DEFAULT_RELATION}.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="P,…",
    help="Variables whose values between calls count. Default: all that both sides have.",
)
@click.option("--actions-only", is_flag=True, help="No values count, only what is called and what comes back.")
@click.option("--expect", metavar="FILE", type=click.Path(), help="Declared changes: only what goes beyond is told.")
@claims_options
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="TEXT",
    help="A scenario, or the name of one of the files; may be repeated.",
)
@click.option(
    "--scenarios",
    "story_files",
    multiple=True,
    metavar="FILE.scenarios",
    type=click.Path(),
    help="Scenarios that are told of both sides. Default: those of the project file. May be repeated.",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write a picture (.svg .png), a page (.html), a comment (.md) or the facts (.json); may be repeated.",
)
@click.option("--force", is_flag=True, help="Draw a picture even if it is too large to be readable.")
@click.option(
    "--each-version",
    is_flag=True,
    help="In pictures, show states by themselves that differ in a variable of one side only, and all steps between.",
)
@click.option("--from", "from_format", metavar="FORMAT", help="The format of both models, if their names do not tell.")
@click.option(
    "--format",
    type=click.Choice([format.value for format in DiffFormat]),
    default=DiffFormat.TEXT.value,
    help="What standard output is: text (the default), json or markdown.",
)
@color_option
@click.pass_obj
def command(
    frame: Frame,
    old: str,
    new: str,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    by: str,
    keep: tuple[str, ...],
    actions_only: bool,
    expect: str | None,
    claims: tuple[str, ...],
    claims_file: str | None,
    scenarios: tuple[str, ...],
    story_files: tuple[str, ...],
    outputs: tuple[str, ...],
    force: bool,
    each_version: bool,
    from_format: str | None,
    format: str,
) -> Exit:
    """Say what became of a behaviour between OLD and NEW: what appeared, vanished or has another outcome.

    Each is a model, a C or C++ file (several: a.c,b.c), a file at a revision of git (HEAD~1:lock.c), a folder with a
    project file, or a revision alone: the same files, or the same project, as they were. Both sides are extracted with
    the same options, those of `extract`.

    What counts are actions, and the values between calls of variables that both sides have: code that does the same
    in another way is no change. Every claim of the project, or given here, is answered for both sides, and so
    are scenarios.
    """
    if keep and actions_only:
        raise input_error(Code.USAGE, "--keep says which values count, and --actions-only that none do")
    kept = () if actions_only else split_names(keep) or None
    questions = Questions(claims, claims_file, StoryOptions(scenarios), story_files)
    options = DiffOptions(by, kept, expect, questions, outputs, DiffFormat(format), force, each_version)
    return diff((old, new), Asked(subject, system, project, from_format), options, frame)
