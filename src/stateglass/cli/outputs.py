"""Where commands write: each output to a place of its own, and nothing but the report to a stream that carries it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from stateglass.cli.frame import OutputFormat
from stateglass.formats.targets import STDIO, check_different, is_stdout
from stateglass.source import Code, input_error


def check_outputs(outputs: Sequence[str | None], format: OutputFormat, what: str = "the model") -> None:
    """Refuses, before any work is done, outputs that would take the place of each other; None is one not asked for."""
    paths = [path for path in outputs if path is not None]
    if format is OutputFormat.JSON and any(map(is_stdout, paths)):
        help = f"give {what} a file name, or leave out --format json"
        raise input_error(Code.USAGE, f"standard output cannot carry both {what} and a JSON report", help=help)
    check_different(paths)


def refuse_existing(path: str, *, force: bool) -> None:
    """Refuses to write over a file that somebody may have changed by hand, unless that is asked for."""
    if path != STDIO and os.path.exists(path) and not force:
        help = "add --force to write over it, or name another with -o"
        raise input_error(Code.FILE, f"`{path}` exists already", help=help)


def input_name(path: str) -> str:
    return "standard input" if path == STDIO else path


def output_name(path: str) -> str:
    return "standard output" if path == STDIO else path
