"""Models that are parts of others: some of their states, some of their transitions, all in the same order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stateglass.model.model import Flags, Model


def with_transitions(model: Model, chosen: Flags) -> Model:
    """Only these transitions; the states and labels stay."""
    return replace(
        model,
        sources=model.sources[chosen],
        actions=model.actions[chosen],
        targets=model.targets[chosen],
        transition_spans=None if model.transition_spans is None else model.transition_spans[chosen],
    )


def with_states(model: Model, kept: Flags) -> Model:
    """Only these states, of which the initial one is one, and the transitions between them."""
    assert kept[model.initial]
    number = (np.cumsum(kept) - 1).astype(np.int32)
    fewer = with_transitions(model, kept[model.sources] & kept[model.targets])
    return replace(
        fewer,
        states=int(kept.sum()),
        initial=int(number[model.initial]),
        sources=number[fewer.sources],
        targets=number[fewer.targets],
        propositions=tuple(
            replace(p, values=p.values[kept], defined=None if p.defined is None else p.defined[kept])
            for p in model.propositions
        ),
        terminal=None if model.terminal is None else model.terminal[kept],
        unexplored=None if model.unexplored is None else model.unexplored[kept],
        state_spans=None if model.state_spans is None else model.state_spans[kept],
    )
