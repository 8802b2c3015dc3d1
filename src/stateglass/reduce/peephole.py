"""Peephole reduction: a state whose only transition is silent, and no loop, goes away.

C Wolf's reduction. What is left is divergence-preserving branching bisimilar to the original: of a cycle of such states
one is left, with a silent loop.
"""

from __future__ import annotations

import numpy as np

from stateglass.compiled.interrupts import whole
from stateglass.model.model import Flags
from stateglass.reduce.graph import Graph, Partition
from stateglass.reduce.small import loops_for
from stateglass.work import Progress, silent


def peephole_partition(graph: Graph, unexplored: Flags | None = None, progress: Progress = silent) -> Partition:
    """Classes of states that are skipped and the one that stands for them.

    A step that shows, because the colour changes, is not skipped, and neither is an unexplored state: it may have more
    transitions than those that are known.
    """
    progress("skipping", states=graph.states)
    fixed = np.zeros(graph.states, dtype=np.uint8) if unexplored is None else unexplored.astype(np.uint8)
    component, count = graph.silent_components()
    order = np.argsort(component, kind="stable").astype(np.int32)
    begins = np.searchsorted(component[order], np.arange(count + 1)).astype(np.int32)
    skipped = loops_for(graph).skipped
    stand_in = whole(skipped, graph.first, graph.actions, graph.targets, graph.silent, fixed, order, begins)
    endless = np.zeros(graph.states, dtype=np.uint8)
    # The quotient keeps silent steps between what is one state now only where there was such a loop.
    inert = (graph.actions == graph.silent) & (stand_in[graph.sources] == stand_in[graph.targets])
    left = inert & (stand_in[graph.sources] == graph.sources)
    endless[graph.sources[left]] = 1
    return Partition.of(stand_in, endless)
