"""Diagnostics as text for a terminal, with the source line and a caret."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from stateglass.source.diagnostics import Diagnostic
from stateglass.source.spans import Span

TAB = "    "
SHOWN_WIDTH = 160
# A file too large to be worth reading for one line of context.
MOST_BYTES = 16 << 20


def render_diagnostic(diagnostic: Diagnostic) -> str:
    """`file:line:column: error[code]: message`, the line itself with a caret, and help."""
    where = f"{diagnostic.span}: " if diagnostic.span.file else ""
    lines = [f"{where}{diagnostic.severity.value}[{diagnostic.code.value}]: {diagnostic.message}"]
    lines += _excerpt(diagnostic.span)
    if diagnostic.span.defined is not None:
        lines.append(f"  in a macro defined at {diagnostic.span.defined}")
    if diagnostic.help:
        lines += ["  help: " + diagnostic.help.replace("\n", "\n        ")]
    return "\n".join(lines)


def render_diagnostics(diagnostics: Iterable[Diagnostic]) -> str:
    return "\n".join(render_diagnostic(d) for d in diagnostics)


def _excerpt(span: Span) -> list[str]:
    text = _line(span.file, span.line) if span.line else None
    if text is None:
        return []
    column = max(span.start.column, 1) - 1
    before = text[:column].replace("\t", TAB)
    shown = text.replace("\t", TAB)
    offset = max(0, len(before) - SHOWN_WIDTH // 2) if len(shown) > SHOWN_WIDTH else 0
    shown = shown[offset : offset + SHOWN_WIDTH]
    number = f"{span.line:5} | "
    lines = [number + shown]
    if span.start.column:
        width = 1
        if span.end.line == span.start.line:
            width = max(1, min(span.end.column - span.start.column, len(shown) - (len(before) - offset)))
        lines.append(" " * (len(number) - 2) + "| " + " " * (len(before) - offset) + "^" * max(width, 1))
    return lines


def _line(file: str, line: int) -> str | None:
    lines = source_lines(file)
    return lines[line - 1] if 0 < line <= len(lines) else None


@lru_cache(maxsize=16)
def source_lines(file: str) -> tuple[str, ...]:
    """The lines of a file for display; empty when it cannot be read, which is no reason to fail."""
    try:
        path = Path(file)
        if path.stat().st_size > MOST_BYTES:
            return ()
        return tuple(path.read_text(encoding="utf-8", errors="replace").split("\n"))
    except (OSError, ValueError):
        return ()
