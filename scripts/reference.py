"""The reference of the commands, docs/reference/commands.md, made from their own help."""

from __future__ import annotations

import re
from enum import Enum

import click

from scripts.rooms import PACKAGE, ROOT
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Verb
from stateglass.cli.main import PROGRAM, stateglass
from stateglass.cli.table import COMMANDS

FILE = ROOT / "docs" / "reference" / "commands.md"
COMMAND_LINE = PACKAGE / "cli"
WIDTH = 100

HEAD = """# Commands

This page is made from the commands' own help by `make docs`.

Every command prints what a program would read on standard output and what a person would read on standard error; where
a table or summary is what was asked for, it is on standard output too. A file called `-` is standard input or output.
`--format json` prints [one JSON object](json.md) with `schema_version` and `command`, and after a failure `errors`.
"""

SIDE_BY_SIDE = """## Side by side

| command | takes | `-o` | says meanwhile | `--format` | exit status |
|---|---|---|---|---|---|
"""


def reference() -> str:
    context = _context(stateglass, None, PROGRAM)
    parts = [HEAD, _side_by_side(context), _exits(), _section(PROGRAM, stateglass.get_help(context))]
    for entry in COMMANDS:
        command = stateglass.get_command(context, entry.name)
        assert command is not None
        own = _context(command, context, entry.name)
        parts.append(_section(own.command_path, command.get_help(own)))
    return "\n".join(parts)


def _side_by_side(context: click.Context) -> str:
    """All commands in one table, so that what differs for no reason is seen."""
    rows = []
    for entry in COMMANDS:
        command = stateglass.get_command(context, entry.name)
        assert isinstance(command, Verb)
        usage = " ".join(command.collect_usage_pieces(_context(command, context, entry.name))[1:])
        options = {name: p for p in command.params if isinstance(p, click.Option) for name in p.opts}
        output = options.get("-o")
        kinds = options["--format"].type
        assert isinstance(kinds, click.Choice)
        exits = "; ".join(f"{exit.value} {meaning}" for exit, meaning in command.exits.items())
        cells = [
            f"`{entry.name}`",
            f"`{usage}`" if usage else "",
            "" if output is None else f"{output.metavar}, …" if output.multiple else output.metavar or "",
            "its progress" if _shows_progress(entry.module) else "",
            ", ".join(str(kind.value if isinstance(kind, Enum) else kind) for kind in kinds.choices),
            exits,
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return SIDE_BY_SIDE + "\n".join(rows) + "\n"


def _shows_progress(module: str) -> bool:
    """Whether a command, or the other half of it, shows on a terminal how far it is."""
    text = (COMMAND_LINE / f"{module}.py").read_text(encoding="utf-8")
    halves = re.findall(r"from stateglass\.cli\.(reflecting) import", text)
    return "ProgressLine(" in text or any(map(_shows_progress, halves))


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
