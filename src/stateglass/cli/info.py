"""`stateglass info`: what a model file contains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, from_option, sizes, write_json
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import say_partial
from stateglass.formats import read_model
from stateglass.model import Model, Relation
from stateglass.reports import PathReport
from stateglass.source import Code, input_error
from stateglass.views.path import path_report, path_text
from stateglass.views.summary import relation_text, summarise, summary_text
from stateglass.views.terminal import state_table
from stateglass.views.ways import Way, way_to_action, way_to_state


@final
@dataclass(frozen=True, slots=True)
class InfoOptions:
    """The options of `info`."""

    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None
    states: bool = False
    path: str | None = None


def info(path: str, options: InfoOptions, out: Console, err: Console) -> Exit:
    with ProgressLine(err) as progress:
        progress("reading")
        model = read_model(path, options.from_format)
    if options.path is not None:
        return _show_path(model, options.path, options.format, out, err)
    if options.format is OutputFormat.JSON:
        write_json(out, "info", summarise(model))
    else:
        out.line(summary_text(model, out.width).rstrip("\n"))
        if options.states:
            out.line("\n" + state_table(model, out.width, whole=True).rstrip("\n"))
    say_partial(err, model.origin.partial)
    return Exit.OK


def _show_path(model: Model, where: str, format: OutputFormat, out: Console, err: Console) -> Exit:
    """A way to an action or a state; that there is none is an answer too, if the model is whole."""
    way = _way(model, where)
    if format is OutputFormat.JSON:
        report: PathReport = {
            "path": {"to": where, "steps": None} if way is None else path_report(way),
            **sizes(model),
        }
        write_json(out, "info", report)
    elif way is None:
        out.line(f"no way leads to `{where}`")
    else:
        out.line(path_text(model, way, out.width).rstrip("\n"))
    if way is not None and model.origin.relation is Relation.OVER:
        err.paragraph(f"{err.styled('note', Style.NOTE)}: {relation_text(model)}", "  ")
    say_partial(err, model.origin.partial)
    if way is None:
        return Exit.INCONCLUSIVE if model.partial else Exit.FINDINGS
    return Exit.OK


def _way(model: Model, where: str) -> Way | None:
    # Imported on use: patterns come with everything that relates models.
    from stateglass.operations.composing import labels_meant

    if where.isascii() and where.isdigit() and where not in model.labels:
        if int(where) >= model.states:
            help = f"states go from 0 to {model.states - 1:,}"
            raise input_error(Code.UNKNOWN_NAME, f"the model has no state {where}", help=help)
        return way_to_state(model, int(where))
    return way_to_action(model, labels_meant(model, where))


@click.command(
    cls=Verb,
    examples=[
        "stateglass info valve.sg",
        "stateglass info valve.sg --path 'error(*)'",
        "stateglass info valve.aut --format json",
        "stateglass info - < valve.aut",
    ],
    exits={
        Exit.OK: "done; with --path, there is a way",
        Exit.FINDINGS: "with --path: there is none",
        Exit.INCONCLUSIVE: "with --path: there is none in a partial model",
    },
)
@click.argument("model")
@click.option("--states", is_flag=True, help="Also list all states, with their values and transitions.")
@click.option(
    "--path",
    metavar="WHERE",
    help="Show a shortest way instead, with lines of the source and values: to an action, or to the state of a number."
    " A label may have * and ? in it.",
)
@from_option
@common_options
@click.pass_obj
def command(frame: Frame, model: str, from_format: str | None, states: bool, path: str | None) -> Exit:
    """Tell the size, labels, deadlocks and livelocks of MODEL.

    MODEL is a file in any format that `stateglass convert` reads, or - for standard input.
    """
    if states and path is not None:
        raise input_error(Code.USAGE, "--states and --path are two different questions", help="ask one at a time")
    return info(model, InfoOptions(frame.format, from_format, states, path), frame.out, frame.err)
