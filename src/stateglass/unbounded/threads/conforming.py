"""Whether all that threads do is what a process or a model can do: weak simulation, and a run where it is not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from stateglass.check.verdicts import missing, support
from stateglass.evidence import Answer, Path, Reason, Step, Verdict
from stateglass.model import TAU, Model, Relation
from stateglass.relate import Patience, Preorder, Related, Undecided, Unrelated, compare
from stateglass.relate.operators import with_labels
from stateglass.source import Code, input_error
from stateglass.work import Progress

MOST_PLACES: Final = 1_000_000
MOST_TOLD: Final = 3
FOLLOWED: Final = "What is meant can follow each step."


def conforms(
    title: str, whole: Model, meant: Model, progress: Progress, may_do: Callable[[str], bool] = lambda label: False
) -> Answer:
    """Whether a model can follow each step of another one; what it has no label for is silent.

    `may_do` says which events some thread might come to that its model has not.
    """
    known = frozenset(meant.labels)
    # Of a model that is not whole, what is known of it may be too much already.
    origin = replace(whole.origin, relation=Relation.EXACT, partial=())
    bare = replace(whole, unexplored=None, terminal=None, propositions=(), origin=origin)
    seen = with_labels(bare, [label if label in known else TAU for label in whole.labels])
    # Whether something has ended is no step: only what is done counts.
    allowed = replace(meant, terminal=None, propositions=())
    path = _run_beyond(whole, allowed, progress)
    if path is not None:
        done = " and then ".join(f"`{step.action}`" for step in path.steps if step.action in known - {TAU})
        return Answer(title, Verdict.VIOLATED, None, f"What is meant cannot do {done}.", path)
    if whole.partial:
        return Answer(title, Verdict.INCONCLUSIVE, Reason.PARTIAL, missing(whole))
    patience = Patience(progress, 0.0)
    match compare(seen, allowed, Preorder.WEAK_SIMULATION, progress=progress, patience=patience):
        case Related():
            met = {whole.labels[action] for action in np.unique(whole.actions)}
            events = [label for label in meant.labels if label != TAU]
            strange = [label for label in events if label not in met and not may_do(label)]
            if len(strange) == len(events):
                why = f"no thread knows {_listed(strange)}" if strange else "what is meant has no events"
                return Answer(title, Verdict.VACUOUS, None, f"The claim holds only because {why}.", support(whole))
            more = f" No thread knows {_listed(strange)}." if strange else ""
            return Answer(title, Verdict.HOLDS, None, FOLLOWED + more, support(whole))
        case Undecided(reason):
            return Answer(title, Verdict.INCONCLUSIVE, Reason.PARTIAL, reason)
        case Unrelated():
            words = "What is meant can do each run, but cannot follow each choice on the way."
            return Answer(title, Verdict.INCONCLUSIVE, Reason.UNSUPPORTED, words)


def _listed(labels: Sequence[str]) -> str:
    told = ", ".join(f"`{label}`" for label in labels[:MOST_TOLD])
    return told if len(labels) <= MOST_TOLD else f"{told} and {len(labels) - MOST_TOLD} more"


Sets = frozenset[int]
Place = tuple[int, Sets]
"""A state of the threads, and where what is meant may be after the same events."""


def _run_beyond(whole: Model, meant: Model, progress: Progress) -> Path | None:
    """A shortest run of the threads whose last event what is meant cannot do."""
    start: Place = whole.initial, _silently(meant, {meant.initial})
    before: dict[Place, tuple[Place, str] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        state, at = place = waiting.popleft()
        progress("holding threads against what is meant", states=len(before))
        for transition in range(int(whole.first[state]), int(whole.first[state + 1])):
            label, target = whole.labels[whole.actions[transition]], int(whole.targets[transition])
            is_event = label != TAU and label in meant.labels
            then = _after(meant, at, label) if is_event else at
            after: Place = target, then
            if after not in before:
                before[after] = place, label
                waiting.append(after)
            if not then:
                return Path(whole.initial, _back(before, after))
        if len(before) > MOST_PLACES:
            raise input_error(Code.TOO_LARGE, f"there are more than {MOST_PLACES:,} states to be compared")
    return None


def _after(model: Model, states: Sets, label: str) -> Sets:
    """Where an event leads to from some states."""
    number = model.labels.index(label)
    found = set()
    for state in states:
        first, last = int(model.first[state]), int(model.first[state + 1])
        found |= {int(model.targets[t]) for t in range(first, last) if model.actions[t] == number}
    return _silently(model, found)


def _silently(model: Model, states: Iterable[int]) -> Sets:
    """What can be reached from some states without an event."""
    found = set(states)
    work = list(found)
    while work:
        state = work.pop()
        for t in range(int(model.first[state]), int(model.first[state + 1])):
            target = int(model.targets[t])
            if model.labels[model.actions[t]] == TAU and target not in found:
                found.add(target)
                work.append(target)
    return frozenset(found)


def _back(before: Mapping[Place, tuple[Place, str] | None], place: Place) -> tuple[Step, ...]:
    steps: list[Step] = []
    came = before[place]
    while came is not None:
        source, label = came
        steps.append(Step(source[0], place[0], label))
        place, came = source, before[source]
    return tuple(reversed(steps))
