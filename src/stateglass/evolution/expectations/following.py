"""What follows declared steps: such states are compared, too, where both sides have one with the same values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from stateglass.evolution.expectations.applying import Applied
from stateglass.evolution.matching import agreement, joined
from stateglass.evolution.observation import Observed, between_calls, is_told_by_values, seen_states
from stateglass.graphs.adjacency import Indices
from stateglass.graphs.arrays import reached
from stateglass.model import STABLE, Model, Proposition
from stateglass.model.model import Flags
from stateglass.source import counted


@final
@dataclass(frozen=True, slots=True)
class Following:
    """The sides without declared steps, all states of theirs included, and which of these are to be compared."""

    observed: Observed
    pairs: tuple[Indices, Indices]  # states of the old and of the new side, each pair with the same values
    alone: int  # how many states have no counterpart that could be recognised

    @property
    def started(self) -> tuple[Model, Model]:
        """Models that are alike if the sides are alike from the start and from each of the pairs on."""
        sides = (self.observed.old, self.pairs[0]), (self.observed.new, self.pairs[1])
        old, new = (_started(model, np.append(model.initial, states)) for model, states in sides)
        return old, new

    @property
    def left_out(self) -> str:
        """What is not compared, in a sentence; nothing if all is."""
        if not self.alone:
            return ""
        states = f"{counted(self.alone, 'state')} {'is' if self.alone == 1 else 'are'}"
        return (
            f"{states} reached by declared steps alone, without a known counterpart on the other side: "
            "what can be done there was not compared"
        )


def following(applied: Applied, observed: Observed) -> Following | None:
    """What is to be compared besides what is reached without declared steps; None if all is reached so."""
    whole = [between_calls(model, observed.compared) for model in applied.whole]
    hidden = [seen_states(model) & ~_reached(cut) for model, cut in zip(whole, (applied.old, applied.new), strict=True)]
    if not any(flags.any() for flags in hidden):
        return None
    left, right = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    # With values that several states have, it could be any of them that is the same as one of the other side.
    if observed.compared and all(map(is_told_by_values, whole)):
        agreed = agreement(*whole)
        states = [np.flatnonzero(seen_states(model)) for model in whole]
        first, second = joined(agreed.old[states[0]], agreed.new[states[1]])
        left, right = states[0][first], states[1][second]
    paired = [np.isin(np.arange(len(flags)), side) for flags, side in zip(hidden, (left, right), strict=True)]
    wanted = hidden[0][left] | hidden[1][right]
    cut = [between_calls(model, observed.compared) for model in (applied.old, applied.new)]
    return Following(
        replace(observed, old=cut[0], new=cut[1], whole=applied.whole),
        (left[wanted], right[wanted]),
        sum(int((flags & ~found).sum()) for flags, found in zip(hidden, paired, strict=True)),
    )


def _reached(model: Model) -> Flags:
    return reached(model.first, model.targets, model.initial)


def _started(model: Model, states: Indices) -> Model:
    """The model with a new start, from which an action of its own leads to each of the states."""
    many, start = len(states), model.states
    more = np.arange(len(model.labels), len(model.labels) + many, dtype=np.int32)
    nothing = np.zeros(many, dtype=np.int32) - np.int32(1)
    return replace(
        model,
        states=start + 1,
        initial=start,
        sources=np.append(model.sources, np.full(many, start, dtype=np.int32)),
        actions=np.append(model.actions, more),
        targets=np.append(model.targets, states.astype(np.int32)),
        labels=(*model.labels, *(f"start #{number}" for number in range(many))),
        propositions=tuple(_without_value(p) for p in model.propositions),
        terminal=None if model.terminal is None else np.append(model.terminal, False),
        unexplored=None if model.unexplored is None else np.append(model.unexplored, False),
        state_spans=None if model.state_spans is None else np.append(model.state_spans, np.int32(-1)),
        transition_spans=None if model.transition_spans is None else np.append(model.transition_spans, nothing),
    )


def _without_value(proposition: Proposition) -> Proposition:
    """The proposition with one more state, in which it has no value."""
    values = np.append(proposition.values, np.zeros(1, dtype=proposition.values.dtype))
    if proposition.name == STABLE:
        return replace(proposition, values=values)
    defined = np.ones(len(values), dtype=np.bool_)
    defined[:-1] = True if proposition.defined is None else proposition.defined
    defined[-1] = False
    return replace(proposition, values=values, defined=defined)
