"""`stateglass convert`: a model from one file format to another, with a word about what does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, from_option, sizes, write_json
from stateglass.cli.outputs import check_outputs, output_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import say_lost, say_partial, size_in_words
from stateglass.formats import check_target, read_model, write_model
from stateglass.reports import ConvertReport


@final
@dataclass(frozen=True, slots=True)
class ConvertOptions:
    """The options of `convert`."""

    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None
    to_format: str | None = None


def convert(source: str, target: str, options: ConvertOptions, out: Console, err: Console) -> Exit:
    check_outputs([target], options.format)
    check_target(target, options.to_format)
    with ProgressLine(err) as progress:
        progress("reading")
        model = read_model(source, options.from_format)
        progress("writing", states=model.states, transitions=model.transitions)
        lost = write_model(model, target, options.to_format)
    if options.format is OutputFormat.JSON:
        report: ConvertReport = {"output": target, **sizes(model), "losses": lost}
        write_json(out, "convert", report)
    err.line(f"{output_name(target)}: {size_in_words(model)}")
    say_lost(err, lost)
    say_partial(err, model.origin.partial)
    return Exit.OK


@click.command(
    cls=Verb,
    examples=[
        "stateglass convert valve.sg valve.aut",
        "stateglass convert valve.sg - --to dot | dot -Tpng > valve.png",
    ],
)
@click.argument("model")
@click.argument("output")
@from_option
@click.option("--to", "to_format", metavar="FORMAT", help="The format of OUTPUT, if its name does not tell.")
@common_options
@click.pass_obj
def command(frame: Frame, model: str, output: str, from_format: str | None, to_format: str | None) -> Exit:
    """Convert MODEL to another file format and write it to OUTPUT.

    The formats are told by the file names: .sg and .json keep everything; .aut, .fsm, .dot, .mmd, .puml, .scxml; .cwb
    and .mcrl2 are only written. With .gz after it a file is packed. What the new format cannot keep is listed on
    standard error. - is standard input or output.
    """
    options = ConvertOptions(frame.format, from_format, to_format)
    return convert(model, output, options, frame.out, frame.err)
