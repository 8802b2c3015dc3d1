"""Which nodes of a large graph lie on cycles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stateglass.formats.kernels import kernel


@kernel
def on_cycles(first: npt.NDArray[np.int64], targets: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """A flag per node; edges of node n lead to `targets[first[n]:first[n + 1]]`.

    Tarjan: Depth-first search and linear graph algorithms, 1972, with a stack of its own; linear.
    """
    nodes = len(first) - 1
    found = np.zeros(nodes, dtype=np.bool_)
    index = np.zeros(nodes, dtype=np.int32)  # 0: not met yet
    low = np.zeros(nodes, dtype=np.int32)
    done = np.zeros(nodes, dtype=np.bool_)
    cursor = first[:-1].copy()
    path = np.empty(nodes, dtype=np.int32)
    waiting = np.empty(nodes, dtype=np.int32)
    met = 0
    waits = 0
    for root in range(nodes):
        if index[root] != 0 or first[root] == first[root + 1]:
            continue
        path[0] = root
        depth = 1
        while depth > 0:
            node = path[depth - 1]
            if index[node] == 0:
                met += 1
                index[node] = met
                low[node] = met
                waiting[waits] = node
                waits += 1
            deeper = False
            while cursor[node] < first[node + 1]:
                target = targets[cursor[node]]
                cursor[node] += 1
                if target == node:
                    found[node] = True
                elif index[target] == 0:
                    path[depth] = target
                    depth += 1
                    deeper = True
                    break
                elif not done[target] and index[target] < low[node]:
                    low[node] = index[target]
            if deeper:
                continue
            depth -= 1
            if depth > 0 and low[node] < low[path[depth - 1]]:
                low[path[depth - 1]] = low[node]
            if low[node] == index[node]:
                several = waiting[waits - 1] != node
                while True:
                    waits -= 1
                    member = waiting[waits]
                    done[member] = True
                    if several:
                        found[member] = True
                    if member == node:
                        break
    return found
