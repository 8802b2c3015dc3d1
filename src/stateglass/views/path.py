"""A way through a model as text: each step with its line of the source and the values that it changes."""

from __future__ import annotations

from pathlib import Path

from stateglass.formats.valuations import changing
from stateglass.model import Model
from stateglass.reports import Way as WayReport
from stateglass.source import Span, counted
from stateglass.views.summary import cut
from stateglass.views.ways import Way

MOST_SOURCE_BYTES = 4 << 20
"""Lines of a larger file are not shown."""
_INDENT = " " * 6


def path_text(model: Model, way: Way, width: int) -> str:
    """The steps one below the other; a line of the source stands there if it can be read, and is not repeated."""
    sources = {name: _lines(name) for name in model.origin.files}
    lines = [cut(f"a shortest way to {way.title}: {counted(len(way.steps), 'step')}", width)]
    lines += [cut(f"{_INDENT}{p.name} = {p.text(model.initial)}", width) for p in changing(model)]
    before = ""
    for number, step in enumerate(way.steps, 1):
        lines.append(cut(f"{number:>4}  {step.action}", width))
        where = _where(step.span, sources)
        lines += [cut(_INDENT + where, width)] if where and where != before else []
        before = where
        lines += [cut(f"{_INDENT}{name} = {value}", width) for name, value in step.changes]
    return "\n".join(lines) + "\n"


def path_report(way: Way) -> WayReport:
    """The way as a report for scripts, with the same keys as evidence."""
    return {
        "to": way.title.strip("`"),
        "steps": [
            {
                "action": step.action,
                "changes": dict(step.changes),
                "state": step.target,
                "file": None if step.span is None else step.span.start.file,
                "line": None if step.span is None else step.span.start.line,
            }
            for step in way.steps
        ],
    }


def _where(span: Span | None, sources: dict[str, list[str]]) -> str:
    if span is None:
        return ""
    lines, line = sources.get(span.start.file, []), span.start.line
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f"{span.start.file}:{line}" + (f" | {text}" if text else "")


def _lines(name: str) -> list[str]:
    path = Path(name)
    try:
        if path.stat().st_size > MOST_SOURCE_BYTES:
            return []
        return path.read_text(encoding="utf-8", errors="replace").split("\n")
    except (OSError, ValueError):
        return []
