"""A way through a model as text: each step with its line of the source and the values that it changes."""

from __future__ import annotations

from stateglass.formats.valuations import changing
from stateglass.model import Model
from stateglass.reports import Way as WayReport
from stateglass.source import counted
from stateglass.views.steps import place_text, step_facts
from stateglass.views.summary import cut
from stateglass.views.ways import Way

_INDENT = " " * 6


def path_text(model: Model, way: Way, width: int) -> str:
    """The steps one below the other; a line of the source stands there if it can be read, and is not repeated."""
    lines = [cut(f"a shortest way to {way.title}: {counted(len(way.steps), 'step')}", width)]
    lines += [cut(f"{_INDENT}{p.name} = {p.text(model.initial)}", width) for p in changing(model)]
    before = ""
    for number, step in enumerate(way.steps, 1):
        lines.append(cut(f"{number:>4}  {step.action}", width))
        where = place_text(step.span)
        lines += [cut(_INDENT + where, width)] if where and where != before else []
        before = where
        lines += [cut(f"{_INDENT}{name} = {value}", width) for name, value in step.changes]
    return "\n".join(lines) + "\n"


def path_report(way: Way) -> WayReport:
    """The same for programs, under the names that evidence has everywhere."""
    return {"to": way.title.strip("`"), "steps": [step_facts(step) for step in way.steps]}
