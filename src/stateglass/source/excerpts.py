"""The source text that a span covers."""

from __future__ import annotations

from stateglass.source.render import source_lines
from stateglass.source.spans import Place, Span


def text_at(span: Span) -> str:
    """The text of a span on one line, blanks and all; empty where the file cannot be read or does not reach so far."""
    lines = source_lines(span.file) if span.file else ()
    first, last = span.start.line, span.end.line
    if not (0 < first <= last <= len(lines)) or not span.start.column:
        return ""
    # Columns count bytes, as clang does.
    rows = [line.encode() for line in lines[first - 1 : last]]
    rows[-1] = rows[-1][: max(span.end.column - 1, 0)]
    rows[0] = rows[0][span.start.column - 1 :]
    return " ".join(b" ".join(rows).decode(errors="replace").split())


def line_at(place: Place) -> str:
    """The line that a place is on, or nothing."""
    lines = source_lines(place.file) if place.file else ()
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""
