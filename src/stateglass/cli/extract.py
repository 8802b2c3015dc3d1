"""`stateglass extract`: from C files to a model, and to a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, split_names, write_json
from stateglass.cli.outputs import check_outputs
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import subject_options
from stateglass.cli.telling import say_diagnostics, say_granted, say_lost, say_partial, size_in_words
from stateglass.formats import STDIO, check_target, write_model
from stateglass.formats.targets import check_folder, extension
from stateglass.model import Model, Relation
from stateglass.operations.composing import Transformation, transform_model
from stateglass.operations.reducing import EQUIVALENCES, reduce_model
from stateglass.options.settings import settings
from stateglass.pipeline import Extraction, extract
from stateglass.reports import ExtractReport
from stateglass.source import Code, Diagnostic, InputError, counted, input_error
from stateglass.views.page import sources_of
from stateglass.views.picture import draw
from stateglass.views.report import model_chapter, write_report
from stateglass.views.summary import errors_reached, relation_text, summarise
from stateglass.views.terminal import MOST_STATES, state_table

PICTURES: Final = (".svg", ".png")
REPORT: Final = ".html"
MOST_NOTES: Final = 5


@final
@dataclass(frozen=True, slots=True)
class ExtractCommand:
    """The options of `extract` beside those that say what is extracted."""

    outputs: tuple[str, ...]
    to_format: str | None
    format: OutputFormat
    force: bool
    reduce_by: str | None = None
    keep: tuple[str, ...] = ()
    interface: bool = False


def run_extract(
    cli: dict[str, object],
    system: str | None,
    project: str | None,
    options: ExtractCommand,
    frame: Frame,
) -> Exit:
    _check_outputs(options)
    out, err = frame.out, frame.err
    with ProgressLine(err) as progress:
        chosen, warnings = settings(cli, system, project)
        extraction = extract(chosen, progress)
        model = extraction.exploration.model
        if options.interface:
            model = transform_model(model, Transformation(interface=True))[0]
        if options.reduce_by is not None:
            model = reduce_model(model, options.reduce_by, options.keep, progress=progress).model
    say_diagnostics(err, (*warnings, *extraction.warnings))
    frame.keep(lambda name: model_chapter(model, sources_of(model.origin.files), name))
    refused = _write(model, options, err)
    if options.format is OutputFormat.JSON:
        if refused is not None:
            raise refused
        notes = list(extraction.exploration.notes)
        report: ExtractReport = {**summarise(model), "notes": notes, "outputs": list(options.outputs)}
        write_json(out, "extract", report)
    elif not options.outputs:
        out.line(state_table(model, out.width).rstrip("\n"))
    _report(model, extraction, options, err)
    if not options.outputs and options.format is OutputFormat.TEXT and model.states > MOST_STATES:
        err.paragraph(
            "for all states write the model, -o model.sg, and list it with `stateglass info model.sg --states`"
        )
    if refused is not None:
        raise refused
    if extraction.exploration.interrupted:
        return Exit.INTERRUPTED
    return Exit.INCONCLUSIVE if model.partial else Exit.OK


def _check_outputs(options: ExtractCommand) -> None:
    """What cannot be written is told before the work, not after it."""
    check_outputs(options.outputs, options.format)
    for output in options.outputs:
        if extension(output) in (*PICTURES, REPORT):
            check_folder(output)
        else:
            check_target(output, _format_of(output, options))


def _format_of(output: str, options: ExtractCommand) -> str | None:
    return options.to_format if output == STDIO or len(options.outputs) == 1 else None


def _write(model: Model, options: ExtractCommand, err: Console) -> InputError | None:
    """Writes all outputs; a picture that is refused is no reason to keep back the model and what is known of it."""
    refused: list[Diagnostic] = []
    for output in options.outputs:
        if extension(output) in PICTURES:
            try:
                draw(model, output, force=options.force)
            except InputError as error:
                refused += error.diagnostics
            continue
        if extension(output) == REPORT:
            write_report(model, output, model.origin.subject)
            continue
        losses = write_model(model, output, _format_of(output, options))
        say_lost(err, [f"{output}: {loss}" for loss in losses])
    return InputError(dict.fromkeys(refused)) if refused else None


def _report(model: Model, extraction: Extraction, options: ExtractCommand, err: Console) -> None:
    err.paragraph(_headline(model), "  ")
    if options.reduce_by is not None:
        err.paragraph(f"reduced by {options.reduce_by} from {size_in_words(extraction.exploration.model)}", "  ")
    if model.origin.relation is Relation.OVER:
        err.paragraph(relation_text(model), "  ")
    say_granted(err, model.origin.assumptions)
    _note(extraction.exploration.notes, err)
    say_partial(err, model.origin.partial)


def _note(notes: tuple[str, ...], err: Console) -> None:
    for note in notes[:MOST_NOTES]:
        err.paragraph(f"{err.styled('note', Style.WARNING)}: {note}", "  ")
    if len(notes) > MOST_NOTES:
        err.line(f"  … {len(notes) - MOST_NOTES} more notes (--format json lists all)")


def _headline(model: Model) -> str:
    parts = [size_in_words(model)]
    if len(model.deadlocks):
        parts.append(counted(len(model.deadlocks), "deadlock"))
    # What an abstraction reaches, the code may not.
    reaches = "may reach" if model.origin.relation is Relation.OVER else "reaches"
    parts += [f"{reaches} {label}" for label in errors_reached(model)]
    return f"{model.origin.subject}: {', '.join(parts)}"


@click.command(
    cls=Verb,
    examples=[
        "stateglass extract timer.c --function tick --init reset -o timer.svg",
        "stateglass extract motor.c --function poll --function isr -o m.sg -o m.svg",
        "stateglass extract motor.c --function poll --bound poll.speed=0..3",
        "stateglass extract main.c util.c --bound 'getc()=0..2' -o - --to aut",
    ],
    exits={
        Exit.OK: "the model is whole",
        Exit.INCONCLUSIVE: "it is partial: a limit was reached, or unsupported code",
    },
)
@subject_options
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="OUT",
    help="Write the model (.sg .json .aut .dot .mmd), a picture (.svg .png) or a page with both and the source (.html);"
    " may be repeated; - is stdout.",
)
@click.option("--to", "to_format", metavar="FORMAT", help="The format of OUT, if its name does not tell.")
@click.option(
    "--interface",
    is_flag=True,
    help="Make everything silent but what is said between the subject and those who call it.",
)
@click.option(
    "--reduce",
    "reduce_by",
    type=click.Choice(EQUIVALENCES),
    metavar="EQ",
    help=f"Make the model smaller: {', '.join(EQUIVALENCES)}.",
)
@click.option(
    "--keep", multiple=True, metavar="P,…", help="With --reduce: propositions that tell states apart; may be repeated."
)
@click.option("--force", is_flag=True, help="Draw a model even if it is too large for a readable picture.")
@common_options
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    system: str | None,
    project: str | None,
    outputs: tuple[str, ...],
    to_format: str | None,
    interface: bool,
    reduce_by: str | None,
    keep: tuple[str, ...],
    force: bool,
) -> Exit:
    """Extract a behaviour model from the C or C++ code in FILES.

    The environment calls the functions named with --function again and again (main is run once), with every argument
    within its bound; functions without a body and volatile variables are inputs, too. The model shows every state the
    variables can get into, and what happens between them. With --class, an object of C++ is made, and its public
    functions are called. Without -o the states are listed.
    """
    if keep and reduce_by is None:
        raise input_error(Code.USAGE, "--keep says what --reduce keeps", help="add --reduce, or leave out --keep")
    options = ExtractCommand(outputs, to_format, frame.format, force, reduce_by, split_names(keep), interface)
    return run_extract(subject, system, project, options, frame)
