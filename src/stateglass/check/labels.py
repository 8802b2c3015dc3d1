"""The labels that a step of a modal formula is about."""

from __future__ import annotations

from functools import reduce
from typing import assert_never

import numpy as np

from stateglass.check.events import label_meant, labels_meant
from stateglass.check.truth import Truth
from stateglass.logic.steps import Action, AndStep, AnyStep, Do, Like, NotStep, OrStep
from stateglass.model import Model


def labels_of(action: Action, model: Model) -> Truth:
    """Label by label, whether a step with it is meant; in an abstraction it may be meant or not."""
    done: dict[int, Truth] = {}
    work: list[tuple[Action, bool]] = [(action, False)]
    while work:
        node, ready = work.pop()
        inner = _inner(node)
        if ready:
            done[id(node)] = _truth(node, [done[id(part)] for part in inner], model)
        elif id(node) not in done:
            work.append((node, True))
            work += ((part, False) for part in inner)
    return done[id(action)]


def _inner(action: Action) -> tuple[Action, ...]:
    match action:
        case Do() | Like() | AnyStep():
            return ()
        case NotStep():
            return (action.inner,)
        case AndStep() | OrStep():
            return action.inner
        case _:
            assert_never(action)


def _truth(action: Action, inner: list[Truth], model: Model) -> Truth:
    count = len(model.labels)
    match action:
        case Do():
            # A formula that tells two models apart speaks of labels that one of them may not have.
            return label_meant(action.label, model)
        case Like():
            return labels_meant(action.pattern, model)
        case AnyStep():
            return Truth.known(np.full(count, action.value, dtype=np.bool_))
        case NotStep():
            return inner[0].negated()
        case AndStep():
            return reduce(Truth.and_also, inner, Truth.known(np.ones(count, dtype=np.bool_)))
        case OrStep():
            return reduce(Truth.or_else, inner, Truth.known(np.zeros(count, dtype=np.bool_)))
        case _:
            assert_never(action)
