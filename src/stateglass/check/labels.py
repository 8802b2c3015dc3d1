"""The labels that a step of a modal formula is about."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar, assert_never

import numpy as np

from stateglass.check.events import label_meant, labels_meant, matcher
from stateglass.check.truth import Truth
from stateglass.logic.steps import Action, AndStep, AnyStep, Do, Like, NotStep, OrStep
from stateglass.model import TAU, Model

_Found = TypeVar("_Found")


def labels_of(action: Action, model: Model) -> Truth:
    """Label by label, whether a step with it is meant; in an abstraction it may be meant or not."""
    return _inside_out(action, lambda node, inner: _truth(node, inner, model))


def is_silent(action: Action) -> bool:
    """Whether a silent step is such a step, whatever the model."""
    return _inside_out(action, _means_silence)


def _inside_out(action: Action, found: Callable[[Action, list[_Found]], _Found]) -> _Found:
    """The labels that a step means, from those that its parts mean."""
    done: dict[int, _Found] = {}
    work: list[tuple[Action, bool]] = [(action, False)]
    while work:
        node, ready = work.pop()
        inner = _inner(node)
        if ready:
            done[id(node)] = found(node, [done[id(part)] for part in inner])
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


def _means_silence(action: Action, inner: list[bool]) -> bool:
    match action:
        case Do():
            return action.label == TAU
        case Like():
            return matcher(action.pattern)(TAU)
        case AnyStep():
            return action.value
        case NotStep():
            return not inner[0]
        case AndStep():
            return all(inner)
        case OrStep():
            return any(inner)
        case _:
            assert_never(action)
