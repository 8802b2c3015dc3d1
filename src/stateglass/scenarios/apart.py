"""Models of code with an action and the change that it leads to in two steps.

Where silent steps of code run as one, the step of an action goes on to the first change that is seen. What somebody
says of events may depend on that: whether an exception happens before a change or with it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stateglass.model import STABLE, TAU, Model, Proposition
from stateglass.model.builder import canonical_order
from stateglass.model.model import Flags


def apart(model: Model) -> Model | None:
    """The model in which actions come before the changes of their steps; None if there are no such steps."""
    silent = np.array([label == TAU for label in model.labels], dtype=np.bool_)
    both: Flags = np.zeros(model.transitions, dtype=np.bool_)
    for own in model.propositions:
        # Actions themselves change whether a call is going on.
        if own.name != STABLE:
            both |= _differs(own, model)
    if len(silent):
        both &= ~silent[model.actions]
    count = int(both.sum())
    if not count:
        return None
    labels = model.labels if TAU in model.labels else (*model.labels, TAU)
    between = np.arange(model.states, model.states + count, dtype=np.int32)
    targets = model.targets.copy()
    targets[both] = between
    sources = np.concatenate([model.sources, between])
    actions = np.concatenate([model.actions, np.full(count, labels.index(TAU), dtype=np.int32)])
    targets = np.concatenate([targets, model.targets[both]])
    order = canonical_order(sources, actions, targets)
    before, after = model.sources[both], model.targets[both]
    return replace(
        model,
        states=model.states + count,
        sources=sources[order],
        actions=actions[order],
        targets=targets[order],
        labels=labels,
        propositions=tuple(_extended(own, after if own.name == STABLE else before) for own in model.propositions),
        terminal=_longer(model.terminal, count),
        unexplored=_longer(model.unexplored, count),
        state_spans=None,
        transition_spans=None,
    )


def _differs(own: Proposition, model: Model) -> Flags:
    found: Flags = own.values[model.sources] != own.values[model.targets]
    if own.defined is not None:
        found = found | (own.defined[model.sources] != own.defined[model.targets])
    return found


def _extended(own: Proposition, like: npt.NDArray[np.int32]) -> Proposition:
    defined = None if own.defined is None else np.append(own.defined, own.defined[like])
    return replace(own, values=np.append(own.values, own.values[like]), defined=defined)


def _longer(flags: Flags | None, count: int) -> Flags | None:
    return None if flags is None else np.append(flags, np.zeros(count, dtype=np.bool_))
