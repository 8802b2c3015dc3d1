"""What several commands say, in the same words: sizes, what was lost, what is taken for granted, what is wrong."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from stateglass.cli.console import LEAST_WIDTH, Console, Style
from stateglass.source import Diagnostic, Severity, counted, printable, render_diagnostics

if TYPE_CHECKING:  # errors are told by all commands, and the model brings numpy
    from stateglass.model import Model

MOST_ASSUMPTIONS: Final = 12
_LABEL: Final = re.compile("`[^`]*`")
_HARD_SPACE: Final = "\0"
_STYLES: Final = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING, Severity.NOTE: Style.NOTE}
assert set(_STYLES) == set(Severity)


def size_in_words(model: Model) -> str:
    return f"{counted(model.states, 'state')}, {counted(model.transitions, 'transition')}"


def wrapped(text: str, width: int) -> list[str]:
    """Lines of a width; a label in back quotes stays in one piece if it fits."""
    kept = _LABEL.sub(lambda label: label[0].replace(" ", _HARD_SPACE), printable(text))
    lines = textwrap.wrap(kept, max(width, LEAST_WIDTH), subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace(_HARD_SPACE, " ") for line in lines]


def say_diagnostics(err: Console, diagnostics: Iterable[Diagnostic]) -> None:
    """What is wrong with an input, or worth knowing about it: as wide as the terminal, each advice once."""
    told = list(diagnostics)
    if not told:
        return
    # Colours are put in afterwards: their length is no width.
    rendered = render_diagnostics(told, err.width if err.terminal else None)
    for diagnostic in told:
        before, mark, rendered = rendered.partition(f"{diagnostic.severity.value}[{diagnostic.code.value}]")
        word = err.styled(diagnostic.severity.value, _STYLES[diagnostic.severity])
        err.write(before + mark.replace(diagnostic.severity.value, word, 1))
    err.line(rendered)


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
        # Imported on use: numpy takes long to load.
        from stateglass.model import NO_RUN

        word = err.styled("partial", Style.WARNING)
        shows = "has nothing to show" if NO_RUN in reasons else "does not show all of the behaviour"
        err.paragraph(f"{word}: this model {shows}: " + printable("; ".join(reasons)), "  ")
