"""From a partition to the graph of its classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce import small
from stateglass.reduce.graph import Graph, Partition, first_states


@final
@dataclass(frozen=True)
class Quotient:
    """A graph of classes; `origins` has for each transition one of the old graph that it stands for."""

    graph: Graph
    origins: Ints


def quotient(graph: Graph, partition: Partition) -> Quotient:
    """Transitions between classes, sorted, each once; silence within a class only where it can go on for ever."""
    count = partition.count
    if count == graph.states and graph.ordered and graph.silent < 0:
        # Classes are numbered by their first states, so that each state is its own class under its own number.
        return Quotient(graph, np.arange(len(graph.actions), dtype=np.int32))
    firsts = first_states(partition.classes, count)
    chosen = np.ones(graph.states, dtype=np.uint8)
    if graph.silent < 0:
        # Every state of a class has the same transitions to classes: one of them is enough.
        chosen[:] = 0
        chosen[firsts] = 1
    colours = graph.colours[firsts]
    if graph.size <= small.MOST_PLAIN:
        first, actions, targets, origins = _between(graph, partition, chosen)
    else:
        from stateglass.reduce.kernels.quotient import between

        first, actions, targets, origins = whole(
            between,
            graph.first,
            graph.actions,
            graph.targets,
            partition.classes,
            count,
            chosen,
            graph.silent,
            partition.endless,
        )
    return Quotient(Graph(first, actions, targets, colours, graph.silent), origins)


def _between(graph: Graph, partition: Partition, chosen: npt.NDArray[np.uint8]) -> tuple[Ints, Ints, Ints, Ints]:
    classes = partition.classes
    sources, targets = classes[graph.sources], classes[graph.targets]
    inert = (graph.actions == graph.silent) & (sources == targets) & (partition.endless[sources] == 0)
    origins = np.flatnonzero(~inert & (chosen[graph.sources] != 0))
    rows = np.stack([sources[origins], graph.actions[origins], targets[origins]])
    rows, index = np.unique(rows, axis=1, return_index=True)
    first = np.searchsorted(rows[0], np.arange(partition.count + 1)).astype(np.int32)
    return first, rows[1].copy(), rows[2].copy(), origins[index].astype(np.int32)
