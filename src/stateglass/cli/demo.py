"""`stateglass demo`: the whole tour on a bundled program, from its source to a report."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

import click

from stateglass.cli.console import Console, Style
from stateglass.cli.exits import Exit
from stateglass.cli.extract import ExtractCommand, run_extract
from stateglass.cli.frame import Frame, OutputFormat, Verb, common_options, sizes, write_json
from stateglass.evidence import Step
from stateglass.formats import read_model, write_model
from stateglass.formats.files import read_bytes, write_bytes
from stateglass.model import Model
from stateglass.reports import DemoReport
from stateglass.source import Code, input_error
from stateglass.views.report import write_report
from stateglass.views.ways import noteworthy_ways

FOLDER: Final = "stateglass-demo"
SOURCE: Final = "charger.c"
PROJECT: Final = "stateglass.toml"
MODEL: Final = "model.sg"
PICTURE: Final = "model.svg"
PLAIN: Final = "model.aut"
REPORT: Final = "report.html"
RESULTS: Final = (MODEL, PICTURE, PLAIN, REPORT)
TITLE: Final = "A charging post"
MOST_BYTES: Final = 1 << 20
WIDTH: Final = 78
INDENT: Final = "   "
NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def demo(folder: str, format: OutputFormat, out: Console, err: Console) -> Exit:
    # Whoever asks for JSON wants nothing else on standard output.
    tell = err if format is OutputFormat.JSON else out
    name = os.path.normpath(folder)
    _unpack(Path(name))
    _words(
        tell,
        f"{name}/{SOURCE} controls a charging post for electric cars: {_length(name)} lines of C, written for this "
        "tour, with a mistake in them. What can this code do?",
    )
    model = _extract(name, tell)
    _explain(model, name, tell)
    _show(model, name, tell)
    if format is OutputFormat.JSON:
        written = [f"{name}/{file}" for file in (SOURCE, PROJECT, *RESULTS)]
        report: DemoReport = {"output": name, "files": written, **sizes(model)}
        write_json(out, "demo", report)
    return Exit.OK


def _unpack(folder: Path) -> None:
    """Puts the program into the folder; what somebody else may have written there is left alone."""
    bundled = {name: _bundled(name) for name in (SOURCE, PROJECT)}
    changed = [n for n, data in bundled.items() if (folder / n).is_file() and not _holds(folder / n, data)]
    ours = (folder / SOURCE).exists()
    foreign = [n for n in (*bundled, *RESULTS) if not ours and (folder / n).exists()]
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


def _length(folder: str) -> int:
    return len((Path(folder) / SOURCE).read_text(encoding="utf-8").splitlines())


def _extract(folder: str, tell: Console) -> Model:
    _heading(tell, 1, "Extract the model: every event, at any time, until nothing new happens")
    outputs = (f"{folder}/{MODEL}", f"{folder}/{PICTURE}")
    _command(tell, ["stateglass extract", f"{folder}/{SOURCE}", *(f"-o {o}" for o in outputs)])
    tell.line()
    # The command itself, so that the tour can show nothing that users would not see.
    subject: dict[str, object] = {"files": (f"{folder}/{SOURCE}",)}
    options = ExtractCommand(outputs, None, OutputFormat.TEXT, force=False)
    run_extract(subject, None, f"{folder}/{PROJECT}", options, tell, tell)
    return read_model(outputs[0])


def _explain(model: Model, folder: str, tell: Console) -> None:
    _heading(tell, 2, "Look at what it found: an error can be reached, and this is how")
    ways = noteworthy_ways(model)
    for line in _way_lines(ways[0].steps):
        tell.line(INDENT + line)
    tell.line()
    span = ways[0].steps[-1].span
    assert span is not None
    code = (Path(folder) / SOURCE).read_text(encoding="utf-8").splitlines()
    for number in range(span.line - 1, span.line + 2):
        mark = ">" if number == span.line else " "
        tell.line(f"{INDENT}{mark} {number:>3} | {code[number - 1]}")
    tell.line()
    _words(
        tell,
        "When the post gets too hot for the third time, `faults` is 2, and `noted` has places 0 and 1 only: "
        "nobody thought of a post that is never restarted.",
    )


def _way_lines(steps: tuple[Step, ...]) -> Iterator[str]:
    """The steps at which something changes, and the last one."""
    telling = [step for step in steps if step.changes or step is steps[-1]]
    width = max(len(step.action) for step in telling)
    for step in telling:
        # A line may end between two changes only.
        changes = ", ".join(f"{name} = {value}".replace(" ", NO_BREAK) for name, value in step.changes)
        room = WIDTH - len(INDENT) - width - 2
        lines = textwrap.wrap(changes or f"line {step.span.line if step.span else '?'}", room, break_on_hyphens=False)
        for number, line in enumerate(lines):
            yield f"{step.action if number == 0 else '':<{width}}  {line.replace(NO_BREAK, ' ')}"


def _show(model: Model, folder: str, tell: Console) -> None:
    _heading(tell, 3, "Look at it in a browser")
    write_report(model, f"{folder}/{REPORT}", TITLE)
    write_model(model, f"{folder}/{PLAIN}")
    tell.line(f"{INDENT}These files are in {folder}:")
    for name, text in (
        (REPORT, "open this first: picture, source and states on one page"),
        (PICTURE, "the picture alone"),
        (MODEL, "the model, for the other commands of Stateglass"),
        (PLAIN, "its actions, for tools of others"),
        (PROJECT, "what was explored: change it, or the code, and try again"),
    ):
        tell.line(f"{INDENT}{name:<16} {text}")
    tell.line()
    tell.line("Now your own code:")
    tell.line(f"{INDENT}stateglass doctor YOUR.c       what of it is understood")
    tell.line(f"{INDENT}stateglass init YOUR.c         a project file to go on from")
    tell.line(f"{INDENT}stateglass extract YOUR.c --function STEP -o model.svg")


def _heading(tell: Console, number: int, text: str) -> None:
    tell.line()
    tell.line(tell.styled(f"{number}. {text}", Style.BOLD))
    tell.line()


def _words(tell: Console, text: str) -> None:
    for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False):
        tell.line(line)


def _command(tell: Console, parts: list[str]) -> None:
    """A command line as a user would type it, broken where it would get too long."""
    line = f"{INDENT}$ {parts[0]}"
    for part in parts[1:]:
        if len(line) + len(part) + 3 > WIDTH:
            tell.line(f"{line} \\")
            line = f"{INDENT}   {part}"
        else:
            line = f"{line} {part}"
    tell.line(line)


@click.command(cls=Verb, examples=["stateglass demo", "stateglass demo -o /tmp/tour"])
@click.option("-o", "--output", metavar="DIR", default=FOLDER, show_default=True, help="The folder to write into.")
@common_options
@click.pass_obj
def command(frame: Frame, output: str) -> Exit:
    """Take the tour: extract the model of a bundled program, find its mistake, and write an HTML report.

    Each step shows the command to type for it. The program, its model in several formats, a picture and the report are
    written to DIR, ready to be played with.
    """
    return demo(output, frame.format, frame.out, frame.err)
