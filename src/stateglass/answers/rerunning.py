"""Runs that were found on a model, executed again by the semantics that it was made by."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.answers.confirming import Explored
from stateglass.evidence import Step
from stateglass.explore.stepwise import EXACTLY, Failure, Retracing, Wanted


def can_be_executed(steps: Sequence[Step], code: Explored) -> bool:
    """Whether the code can do these steps from its start, with the values that they are said to change."""
    values: dict[str, str] = {}
    wanted: list[tuple[str, dict[str, str]]] = []
    for step in steps:
        values |= dict(step.changes)
        wanted.append((step.action, dict(values)))
    found = Retracing(code.system, code.manner).follow(Wanted(tuple(wanted), {}), EXACTLY)
    return not isinstance(found, Failure)
