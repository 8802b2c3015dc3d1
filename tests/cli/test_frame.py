"""The frame of all commands: exit statuses, help, options, console, progress."""

from __future__ import annotations

import io
import itertools
import threading

import click
import pytest

from stateglass.cli.console import Color, Console, Style
from stateglass.cli.exits import Exit, gravest
from stateglass.cli.frame import Verb
from stateglass.cli.main import stateglass as group
from stateglass.cli.progress import ProgressLine
from stateglass.cli.table import COMMANDS
from tests.cli.running import stateglass


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_gravest_status_stands_for_all() -> None:
    order = [Exit.BUG, Exit.INTERRUPTED, Exit.BAD_INPUT, Exit.FINDINGS, Exit.INCONCLUSIVE, Exit.OK]
    for graver, lighter in itertools.combinations(order, 2):
        assert gravest([lighter, graver, lighter]) is graver
    assert gravest([]) is Exit.NOTHING_TO_CHECK
    assert gravest([Exit.NOTHING_TO_CHECK, Exit.OK]) is Exit.OK


def test_the_overview_lists_every_command() -> None:
    ran = stateglass("--help")
    assert ran.status is Exit.OK
    assert all(f"  {entry.name} " in ran.out for entry in COMMANDS)
    assert "_STATEGLASS_COMPLETE=bash_source" in ran.out


def leaves(command: click.Command, path: tuple[str, ...]) -> list[tuple[Verb, tuple[str, ...]]]:
    """A command, or the commands of a group."""
    if isinstance(command, click.Group):
        return [leaf for name, inner in command.commands.items() for leaf in leaves(inner, (*path, name))]
    assert isinstance(command, Verb)
    return [(command, path)]


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    for leaf, path in leaves(command, (name,)):
        ran = stateglass(*path, "--help")
        assert ran.status is Exit.OK
        assert " ".join(["stateglass", *path]) in ran.out.partition("Examples:")[2]
        assert max(map(len, ran.out.split("\n"))) <= 80
        assert {"--format", "--color"} <= {option for parameter in leaf.params for option in parameter.opts}


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_outputs_are_named_alike(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    options = [p.opts for p in command.params if isinstance(p, click.Option) and {"-o", "--output"} & set(p.opts)]
    assert options in ([], [["-o", "--output"]])


def test_the_version() -> None:
    assert stateglass("--version").out.startswith("stateglass ")


def test_completions_come_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "stateglass" in stateglass(environ={"_STATEGLASS_COMPLETE": "zsh_source"}).out
    monkeypatch.setenv("COMP_WORDS", "stateglass in")
    monkeypatch.setenv("COMP_CWORD", "1")
    ran = stateglass(environ={"_STATEGLASS_COMPLETE": "zsh_complete"})
    assert ran.out.split("\n")[1::3] == ["init", "info"]


@pytest.mark.parametrize(
    ("environ", "width"), [({}, 80), ({"COLUMNS": "132"}, 132), ({"COLUMNS": "wide"}, 80), ({"COLUMNS": "1"}, 20)]
)
def test_width(environ: dict[str, str], width: int) -> None:
    assert Console.of(io.StringIO(), environ).width == width


@pytest.mark.parametrize(
    ("stream", "environ", "color", "colored"),
    [
        (io.StringIO(), {}, Color.AUTO, False),
        (Terminal(), {}, Color.AUTO, True),
        (Terminal(), {"TERM": "dumb"}, Color.AUTO, False),
        (Terminal(), {"NO_COLOR": "1"}, Color.AUTO, False),
        (Terminal(), {"NO_COLOR": ""}, Color.AUTO, True),
        (io.StringIO(), {"FORCE_COLOR": "1"}, Color.AUTO, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, Color.AUTO, False),
        (Terminal(), {"FORCE_COLOR": "1"}, Color.NEVER, False),
        (io.StringIO(), {"NO_COLOR": "1"}, Color.ALWAYS, True),
    ],
)
def test_colour(stream: io.StringIO, environ: dict[str, str], color: Color, colored: bool) -> None:
    console = Console.of(stream, environ, color)
    assert console.colored is colored
    assert console.styled("error", Style.ERROR) == ("\x1b[1;31merror\x1b[0m" if colored else "error")


def progress(stream: io.StringIO, seconds: list[float]) -> str:
    times = iter([0.0, *seconds])
    with ProgressLine(Console(stream, width=40, terminal=stream.isatty()), lambda: next(times), ticks=None) as line:
        for number, _ in enumerate(seconds, start=1):
            line("explore", states=number * 1000, open_states=number)
    return stream.getvalue()


def test_quick_work_is_silent() -> None:
    assert progress(Terminal(), [0.1, 0.4]) == ""
    assert progress(io.StringIO(), [0.1, 9.9]) == ""


def test_a_terminal_gets_one_line_that_changes_and_goes() -> None:
    shown = progress(Terminal(), [0.1, 0.6, 0.65, 2.0])
    first, second = "explore: 2,000 states, 2 open states, 1", "explore: 4,000 states, 4 open states, 2"
    assert shown == f"\r{first}\r{second}\r{' ' * 39}\r"


def test_the_last_word_stays_while_nothing_is_said() -> None:
    stream, shown = Terminal(), threading.Event()
    times = iter([0.0, 0.0])

    def clock() -> float:
        if stream.getvalue():
            shown.set()
        return next(times, 3.0)

    with ProgressLine(Console(stream, width=40, terminal=True), clock, ticks=0.001) as line:
        line("reading")
        assert shown.wait(60)
    assert stream.getvalue().startswith("\rreading: 3 s")


def test_elsewhere_there_is_a_line_every_ten_seconds() -> None:
    shown = progress(io.StringIO(), [1.0, 10.5, 12.0, 20.6])
    assert shown == "explore: 2,000 states, 2 open states, 10 s\nexplore: 4,000 states, 4 open states, 21 s\n"
