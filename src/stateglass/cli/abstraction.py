"""`stateglass abstraction`: a first abstraction map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.outputs import refuse_existing
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import entry_options
from stateglass.cli.telling import say_diagnostics
from stateglass.formats.files import utf8, write_bytes
from stateglass.formats.targets import STDIO
from stateglass.operations.proposing import propose
from stateglass.options.settings import settings
from stateglass.reports import AbstractionReport, ProposedReport
from stateglass.source import counted


@final
@dataclass(frozen=True, slots=True)
class AbstractionOptions:
    """The options of `abstraction` beside those that say which code is meant."""

    format: OutputFormat = OutputFormat.TEXT
    output: str = STDIO
    force: bool = False


def abstraction(
    cli: dict[str, object],
    system: str | None,
    project: str | None,
    options: AbstractionOptions,
    out: Console,
    err: Console,
) -> Exit:
    chosen, warnings = settings(cli, system, project)
    say_diagnostics(err, warnings)
    refuse_existing(options.output, force=options.force)
    with ProgressLine(err) as progress:
        progress("reading")
        proposal = propose(chosen)
    if options.output != STDIO:
        write_bytes(options.output, utf8(str(proposal)))
    if options.format is OutputFormat.JSON:
        rows: list[ProposedReport] = [
            {"file": r.file, "function": r.function, "name": r.name, "abstraction": r.abstraction, "reason": r.reason}
            for r in proposal.rows
        ]
        report: AbstractionReport = {"functions": list(proposal.functions), "map": str(proposal), "variables": rows}
        write_json(out, "abstraction", report)
    elif options.output == STDIO:
        out.write(str(proposal))
    kept = [r for r in proposal.rows if r.abstraction.split()[0] != "top"]
    where = "" if options.output == STDIO else f"{options.output}: "
    of_all = f"{len(kept)} of {counted(len(proposal.rows), 'variable')} kept"
    err.paragraph(f"{where}runs of {', '.join(proposal.functions)}: {of_all}", "  ")
    return Exit.OK


@click.command(
    cls=Verb,
    examples=["stateglass abstraction fsm.c", "stateglass abstraction motor.c --function step -o motor.am"],
)
@entry_options
@click.option("-o", "--output", metavar="OUT", default=STDIO, help="Where to write. Default: standard output.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@common_options
@click.pass_obj
def command(
    frame: Frame, subject: dict[str, object], system: str | None, project: str | None, output: str, force: bool
) -> Exit:
    """Propose an abstraction map for the code in FILES.

    Each variable is cut at the constants that it is compared with, or that it is assigned. A comment says why.
    """
    options = AbstractionOptions(frame.format, output, force)
    return abstraction(subject, system, project, options, frame.out, frame.err)
