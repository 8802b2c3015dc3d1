"""`stateglass info`: what a model file contains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, from_option, say_partial, write_json
from stateglass.formats import read_model
from stateglass.views.summary import summarise, summary_text
from stateglass.views.terminal import state_table


@final
@dataclass(frozen=True, slots=True)
class InfoOptions:
    """The options of `info`."""

    format: OutputFormat = OutputFormat.TEXT
    from_format: str | None = None
    states: bool = False


def info(path: str, options: InfoOptions, out: Console, err: Console) -> Exit:
    model = read_model(path, options.from_format)
    if options.format is OutputFormat.JSON:
        write_json(out, "info", summarise(model))
    else:
        out.line(summary_text(model, out.width).rstrip("\n"))
        if options.states:
            out.line("\n" + state_table(model, out.width, whole=True).rstrip("\n"))
    say_partial(err, model.origin.partial)
    return Exit.OK


@click.command(
    cls=Verb,
    examples=["stateglass info valve.sg", "stateglass info valve.aut --format json", "stateglass info - < valve.aut"],
)
@click.argument("model")
@click.option("--states", is_flag=True, help="Also list all states, with their values and transitions.")
@from_option
@common_options
@click.pass_obj
def command(frame: Frame, model: str, from_format: str | None, states: bool) -> Exit:
    """Tell the size, labels, deadlocks and livelocks of MODEL.

    MODEL is a file in any format that `stateglass convert` reads, or - for standard input.
    """
    return info(model, InfoOptions(frame.format, from_format, states), frame.out, frame.err)
