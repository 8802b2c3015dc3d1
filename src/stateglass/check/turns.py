"""At which steps values change: a predicate becomes true or false, a proposition gets another value.

What is seen is the state before a step and the one after it. In an abstraction a value may be one of several, and may
have changed or not.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
import numpy.typing as npt

from stateglass.check.names import Names
from stateglass.check.positions import Positions
from stateglass.check.predicates import predicate_truth
from stateglass.check.truth import Truth
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import Turn, Turns
from stateglass.model import Model, Proposition
from stateglass.model.model import Flags, Ints
from stateglass.relate.patterns import Pattern
from stateglass.source import Code, input_error, suggestion


def turn_truth(turns: Turns, positions: Positions) -> Truth:
    """The positions whose step makes the change."""
    if turns.turn is Turn.CHANGES:
        assert isinstance(turns.predicate, Named)
        changing = [_changed(own, positions) for own in propositions_meant(turns.predicate, positions.model)]
        found = changing[0]
        for other in changing[1:]:
            found = found.or_else(other)
        return found
    truth = positions.of_states(predicate_truth(turns.predicate, positions.model, turns.span))
    before, after = _at(truth, positions.sources), _at(truth, positions.targets)
    match turns.turn:
        case Turn.RISES:
            return before.negated().and_also(after)
        case Turn.FALLS:
            return before.and_also(after.negated())
        case _:
            assert_never(turns.turn)


def _at(truth: Truth, states: Ints) -> Truth:
    must = truth.must[states]
    return Truth(must, must if truth.is_known else truth.may[states])


def propositions_meant(named: Named, model: Model) -> tuple[Proposition, ...]:
    """Those that a name or pattern means; there is at least one, else it is a mistake."""
    pattern = Pattern.of(named.name)
    found = tuple(own for own in model.propositions if pattern.matches(own.name))
    if not found:
        known = [own.name for own in model.propositions]
        message = f"the model has no proposition `{named.name}`"
        raise input_error(Code.UNKNOWN_NAME, message, named.span, help=suggestion(named.name, known))
    return found


def _changed(own: Proposition, positions: Positions) -> Truth:
    model = positions.model
    numbers = _numbers(own)
    if positions.states > model.states:
        numbers = np.append(numbers, -1)
    differs: Flags = numbers[positions.sources] != numbers[positions.targets]
    vague = _vague_states(own, model)
    if positions.states == model.states and not vague.any():
        return Truth.known(differs)
    if positions.states > model.states:
        vague = np.append(vague, True)
    unsure = vague[positions.sources] | vague[positions.targets]
    return Truth(differs & ~unsure, differs | unsure)


def _numbers(own: Proposition) -> npt.NDArray[np.int64]:
    """A number for each state, the same for the same value; what has no value has one of its own."""
    # As bits: 0.0 and -0.0 are equal, but not the same value.
    _, numbers = np.unique(np.ascontiguousarray(own.values).view(np.int64), return_inverse=True)
    found: npt.NDArray[np.int64] = numbers.astype(np.int64) + 1
    return found if own.defined is None else np.where(own.defined, found, 0)


def _vague_states(own: Proposition, model: Model) -> Flags:
    if not Names(model).is_vague(own.name):
        return np.zeros(model.states, dtype=np.bool_)
    from stateglass.values.abstract.texts import is_vague

    texts = dict(own.names)
    _, firsts, numbers = np.unique(own.values, return_index=True, return_inverse=True)
    each: Flags = np.array(
        [is_vague(texts.get(int(own.values[first]), "?")) for first in firsts.tolist()], dtype=np.bool_
    )
    found: Flags = each[numbers]
    return found
