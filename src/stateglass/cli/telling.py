"""What several commands say, in the same words: sizes, what was lost, what is taken for granted, what is wrong."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from stateglass.cli.console import LEAST_WIDTH, Console, Style
from stateglass.formats.targets import STDIO
from stateglass.source import Diagnostic, counted, printable, render_diagnostic

if TYPE_CHECKING:
    from stateglass.model import Model

MOST_ASSUMPTIONS: Final = 12
_LABEL: Final = re.compile("`[^`]*`")
_HARD_SPACE: Final = "\0"


def size_in_words(model: Model) -> str:
    return f"{counted(model.states, 'state')}, {counted(model.transitions, 'transition')}"


def input_name(path: str) -> str:
    return "standard input" if path == STDIO else path


def output_name(path: str) -> str:
    return "standard output" if path == STDIO else path


def wrapped(text: str, width: int) -> list[str]:
    """Lines of a width; a label in back quotes stays in one piece if it fits."""
    kept = _LABEL.sub(lambda label: label[0].replace(" ", _HARD_SPACE), printable(text))
    lines = textwrap.wrap(kept, max(width, LEAST_WIDTH), subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace(_HARD_SPACE, " ") for line in lines]


def say_diagnostics(err: Console, diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        err.line(render_diagnostic(diagnostic))


def say_lost(err: Console, losses: Iterable[str]) -> None:
    """What whoever reads the file will miss."""
    for loss in losses:
        err.paragraph(f"{err.styled('lost', Style.WARNING)}: {printable(loss)}", "  ")


def say_granted(err: Console, assumptions: Sequence[object]) -> None:
    """What an answer rests on."""
    if not assumptions:
        return
    err.line("it takes for granted:")
    for assumption in assumptions[:MOST_ASSUMPTIONS]:
        err.paragraph(f"  {printable(str(assumption))}", "    ")
    if len(assumptions) > MOST_ASSUMPTIONS:
        err.line(f"  … {len(assumptions) - MOST_ASSUMPTIONS} more (--format json lists all)")


def say_partial(err: Console, reasons: Sequence[str]) -> None:
    """That a model is partial; a whole model needs no words."""
    if reasons:
        word = err.styled("partial", Style.WARNING)
        err.paragraph(f"{word}: this model does not show all of the behaviour: " + printable("; ".join(reasons)), "  ")
