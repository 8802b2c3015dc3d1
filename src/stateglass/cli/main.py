"""The entry point: a group of commands that are imported only when they run."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import NoReturn, TextIO, final

import click
from click.shell_completion import CompletionItem, shell_complete

from stateglass import __version__
from stateglass.cli.console import Color, Console
from stateglass.cli.exits import Exit
from stateglass.cli.frame import HELPFUL, Frame, OutputFormat
from stateglass.cli.table import COMMANDS, entry
from stateglass.cli.trouble import answer_trouble, discard, unknown_command
from stateglass.work import OutOfTime
from stateglass.work.in_time import something_was_left

PROGRAM = "stateglass"
COMPLETE = "_STATEGLASS_COMPLETE"
HELP_WIDTH = 100
DEEPEST = 20_000  # calls of ours within each other: code may be nested deep
_SOON = 0.01  # seconds
YOUNG = 50_000  # objects that are made before any are looked at for cycles: ours are many, long-lived and without them

EPILOG = """\b
`stateglass COMMAND --help` explains a command and shows examples.
A file called - is standard input or output.
Completions for your shell (bash, zsh or fish):
  eval "$(_STATEGLASS_COMPLETE=bash_source stateglass)"
"""


@final
class LazyGroup(click.Group):
    """Lists commands from the table and imports the module of the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = entry(cmd_name)
        return None if found is None else found.command()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and entry(args[0]) is None and not args[0].startswith("-"):
            raise unknown_command(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.help) for entry in COMMANDS])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [CompletionItem(e.name, help=e.help) for e in COMMANDS if e.name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@click.command(cls=LazyGroup, epilog=EPILOG, context_settings=HELPFUL)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def stateglass() -> None:
    """What C and C++ code really does: extract models of it, compare them, check claims, hold machines against it."""


def run(argv: Sequence[str], out: TextIO, err: TextIO, environ: Mapping[str, str]) -> Exit:
    """Carries out one command line. Whatever happens, it becomes an exit status and words for the user."""
    frame = _frame(argv, out, err, environ)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = _invoke(argv, frame, environ)
        out.flush()
    except (Exception, KeyboardInterrupt) as trouble:
        return answer_trouble(trouble, argv, frame, debug=bool(environ.get("STATEGLASS_DEBUG")))
    return status


def main() -> NoReturn:
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.unraisablehook = _lost
    sys.setrecursionlimit(DEEPEST)
    gc.set_threshold(YOUNG)
    out, err = _usable(sys.stdout), _usable(sys.stderr)
    try:
        status = run(sys.argv[1:], out, err, os.environ)
    except OSError:  # not even the error could be told: nobody listens on standard error
        status = Exit.BROKEN_PIPE
        discard(out)
        discard(err)
    if status is Exit.INTERRUPTED or something_was_left():
        # A solver that was left in the middle, perhaps still at work in a thread of its own, cannot be cleared away.
        _end_at_once(status, out, err)
    sys.exit(status)


def _end_at_once(status: Exit, *streams: TextIO) -> None:
    for stream in streams:
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(status)


def _lost(exception: sys.UnraisableHookArgs) -> None:
    """What ends work can come up where nothing can be raised, while something is cleared away: it has to come again."""
    match exception.exc_value:
        case OutOfTime():
            pass  # the alarm does so by itself
        case KeyboardInterrupt():
            threading.Timer(_SOON, signal.raise_signal, [signal.SIGINT]).start()
        case _:
            sys.__unraisablehook__(exception)


def _usable(stream: TextIO | None) -> TextIO:
    """The stream in a state in which printing to it does not fail: closed ones lead nowhere."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        # A file name need not be text in the terminal's encoding; that must not cost the user the answer.
        stream.reconfigure(errors="backslashreplace")
    return stream


def _invoke(argv: Sequence[str], frame: Frame, environ: Mapping[str, str]) -> Exit:
    """What `click.Command.main` does, but every exception comes out as it is."""
    request = environ.get(COMPLETE)
    if request:
        return Exit(shell_complete(stateglass, {}, PROGRAM, COMPLETE, request))
    width = min(frame.out.width, HELP_WIDTH)
    try:
        with stateglass.make_context(PROGRAM, list(argv), obj=frame, terminal_width=width) as context:
            return Exit(stateglass.invoke(context))
    except click.exceptions.Exit as end:  # after help or the version was shown
        return Exit(end.exit_code)


def _frame(argv: Sequence[str], out: TextIO, err: TextIO, environ: Mapping[str, str]) -> Frame:
    color = Color(_given(argv, "--color", [c.value for c in Color]) or Color.AUTO.value)
    format = OutputFormat(_given(argv, "--format", [f.value for f in OutputFormat]) or OutputFormat.TEXT.value)
    return Frame(Console.of(out, environ, color), Console.of(err, environ, color), format)


def _given(argv: Sequence[str], option: str, choices: Sequence[str]) -> str | None:
    """The last valid value of an option that all commands share, read ahead of click's own parsing."""
    value = None
    for number, word in enumerate(argv):
        if word == "--":
            break
        following = argv[number + 1] if word == option and number + 1 < len(argv) else ""
        candidate = word.removeprefix(option + "=") if word.startswith(option + "=") else following
        value = candidate if candidate in choices else value
    return value
