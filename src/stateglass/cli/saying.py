"""Diagnostics on a console: as wide as it is, in its colours, each advice once."""

from __future__ import annotations

from collections.abc import Iterable

from stateglass.cli.console import Console, Style
from stateglass.source import Diagnostic, Severity, render_diagnostics

_STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING, Severity.NOTE: Style.NOTE}
assert set(_STYLES) == set(Severity)


def say(err: Console, diagnostics: Iterable[Diagnostic]) -> None:
    """What is wrong with an input, or worth knowing about it."""
    told = list(diagnostics)
    if not told:
        return
    width = err.width if err.terminal else None
    # Colours are put in afterwards: their length is no width.
    rendered = render_diagnostics(told, width)
    for diagnostic in told:
        before, mark, rendered = rendered.partition(f"{diagnostic.severity.value}[{diagnostic.code.value}]")
        word = err.styled(diagnostic.severity.value, _STYLES[diagnostic.severity])
        err.write(before + mark.replace(diagnostic.severity.value, word, 1))
    err.line(rendered)
