"""`stateglass config`: the settings in force, and where each comes from."""

from __future__ import annotations

import click

from stateglass.cli.console import Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, write_json
from stateglass.cli.saying import say
from stateglass.cli.subject import subject_options
from stateglass.pipeline import explain_settings
from stateglass.reports import ConfigReport


def config(
    cli: dict[str, object], system: str | None, project: str | None, format: OutputFormat, out: Console, err: Console
) -> Exit:
    rows, warnings = explain_settings(cli, system, project)
    say(err, warnings)
    if format is OutputFormat.JSON:
        report: ConfigReport = {"settings": [{"name": n, "value": v, "origin": o} for n, v, o in rows]}
        write_json(out, "config", report)
        return Exit.OK
    width = max(len(name) for name, _, _ in rows)
    for name, value, origin in rows:
        out.line(f"{name:{width}}  {_text(value)}  ({origin})")
    return Exit.OK


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


@click.command(cls=Verb, examples=["stateglass config show", "stateglass config show motor.c --max-states 500"])
@click.argument("action", type=click.Choice(["show"]))
@subject_options
@common_options
@click.pass_obj
def command(frame: Frame, action: str, subject: dict[str, object], system: str | None, project: str | None) -> Exit:
    """Show the settings that an extraction would use, and where each comes from.

    The command line goes before the environment, that before the project file, that before the defaults.
    """
    del action
    return config(subject, system, project, frame.format, frame.out, frame.err)
