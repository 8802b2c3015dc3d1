"""Which transitions of the statecharts a run takes, where the lines of the program do not say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stateglass.assemblies.interpretation.charts import Chart
from stateglass.assemblies.interpretation.wiring import Role
from stateglass.design import Trigger
from stateglass.evidence import Path, Step
from stateglass.model import TAU
from stateglass.source import Span


def located(path: Path, values: Mapping[str, str], charts: Mapping[str, tuple[Role, Chart]]) -> Path:
    """A run whose steps into other states have the places of the transitions.

    `values` are those at first; `charts` are by the name that the state of each has there.
    """
    now = dict(values)
    steps = []
    for step in path.steps:
        span = step.span
        if span is None or step.action == TAU:
            # What a silent step begins with may be another thing than what changes until the next event.
            ways = (_taken(step, *charts[n], now.get(n, ""), value) for n, value in step.changes if n in charts)
            span = next((way for way in ways if way is not None), span)
        now |= step.changes
        steps.append(replace(step, span=span))
    return replace(path, steps=tuple(steps))


def _taken(step: Step, role: Role, chart: Chart, source: str, target: str) -> Span | None:
    """The place of the one transition that leads from a state to another one, with this event or without any."""
    ways = [way.transition for way in chart.steps(source) if way.target == target]
    heard = [way for way in ways if way.trigger is not None and _is_heard(step, role, way.trigger)]
    found = {way.span for way in heard or [way for way in ways if way.trigger is None]}
    return found.pop() if len(found) == 1 else None


def _is_heard(step: Step, role: Role, trigger: Trigger) -> bool:
    event = f"{f'{role.unit}.' if role.unit else ''}{'$' if trigger.is_end else '^'}{trigger.pin}"
    return any(part.partition("(")[0] == event for part in step.action.split("|"))
