"""`stateglass specify`: a system as an mCRL2 specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.outputs import check_outputs, output_name
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import subject_options
from stateglass.cli.telling import say_diagnostics
from stateglass.formats.files import write_bytes
from stateglass.formats.targets import STDIO, check_folder
from stateglass.options.settings import settings
from stateglass.pipeline import specify
from stateglass.reports import SpecifyReport
from stateglass.source import counted


@final
@dataclass(frozen=True, slots=True)
class SpecifyOptions:
    """The options of `specify` beside those that say what is written."""

    format: OutputFormat = OutputFormat.TEXT
    output: str = STDIO


def run_specify(
    cli: dict[str, object],
    system: str | None,
    project: str | None,
    options: SpecifyOptions,
    out: Console,
    err: Console,
) -> Exit:
    check_outputs([options.output], options.format, "the specification")
    check_folder(options.output)
    with ProgressLine(err) as progress:
        chosen, warnings = settings(cli, system, project)
        made = specify(chosen, progress)
    say_diagnostics(err, (*warnings, *made.warnings, *made.specification.gaps))
    write_bytes(options.output, made.specification.text)
    missing = [*made.system.left_out, *(f"{gap.message} ({gap.span})" for gap in made.specification.gaps)]
    if options.format is OutputFormat.JSON:
        granted = [str(assumption) for assumption in made.system.assumptions]
        report: SpecifyReport = {"output": options.output, "missing": missing, "assumptions": granted}
        write_json(out, "specify", report)
    said = counted(len(made.specification.text.splitlines()), "line")
    err.line(f"{output_name(options.output)}: {made.system.subject}, {said}")
    for reason in made.system.left_out:
        err.paragraph(f"partial: {reason}", "  ")
    return Exit.INCONCLUSIVE if missing else Exit.OK


@click.command(
    cls=Verb,
    examples=[
        "stateglass specify gate.cpp --class GateController -o gate.mcrl2",
        "stateglass specify --project stateglass.toml --system gate -o gate.mcrl2",
    ],
    exits={
        Exit.OK: "done",
        Exit.INCONCLUSIVE: "some code has no form in the specification, and is listed",
    },
)
@subject_options
@click.option("-o", "--output", metavar="OUT", default=STDIO, help="Where to write. Default: standard output.")
@common_options
@click.pass_obj
def command(frame: Frame, subject: dict[str, object], system: str | None, project: str | None, output: str) -> Exit:
    """Write what `extract` would explore as an mCRL2 specification.

    Nothing is explored: the code becomes terms, and a process that takes them one after the other runs beside those who
    call it and what stands for the rest. `mcrl22lps` and `lps2lts` make the transition system of it.
    """
    return run_specify(subject, system, project, SpecifyOptions(frame.format, output), frame.out, frame.err)
