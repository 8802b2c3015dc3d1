"""`stateglass init`: a project file with what was found and guessed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.outputs import check_outputs, output_name, refuse_existing
from stateglass.cli.progress import ProgressLine
from stateglass.cli.subject import new_subject_options
from stateglass.cli.telling import say_diagnostics
from stateglass.formats.files import utf8, write_bytes
from stateglass.formats.targets import STDIO
from stateglass.operations.proposing import guess
from stateglass.options import PROJECT_FILE, ExtractOptions, SourceOptions, object_lines, write_project
from stateglass.options.settings import new_settings
from stateglass.reports import InitReport

MOST_LEFT_OUT: Final = 8


def init(
    cli: dict[str, object], output: str | None, force: bool, format: OutputFormat, out: Console, err: Console
) -> Exit:
    options = new_settings(cli)
    path = output or str(Path(options.files[0]).parent / PROJECT_FILE)
    check_outputs([path], format, "the project file")
    with ProgressLine(err) as progress:
        progress("reading")
        found = guess(options)
    refuse_existing(path, force=force)
    folder = Path() if path == STDIO else Path(path).parent
    text = write_project(
        _source(options, folder),
        found.name,
        found.functions,
        found.init,
        found.mode,
        [(b.name, b.spec, b.comment) for b in found.bounds],
        object_lines(found.members, found.visible, found.outside, found.thrown),
    )
    write_bytes(path, utf8(text))
    if format is OutputFormat.JSON:
        report: InitReport = {"output": path, "system": found.name, "functions": list(found.functions)}
        write_json(out, "init", report)
    err.paragraph(f"{output_name(path)}: system {found.name} of {', '.join(found.functions)}", "  ")
    guessed = [b.name for b in found.bounds if b.name not in dict(options.bounds)]
    if guessed:
        err.paragraph(f"guessed, please check: the bounds of {', '.join(guessed)}", "  ")
    if found.left_out:
        names = ", ".join(found.left_out[:MOST_LEFT_OUT])
        more = f" and {len(found.left_out) - MOST_LEFT_OUT} more" if len(found.left_out) > MOST_LEFT_OUT else ""
        err.paragraph(f"never called there, so never run: {names}{more}; --function adds one", "  ")
    say_diagnostics(err, found.without_bound)
    return Exit.OK


def _source(options: ExtractOptions, folder: Path) -> SourceOptions:
    """How the files are read, with paths relative to the folder of the project file."""
    include = [f.removeprefix("-I") for f in options.flags if f.startswith("-I")]
    return SourceOptions(
        files=tuple(os.path.relpath(f, folder) for f in options.files),
        include=tuple(os.path.relpath(i, folder) for i in include),
        define=tuple(f.removeprefix("-D") for f in options.flags if f.startswith("-D")),
        flags=tuple(f for f in options.flags if not f.startswith(("-I", "-D"))),
        target=options.target,
        compile_commands=os.path.relpath(options.compile_commands, folder) if options.compile_commands else None,
        missing_headers="assume" if options.missing_headers == "assume" else None,
    )


@click.command(
    cls=Verb,
    examples=[
        "stateglass init motor.c",
        "stateglass init motor.c --function poll -o -",
        "stateglass init gate.cpp --class GateController",
    ],
)
@new_subject_options
@click.option("-o", "--output", metavar="OUT", help="Where to write. Default: stateglass.toml beside the first file.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@common_options
@click.pass_obj
def command(
    frame: Frame,
    subject: dict[str, object],
    output: str | None,
    force: bool,
) -> Exit:
    """Write a project file for the code in FILES: the functions to call, and bounds for their inputs.

    Functions that nobody else calls are taken for those that the environment calls; what is guessed is marked so.
    """
    return init(subject, output, force, frame.format, frame.out, frame.err)
