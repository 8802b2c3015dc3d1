"""Turns whatever went wrong into words for the user and an exit status: bad input, our own bug, an interruption."""

from __future__ import annotations

import os
import shlex
import sys
import textwrap
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from stateglass.cli.console import Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, write_json
from stateglass.cli.table import COMMANDS
from stateglass.cli.telling import say_diagnostics
from stateglass.reports import ErrorReport, ErrorsReport
from stateglass.source import (
    Code,
    Diagnostic,
    InputError,
    Severity,
    Span,
    close_match,
    input_error,
    suggestion,
)

_ADVICE_WIDTH = 72
PACKAGE = Path(__file__).resolve().parents[1]


def answer_trouble(trouble: BaseException, argv: Sequence[str], frame: Frame, *, debug: bool) -> Exit:
    """Says what happened on standard error (with `--format json` on standard output too)."""
    if isinstance(trouble, BrokenPipeError):
        discard(frame.out.stream)
        return Exit.BROKEN_PIPE
    if debug:
        frame.err.write("".join(traceback.format_exception(trouble)))
    match trouble:
        case KeyboardInterrupt() | click.Abort():
            # A terminal shows ^C where the cursor was.
            frame.err.line(("\n" if frame.err.terminal else "") + frame.err.styled("interrupted", Style.WARNING))
            return Exit.INTERRUPTED
        case InputError():
            return _bad_input(trouble.diagnostics, argv, frame)
        case click.exceptions.NoArgsIsHelpError():
            frame.err.line(trouble.format_message())
            return Exit.BAD_INPUT
        case click.ClickException():
            return _bad_input([_usage(trouble)], argv, frame)
        case OSError() if not _ours(trouble):
            if trouble.filename is None:  # most likely it was standard output that could not be written
                discard(frame.out.stream)
            return _bad_input([_file_trouble(trouble)], argv, frame)
        case _:
            return _bug(trouble, argv, frame)


def discard(stream: TextIO) -> None:
    """Drops what is still buffered, so that the interpreter does not fail on it again when it ends."""
    if stream in (sys.stdout, sys.stderr):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unknown_command(name: str) -> InputError:
    known = [entry.name for entry in COMMANDS]
    return input_error(Code.USAGE, f"there is no command `{name}`", help=suggestion(name, known))


def _bad_input(diagnostics: Sequence[Diagnostic], argv: Sequence[str], frame: Frame) -> Exit:
    say_diagnostics(frame.err, diagnostics)
    if frame.format is OutputFormat.JSON:
        _json_errors(diagnostics, argv, frame)
    return Exit.BAD_INPUT


def _bug(trouble: BaseException, argv: Sequence[str], frame: Frame) -> Exit:
    what = "".join(traceback.format_exception_only(type(trouble), trouble)).splitlines()[0]
    span = getattr(trouble, "span", None)
    lines = [f"{frame.err.styled('bug', Style.ERROR)}: Stateglass failed, and your input is not to blame: {what}"]
    if isinstance(span, Span):
        lines.append(f"  while it worked on {span}")
    lines += [f"  {note}" for note in getattr(trouble, "__notes__", ())]
    lines.append("  please report it with this command line and, if you can, the files it names:")
    lines.append(f"    {shlex.join(['stateglass', *argv])}")
    lines.append("  STATEGLASS_DEBUG=1 shows where it happened")
    frame.err.line("\n".join(lines))
    if frame.format is OutputFormat.JSON:
        _json_errors([_as_bug(what, span)], argv, frame)
    return Exit.BUG


def _as_bug(what: str, span: object) -> ErrorReport:
    place = span if isinstance(span, Span) else Span.at("")
    return _json_fields("bug", Severity.ERROR, f"Stateglass failed: {what}", place, "")


def _json_errors(errors: Sequence[Diagnostic | ErrorReport], argv: Sequence[str], frame: Frame) -> None:
    names = {entry.name for entry in COMMANDS}
    command = next((word for word in argv if not word.startswith("-")), "")
    content = [json_error(error) if isinstance(error, Diagnostic) else error for error in errors]
    report: ErrorsReport = {"errors": content}
    write_json(frame.out, command if command in names else "", report)
    frame.out.stream.flush()


def json_error(diagnostic: Diagnostic) -> ErrorReport:
    """A diagnostic as JSON has it."""
    d = diagnostic
    return _json_fields(d.code.value, d.severity, d.message, d.span, d.help)


def _json_fields(code: str, severity: Severity, message: str, span: Span, help: str) -> ErrorReport:
    return {
        "code": code,
        "severity": severity.value,
        "message": message,
        "file": span.file or None,
        "line": span.start.line or None,
        "column": span.start.column or None,
        "help": help or None,
    }


def _usage(error: click.ClickException) -> Diagnostic:
    context = error.ctx if isinstance(error, click.UsageError) else None
    advice = []
    if isinstance(error, click.NoSuchOption):
        message = f"there is no option `{error.option_name}`"
        advice.append(close_match(error.option_name, _options(context)))
    elif isinstance(error, click.BadParameter) and (choices := _choices(error.param)):
        # Lists of choices are long, and click's own are one line or one line for each.
        given, is_choice, _ = error.message.rpartition(" is not one of ")
        given = given.strip("'\"")
        message = f"`{given}` is no value of `{_option(error)}`" if is_choice else f"`{_option(error)}` is missing"
        advice.append(close_match(given, choices))
        advice += textwrap.wrap("choose one of " + ", ".join(choices), _ADVICE_WIDTH)
    else:
        message = error.format_message().rstrip(".")
        message = message[:1].lower() + message[1:]
    if context is not None:
        advice.append(f"`{context.command_path} --help` explains the command")
    return Diagnostic(Code.USAGE, message, help="\n".join(line for line in advice if line))


def _option(error: click.BadParameter) -> str:
    return error.param.opts[-1] if error.param is not None else ""


def _choices(parameter: click.Parameter | None) -> list[str]:
    if parameter is None or not isinstance(parameter.type, click.Choice):
        return []
    return [str(choice) for choice in parameter.type.choices]


def _options(context: click.Context | None) -> list[str]:
    if context is None:
        return []
    return [name for parameter in context.command.get_params(context) for name in parameter.opts if name[0] == "-"]


def _file_trouble(error: OSError) -> Diagnostic:
    file = "" if error.filename is None else os.fsdecode(error.filename)
    return Diagnostic(Code.FILE, error.strerror or str(error), Span.at(file))


def _ours(error: OSError) -> bool:
    """A file of the package itself that is missing is no fault of the user."""
    return isinstance(error.filename, str | bytes) and PACKAGE in Path(os.fsdecode(error.filename)).resolve().parents
