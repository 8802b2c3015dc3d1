"""Runs of designs event by event: what changes silently after an event is told with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import final

from stateglass.evidence import Path, Step
from stateglass.model import TAU


@final
@dataclass(frozen=True, slots=True)
class Condensed:
    """A run with fewer steps, and for each of these the numbers, from 0, of the steps that it stands for."""

    path: Path
    groups: tuple[tuple[int, ...], ...]


def condensed(path: Path, telling: Collection[int]) -> Condensed:
    """The run as events, each with all that changes until the next one.

    Silent steps stay by themselves where no event is before them, where they give another value to what has changed
    since the event, and where two of those in `telling`, which change what the claim asks about, come after it: no
    value that a claim sees is lost. What is repeated begins with an event if it has one.
    """
    order = list(range(len(path.steps)))
    loop = path.loop_start
    if loop is not None:
        silent = _leading_silent(path.steps[loop:])
        order += range(loop, loop + silent)
        loop += silent
    groups: list[list[int]] = []
    loop_start = None
    for position, number in enumerate(order):
        if position == loop:
            loop_start = len(groups)
        if position == loop or not groups or _begins(path.steps, groups[-1], number, telling):
            groups.append([])
        groups[-1].append(number)
    steps = tuple(_together([path.steps[number] for number in group]) for group in groups)
    return Condensed(replace(path, steps=steps, loop_start=loop_start), tuple(map(tuple, groups)))


def _leading_silent(steps: Sequence[Step]) -> int:
    """How many silent steps come before an event; none if no event comes."""
    return next((number for number, step in enumerate(steps) if step.action != TAU), 0)


def _begins(steps: Sequence[Step], group: Sequence[int], number: int, telling: Collection[int]) -> bool:
    """Whether a step is not told with those before it."""
    if steps[number].action != TAU:
        return any(steps[one].action != TAU or steps[one].changes for one in group)
    changed = {name for one in group for name, _ in steps[one].changes}
    if any(name in changed for name, _ in steps[number].changes):
        return True
    return number in telling and any(one in telling for one in group)


def _together(steps: Sequence[Step]) -> Step:
    """Steps as one: that of an event, or a silent one."""
    event = next((step for step in steps if step.action != TAU), None)
    telling = [event] if event is not None else []
    telling += [step for step in steps if step.changes] or steps
    return Step(
        steps[0].source,
        steps[-1].target,
        TAU if event is None else event.action,
        tuple(change for step in steps for change in step.changes),
        next((step.span for step in telling if step.span is not None), None),
    )


def changing(path: Path, names: Collection[str]) -> frozenset[int]:
    """The numbers, from 0, of the steps of a program that change something of these names, in whatever thread."""
    return frozenset(
        number
        for number, step in enumerate(path.steps)
        if any(name in names or name.partition(".")[2] in names for name, _ in step.changes)
    )
