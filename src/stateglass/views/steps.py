"""A step of a run, wherever it is shown: its place with the line of the source, and its keys for programs."""

from __future__ import annotations

from stateglass.evidence import Step
from stateglass.reports import StepReport
from stateglass.source import Span
from stateglass.source.excerpts import line_at


def place_text(span: Span | None) -> str:
    """`file.c:12 | text of the line`."""
    if span is None or not span.line:
        return ""
    text = line_at(span.start).strip()
    return f"{span.file}:{span.line}" + (f" | {text}" if text else "")


def step_facts(step: Step) -> StepReport:
    """The keys that a step has in every report."""
    place = step.span if step.span is not None and step.span.line else None
    return {
        "action": step.action,
        "changes": dict(step.changes),
        "state": step.target,
        "file": None if place is None else place.file,
        "line": None if place is None else place.line,
    }
