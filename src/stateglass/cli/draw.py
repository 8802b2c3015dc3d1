"""`stateglass draw`: a model as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, from_option, sizes, write_json
from stateglass.cli.outputs import check_outputs, output_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.telling import say_partial, size_in_words
from stateglass.formats import read_model
from stateglass.reports import DrawReport
from stateglass.views.picture import draw as draw_picture


@final
@dataclass(frozen=True, slots=True)
class DrawOptions:
    """The options of `draw`."""

    output: str
    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None
    force: bool = False


def draw(path: str, options: DrawOptions, out: Console, err: Console) -> Exit:
    check_outputs([options.output], options.format, "the picture")
    with ProgressLine(err) as progress:
        progress("reading")
        model = read_model(path, options.from_format)
        progress("drawing", states=model.states, transitions=model.transitions)
        draw_picture(model, options.output, force=options.force)
    if options.format is OutputFormat.JSON:
        report: DrawReport = {"output": options.output, **sizes(model)}
        write_json(out, "draw", report)
    err.line(f"{output_name(options.output)}: {size_in_words(model)}")
    say_partial(err, model.origin.partial)
    return Exit.OK


@click.command(cls=Verb, examples=["stateglass draw valve.sg -o valve.svg"])
@click.argument("model")
@click.option("-o", "--output", required=True, metavar="OUT", help="The picture to write; its name tells its kind.")
@click.option("--force", is_flag=True, help="Draw a model even if it is too large for a readable picture.")
@from_option
@common_options
@click.pass_obj
def command(frame: Frame, model: str, output: str, from_format: str | None, force: bool) -> Exit:
    """Draw MODEL as a picture.

    Parallel transitions become one arrow with several labels; a model with too many states to be readable is refused
    with advice on how to make it smaller.
    """
    return draw(model, DrawOptions(output, frame.format, from_format, force), frame.out, frame.err)
