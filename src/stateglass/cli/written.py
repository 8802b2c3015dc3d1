"""What the commands that make a model out of models share: where it goes, and what is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import AnyCommand, OutputFormat, write_json
from stateglass.cli.outputs import check_outputs
from stateglass.cli.telling import say_lost, say_partial, size_in_words
from stateglass.formats import check_target, write_model
from stateglass.model import Model
from stateglass.reports import WrittenReport
from stateglass.source import counted
from stateglass.views.summary import summarise
from stateglass.views.terminal import state_table


@final
@dataclass(frozen=True, slots=True)
class Destination:
    """Where a new model goes; without an output, its states are listed."""

    output: str | None = None
    to_format: str | None = None
    format: OutputFormat = OutputFormat.TEXT

    def check(self) -> None:
        """What cannot be written is told before the work, not after it."""
        check_outputs([self.output], self.format)
        if self.output is not None:
            check_target(self.output, self.to_format)


def output_options(command: AnyCommand) -> AnyCommand:
    """`-o` and `--to`."""
    output = click.option(
        "-o", "--output", metavar="OUT", help="Write the model; - is stdout. Without it the states are listed."
    )
    to = click.option("--to", "to_format", metavar="FORMAT", help="The format of OUT, if its name does not tell.")
    return output(to(command))


def put(model: Model, name: str, command: str, to: Destination, out: Console, err: Console) -> Exit:
    """Writes and reports a model."""
    lost = [] if to.output is None else write_model(model, to.output, to.to_format)
    if to.format is OutputFormat.JSON:
        report: WrittenReport = {**summarise(model), "outputs": [] if to.output is None else [to.output]}
        write_json(out, command, report)
    elif to.output is None:
        out.line(state_table(model, out.width).rstrip("\n"))
    parts = [size_in_words(model)]
    if len(model.deadlocks):
        parts.append(counted(len(model.deadlocks), "deadlock"))
    err.paragraph(f"{name}: {', '.join(parts)}", "  ")
    say_lost(err, lost)
    say_partial(err, model.origin.partial)
    return Exit.OK
