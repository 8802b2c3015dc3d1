"""The reference of the commands, docs/reference/commands.md, made from their own help."""

from __future__ import annotations

import click

from scripts.rooms import ROOT
from stateglass.cli.exits import Exit
from stateglass.cli.main import PROGRAM, stateglass
from stateglass.cli.table import COMMANDS

FILE = ROOT / "docs" / "reference" / "commands.md"
WIDTH = 100

HEAD = """# Commands

This page is made from the commands' own help by `make docs`.

Every command prints what a program would read on standard output and what a person would read on standard error; where
a table or summary is what was asked for, it is on standard output too. A file called `-` is standard input or output.
`--format json` prints one JSON object with `schema_version` and `command`, and after a failure `errors`.
"""


def reference() -> str:
    context = _context(stateglass, None, PROGRAM)
    parts = [HEAD, _exits(), _section(PROGRAM, stateglass.get_help(context))]
    for entry in COMMANDS:
        command = stateglass.get_command(context, entry.name)
        assert command is not None
        parts += _sections(command, context, entry.name)
    return "\n".join(parts)


def _sections(command: click.Command, parent: click.Context, name: str) -> list[str]:
    """The help of a command; for a group, that of its commands too."""
    context = _context(command, parent, name)
    inner = command.commands if isinstance(command, click.Group) else {}
    below = [section for name, part in inner.items() for section in _sections(part, context, name)]
    return [_section(context.command_path, command.get_help(context)), *below]


def _context(command: click.Command, parent: click.Context | None, name: str) -> click.Context:
    return click.Context(
        command, parent, name, terminal_width=WIDTH, max_content_width=WIDTH, **command.context_settings
    )


def _section(title: str, help: str) -> str:
    lines = "\n".join(line.rstrip() for line in help.splitlines())
    return f"## `{title}`\n\n```text\n{lines}\n```\n"


def _exits() -> str:
    rows = [f"| {exit.value} | {exit.meaning} |" for exit in Exit]
    return "\n".join(["## Exit status", "", "| status | meaning |", "|---|---|", *rows]) + "\n"
