"""Which states are equivalent: the way from a model and an equivalence to a partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from stateglass.model import Model
from stateglass.model.model import Flags, Ints
from stateglass.reduce.colours import colours
from stateglass.reduce.equivalence import Equivalence
from stateglass.reduce.graph import Graph, Partition, graph_of
from stateglass.reduce.peephole import peephole_partition
from stateglass.reduce.small import small_partition
from stateglass.reduce.weak import weak_partition
from stateglass.work import Progress, silent


def partition(model: Model, equivalence: Equivalence, keep: Sequence[str] = (), progress: Progress = silent) -> Ints:
    """The class of each state, numbered in the order of their first states; traces have no classes of states."""
    graph = graph_of(model, colours(model, keep), silence=equivalence is not Equivalence.STRONG)
    return graph_partition(graph, equivalence, model.unexplored, progress).classes


def graph_partition(
    graph: Graph, equivalence: Equivalence, unexplored: Flags | None, progress: Progress = silent
) -> Partition:
    """As `partition`, for a graph; for strong bisimulation it has no silent steps."""
    match equivalence:
        case Equivalence.STRONG:
            return strong(graph, progress)
        case Equivalence.BRANCHING | Equivalence.DPBRANCHING:
            return branching(graph, equivalence is Equivalence.DPBRANCHING, progress)
        case Equivalence.WEAK | Equivalence.DPWEAK:
            fine = branching(graph, equivalence is Equivalence.DPWEAK, progress)
            return weak_partition(graph, fine, strong, progress)
        case Equivalence.PEEPHOLE:
            return peephole_partition(graph, unexplored, progress)
        case Equivalence.TRACE | Equivalence.WEAKTRACE:
            raise ValueError(f"{equivalence.value} equivalence relates models, it does not put states into classes")
        case _:
            assert_never(equivalence)


def strong(graph: Graph, progress: Progress) -> Partition:
    found = small_partition(graph)
    if found is None:
        # Only what needs compiled loops waits for them to be loaded.
        from stateglass.reduce.large import strong_partition

        found = strong_partition(graph, progress)
    return found


def branching(graph: Graph, divergence: bool, progress: Progress) -> Partition:
    if graph.silent < 0:
        return strong(graph, progress)
    found = small_partition(graph, divergence=divergence)
    if found is None:
        from stateglass.reduce.branching import branching_partition

        found = branching_partition(graph, divergence=divergence, progress=progress)
    return found
