"""Runs that formulas say threads can do, done by the reference semantics: what comes out is one run of each thread."""

from __future__ import annotations

from stateglass.explore.stepwise import Ended, Snapshot
from stateglass.explore.valuations import propositions
from stateglass.model import Model, ModelBuilder, Origin, Relation
from stateglass.unbounded.executing import Executed


def run_model(executed: Executed) -> Model:
    """A run of a thread's code alone as a model; of its last state all that may follow is known."""
    run, retracing = executed.run, executed.retracing
    numbers: dict[Snapshot, int] = dict(run.numbers())
    builder = ModelBuilder()
    for taken in run.taken:
        builder.add(numbers[taken.source], taken.step.action, numbers[taken.step.state], taken.step.span)
    last = run.taken[-1].step.state if run.taken else run.first
    for step in list(retracing.steps(last)):
        numbers.setdefault(step.state, len(numbers))
        builder.add(numbers[last], step.action, numbers[step.state], step.span)
    states = list(numbers)
    is_end = isinstance(last.pause, Ended)
    columns, _ = propositions(retracing.machine, retracing.environment.texts, states)
    return builder.build(
        len(states),
        propositions=columns,
        terminal=[numbers[last]] if is_end else [],
        unexplored=[number for state, number in numbers.items() if state != last],
        origin=Origin(Relation.UNDER, partial=("this is a single run",)),
    )
