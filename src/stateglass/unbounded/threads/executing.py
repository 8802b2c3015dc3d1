"""Runs that formulas say threads can do, done by the reference semantics: what comes out is one run of each thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from stateglass.explore.stepwise import Ended, Retracing, Snapshot, Step, propositions
from stateglass.explore.stretches import Stretch
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Relation
from stateglass.program import is_scalar
from stateglass.smt import Term, evaluated
from stateglass.unbounded.results import Walk
from stateglass.unbounded.threads.alphabets import number_of
from stateglass.unbounded.threads.flows import ThreadFlow, other_label, refused_label
from stateglass.unbounded.walks.executing import Executed
from stateglass.work import OutOfTime


def run_model(executed: Executed, *, ends: bool, back: int | None = None) -> Model:
    """A run of a thread's code alone as a model; where it `ends`, all that may follow its last state is known.

    With `back`, its last step leads to the state after so many steps: what is different there decides nothing.
    """
    run, retracing = executed.run, executed.retracing
    numbers: dict[Snapshot, int] = dict(run.numbers())
    if back is not None:
        numbers[run.taken[-1].step.state] = numbers[run.taken[back].source]
    builder = ModelBuilder()
    for taken in run.taken:
        builder.add(numbers[taken.source], taken.step.action, numbers[taken.step.state], taken.step.span)
    last = run.taken[-1].step.state if run.taken else run.first
    following = _following(retracing, last) if ends and run.loop_start is None else None
    is_known = following is not None
    for step in following or ():
        numbers.setdefault(step.state, len(numbers))
        builder.add(numbers[last], step.action, numbers[step.state], step.span)
    states = [state for state in numbers if back is None or state != last]
    is_end = isinstance(last.pause, Ended)
    columns, _ = propositions(retracing.machine, retracing.environment.texts, [*states, last])
    if back is not None:
        # What is not as it was is not to be shown as if it were.
        columns = [p for p in columns if p.text(len(states)) == p.text(numbers[last])]
    columns = [_first(p, len(states)) for p in columns]
    return builder.build(
        len(states),
        propositions=columns,
        terminal=[numbers[last]] if is_end else [],
        unexplored=[number for state, number in numbers.items() if state != last or not is_known],
        origin=Origin(Relation.UNDER, partial=("this is a single run",)),
    )


def _first(proposition: Proposition, count: int) -> Proposition:
    """The values of the first states."""
    defined = None if proposition.defined is None else proposition.defined[:count]
    return replace(proposition, values=proposition.values[:count], defined=defined)


def _following(retracing: Retracing, state: Snapshot) -> list[Step] | None:
    """All that may follow a state; None if that takes too long to find out."""
    try:
        return list(retracing.steps(state))
    except OutOfTime:
        return None


def vague_events(thread: ThreadFlow, walk: Walk) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The events on a walk, and those offered at its end, whose arguments were not told apart: names and rows."""
    flow = thread.flow
    for number, values in zip(walk.stretches, walk.values, strict=True):
        yield from _vague(thread, flow.stretches[number], values)
    if walk.stretches:
        last = flow.stretches[walk.stretches[-1]]
        held = evaluated(last.after, walk.values[-1])
        slots = {slot.term: value for slot, value in zip(flow.rests[last.target].slots, held, strict=True)}
        for stretch in flow.leaving[last.target]:
            yield from _vague(thread, stretch, slots)


def _vague(thread: ThreadFlow, stretch: Stretch, values: Mapping[Term, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    shown = stretch.action
    if shown is None or thread.labels[stretch.number] not in (other_label(shown.name), refused_label(shown.name)):
        return
    bits = evaluated([term for term, _ in shown.arguments], values)
    types = [type for _, type in shown.arguments]
    if all(is_scalar(type) for type in types):
        yield shown.name, tuple(number_of(b, t) for b, t in zip(bits, types, strict=True) if is_scalar(t))
