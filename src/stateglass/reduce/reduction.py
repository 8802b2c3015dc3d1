"""From a model to a smaller one that is equivalent, and what became of its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.arrays import reached
from stateglass.model import TAU, Model, Proposition
from stateglass.model.model import Flags, Ints
from stateglass.model.parts import with_states
from stateglass.reduce.colours import colours, kept_propositions
from stateglass.reduce.equivalence import Equivalence
from stateglass.reduce.graph import Graph, Partition, first_states, graph_of
from stateglass.reduce.partition import branching, graph_partition, strong
from stateglass.reduce.quotient import Quotient, quotient
from stateglass.reduce.traces import MOST_SETS, determinised, deterministic
from stateglass.reduce.weak import without_redundant
from stateglass.work import Progress, silent

UNREACHABLE = -1
"""The class of a state that cannot be reached: it is gone."""


@final
@dataclass(frozen=True)
class Reduction:
    """A reduced model; `classes` takes each state of the original to its state there, or to UNREACHABLE.

    By traces there are no such classes, `no_classes` says why. `dropped` names the propositions whose values differ
    within a class.
    """

    model: Model
    classes: Ints | None
    no_classes: str = ""
    dropped: tuple[str, ...] = ()

    @cached_property
    def members(self) -> tuple[Ints, ...]:
        """The states of the original that each state stands for."""
        if self.classes is None:
            return ()
        order = np.argsort(self.classes, kind="stable").astype(np.int32)
        cuts = np.searchsorted(self.classes[order], np.arange(self.model.states + 1))
        return tuple(order[begin:end] for begin, end in pairwise(cuts))


def reduce(
    model: Model,
    equivalence: Equivalence,
    keep: Sequence[str] = (),
    progress: Progress = silent,
    most_states: int = MOST_SETS,
) -> Reduction:
    """The least model that is equivalent (peephole: a smaller one); states that cannot be reached are gone.

    `most_states` bounds the deterministic models that trace equivalences need.
    """
    if equivalence in (Equivalence.TRACE, Equivalence.WEAKTRACE):
        return _by_traces(model, equivalence, keep, progress, most_states)
    graph = graph_of(model, colours(model, keep), silence=equivalence is not Equivalence.STRONG)
    partition = graph_partition(graph, equivalence, model.unexplored, progress)
    found = quotient(graph, partition)
    if equivalence in (Equivalence.WEAK, Equivalence.DPWEAK):
        found = without_redundant(found, partition.endless, progress)
    dropped: tuple[str, ...] = ()
    if found.graph is graph:
        whole = model
    else:
        firsts = first_states(partition.classes, partition.count)
        kept, dropped = _common(model, partition, firsts, keep)
        whole = _model(model, found, firsts, int(partition.classes[model.initial]), kept)
    reduced, numbers = _reachable(whole, found.graph)
    return Reduction(_with_history(reduced, model, equivalence, keep), numbers[partition.classes], dropped=dropped)


def _by_traces(
    model: Model, equivalence: Equivalence, keep: Sequence[str], progress: Progress, most_states: int
) -> Reduction:
    kept = kept_propositions(model, keep)
    colour = colours(model, keep)
    graph = graph_of(model, colour, silence=equivalence is Equivalence.WEAKTRACE)
    # States that are bisimilar have the same traces, and fewer states make fewer sets.
    fine = branching(graph, False, progress)
    small = quotient(graph, fine).graph
    initial = int(fine.classes[model.initial])
    if not deterministic(small):
        small = determinised(small, initial, progress, most_states)
        initial = 0
    least = strong(small, progress)
    found = quotient(small, least)
    # Any state of the colour shows what all of them have in common.
    example = first_states(colour, int(colour.max()) + 1)
    firsts = example[found.graph.colours]
    bare = replace(model, state_spans=None, transition_spans=None, spans=())
    whole = _model(bare, found, firsts, int(least.classes[initial]), tuple(_taken(p, firsts) for p in kept))
    reduced, _ = _reachable(whole, found.graph)
    reason = "a state of this model stands for a set of states that one trace can lead to, and sets overlap"
    dropped = tuple(p.name for p in model.propositions if p.name not in keep)
    return Reduction(_with_history(reduced, model, equivalence, keep), None, reason, dropped)


def _model(model: Model, found: Quotient, firsts: Ints, initial: int, propositions: tuple[Proposition, ...]) -> Model:
    graph = found.graph
    labels, actions = model.labels, graph.actions
    if len(actions) and int(actions.max()) == len(labels):
        # Steps that show only by the colour they lead to are called tau again; each still sorts where tau does.
        return _resorted(model, found, firsts, initial, propositions)
    spans = model.transition_spans
    return Model(
        states=graph.states,
        initial=initial,
        sources=graph.sources,
        actions=actions,
        targets=graph.targets,
        labels=labels,
        propositions=propositions,
        terminal=_flags(model.terminal, firsts),
        unexplored=_flags(model.unexplored, firsts),
        spans=model.spans,
        state_spans=None if model.state_spans is None else model.state_spans[firsts],
        transition_spans=None if spans is None else spans[found.origins],
        origin=model.origin,
    )


def _resorted(
    model: Model, found: Quotient, firsts: Ints, initial: int, propositions: tuple[Proposition, ...]
) -> Model:
    graph = found.graph
    tau = np.int32(model.labels.index(TAU))
    actions = np.where(graph.actions == len(model.labels), tau, graph.actions)
    order = np.lexsort((graph.targets, actions, graph.sources))
    turned = Graph(graph.first, actions[order], graph.targets[order], graph.colours, graph.silent)
    return _model(model, Quotient(turned, found.origins[order]), firsts, initial, propositions)


def _reachable(model: Model, graph: Graph) -> tuple[Model, Ints]:
    """The part that can be reached, and the new number of each state or UNREACHABLE."""
    seen = reached(graph.first, graph.targets, model.initial)
    numbers = np.where(seen, np.cumsum(seen) - 1, UNREACHABLE).astype(np.int32)
    if seen.all():
        return model, numbers
    return with_states(model, seen), numbers


def _common(
    model: Model, partition: Partition, firsts: Ints, keep: Sequence[str]
) -> tuple[tuple[Proposition, ...], tuple[str, ...]]:
    """The propositions that have one value within each class, and the names of the others."""
    common: list[Proposition] = []
    dropped: list[str] = []
    for proposition in model.propositions:
        taken = _taken(proposition, firsts)
        if proposition.name in keep or _same(proposition, taken, partition.classes):
            common.append(taken)
        else:
            dropped.append(proposition.name)
    return tuple(common), tuple(dropped)


def _same(proposition: Proposition, taken: Proposition, classes: Ints) -> bool:
    values, spread = proposition.values, taken.values[classes]
    same = (values == spread) | ((values != values) & (spread != spread))
    if proposition.defined is not None and taken.defined is not None:
        there = taken.defined[classes]
        same = (proposition.defined == there) & (same | ~there)
    return bool(same.all())


def _taken(proposition: Proposition, states: npt.NDArray[Any]) -> Proposition:
    defined = None if proposition.defined is None else proposition.defined[states]
    return replace(proposition, values=proposition.values[states], defined=defined)


def _flags(flags: Flags | None, states: npt.NDArray[Any]) -> Flags | None:
    taken = None if flags is None else flags[states]
    return taken if taken is not None and taken.any() else None


def _with_history(reduced: Model, model: Model, equivalence: Equivalence, keep: Sequence[str]) -> Model:
    """The reduced model with a line in its history that says what was done."""
    kept = f", keeping {', '.join(dict.fromkeys(keep))}" if keep else ""
    line = f"reduced by {equivalence.value}{kept}: {model.states} to {reduced.states} states"
    origin = replace(model.origin, history=(*model.origin.history, line))
    return replace(reduced, origin=origin)
