"""Silent steps as a graph of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Ints
from stateglass.reduce.graph import Graph
from stateglass.reduce.small import loops_for


def silent_components(sources: Ints, targets: Ints, states: int) -> tuple[Ints, int]:
    """A number for each state, the same on a cycle of these steps, and their number; steps lead to lower numbers."""
    first = np.searchsorted(sources, np.arange(states + 1)).astype(np.int32)
    zeros: npt.NDArray[np.int32] = np.zeros(states, dtype=np.int32)
    graph = Graph(first, np.zeros(len(targets), dtype=np.int32), targets.astype(np.int32), zeros, 0)
    number, count = whole(loops_for(graph).components, graph.first, graph.actions, graph.targets, graph.silent)
    return number, int(count)
