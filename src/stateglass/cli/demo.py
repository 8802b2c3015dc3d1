"""`stateglass demo`: the whole tour on a bundled program, from its source to a report."""

from __future__ import annotations

import contextlib
import html
import os
import shlex
import textwrap
from importlib import resources
from pathlib import Path
from typing import Final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, sizes, write_json
from stateglass.cli.touring import BUNDLED, MODEL, RESULTS, STEPS, Done, carry_out, shortened
from stateglass.formats.files import read_bytes, utf8, write_bytes
from stateglass.reports import DemoReport
from stateglass.source import Code, input_error

FOLDER: Final = "stateglass-demo"
REPORT: Final = "report.html"
WRITTEN: Final = (*BUNDLED, *RESULTS, REPORT)
TITLE: Final = "A charging post"
MOST_BYTES: Final = 1 << 20
MOST_WIDTH: Final = 80
INDENT: Final = "   "


def demo(folder: str, format: OutputFormat, out: Console, err: Console) -> Exit:
    # Whoever asks for JSON wants nothing else on standard output.
    tell = err if format is OutputFormat.JSON else out
    name = os.path.normpath(folder)
    _unpack(Path(name))
    with contextlib.chdir(name):
        about = (
            f"charger.c controls a charging post for electric cars: {_length()} lines of C, written for this tour, "
            "with a mistake in them."
        )
        _words(tell, about)
        _command(tell, f"cd {shlex.quote(name)}")
        story = []
        for number, step in enumerate(STEPS, 1):
            tell.line(tell.styled(f"{number}. {step.heading}", Style.BOLD))
            tell.line()
            _words(tell, step.question)
            _command(tell, step.command)
            tell.stream.flush()
            done = carry_out(step, Console(tell.stream, tell.width - len(INDENT), tell.colored, tell.terminal))
            for line in shortened(done):
                tell.line((INDENT + line).rstrip())
            tell.line()
            if done.status is Exit.INTERRUPTED:
                return Exit.INTERRUPTED
            story.append(done)
        _write_report(about, story)
        _conclude(name, tell)
        if format is OutputFormat.JSON:
            write_json(out, "demo", _report(name, story))
    return Exit.OK


def _unpack(folder: Path) -> None:
    """Puts the program into the folder; what somebody else may have written there is left alone."""
    bundled = {name: _bundled(name) for name in BUNDLED}
    changed = [n for n, data in bundled.items() if (folder / n).is_file() and not _holds(folder / n, data)]
    ours = (folder / BUNDLED[0]).exists()
    foreign = [n for n in WRITTEN if not ours and (folder / n).exists()]
    if changed or foreign:
        listed = ", ".join(f"`{folder / name}`" for name in changed or foreign)
        state = "was changed" if changed else "exists already"
        raise input_error(Code.FILE, f"{listed} {state}", help="name another folder with -o, or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise input_error(Code.FILE, f"cannot make the folder `{folder}`: {error.strerror}") from None
    for name, data in bundled.items():
        write_bytes(str(folder / name), data)


def _holds(path: Path, data: bytes) -> bool:
    return read_bytes(str(path), MOST_BYTES) == data


def _bundled(name: str) -> bytes:
    return (resources.files("stateglass") / "demonstration" / name).read_bytes()


def _length() -> int:
    return len(Path(BUNDLED[0]).read_text(encoding="utf-8").splitlines())


def _write_report(about: str, story: list[Done]) -> None:
    from stateglass.views.page import Told, book

    told = []
    for done in story:
        typed = f'<pre class="command"><span class="prompt">$ </span>{html.escape(done.step.command)}</pre>'
        before = f'<div class="story"><p>{html.escape(done.step.question)}</p>{typed}</div>'
        told.append(Told(done.step.heading, before, done.chapter))
    write_bytes(REPORT, utf8(book(TITLE, f'<p class="story">{html.escape(about)}</p>', told)))


def _report(folder: str, story: list[Done]) -> DemoReport:
    from stateglass.formats import read_model

    return {
        "output": folder,
        "files": [f"{folder}/{file}" for file in WRITTEN],
        "steps": [
            {"command": done.step.command, "exit": None if done.status is None else int(done.status)} for done in story
        ],
        **sizes(read_model(MODEL)),
    }


def _conclude(folder: str, tell: Console) -> None:
    _words(tell, f"{folder}/{REPORT} has all of it on one page: open it in a browser.")
    tell.line()
    tell.line("Now your own code:")
    tell.line(f"{INDENT}stateglass doctor YOUR.c       what of it is understood")
    tell.line(f"{INDENT}stateglass init YOUR.c         a project file to go on from")
    tell.line(f"{INDENT}stateglass extract YOUR.c --function STEP -o model.svg")


def _words(tell: Console, text: str) -> None:
    width = min(tell.width, MOST_WIDTH) - 1
    for line in textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False):
        tell.line(line)


def _command(tell: Console, line: str) -> None:
    tell.line()
    tell.line(f"{INDENT}$ {line}")
    tell.line()


@click.command(cls=Verb, examples=["stateglass demo", "stateglass demo -o /tmp/tour"])
@click.option("-o", "--output", metavar="DIR", default=FOLDER, show_default=True, help="The folder to write into.")
@common_options
@click.pass_obj
def command(frame: Frame, output: str) -> Exit:
    """Take the tour: what a bundled program does, which mistake it has, and what its mend does, in an HTML report.

    Each step shows the command to type for it. The program, all that the commands write and the report are in DIR,
    ready to be played with.
    """
    return demo(output, frame.format, frame.out, frame.err)
