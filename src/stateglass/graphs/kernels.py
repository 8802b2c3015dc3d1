"""Loops over the arrays of large graphs, compiled; imported only when a graph is large."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from stateglass.compiled import kernels_of

_kernel = kernels_of("graphs", (Path(__file__),))

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@_kernel
def components(first: Longs, targets: Ints, used: Bytes) -> tuple[Ints, int]:
    """What `lists.components` finds, by the edges that are used."""
    n = len(first) - 1
    component = np.full(n, -1, dtype=np.int32)
    index = np.zeros(n, dtype=np.int32)  # 0: not met yet
    low = np.zeros(n, dtype=np.int32)
    cursor = first[:-1].copy()
    path = np.empty(n, dtype=np.int32)
    waiting = np.empty(n, dtype=np.int32)
    met = 0
    found = 0
    waits = 0
    for root in range(n):
        if index[root] != 0:
            continue
        path[0] = root
        depth = 1
        while depth > 0:
            s = path[depth - 1]
            if index[s] == 0:
                met += 1
                index[s] = met
                low[s] = met
                waiting[waits] = s
                waits += 1
            deeper = False
            while cursor[s] < first[s + 1]:
                i = cursor[s]
                cursor[s] += 1
                if used[i] == 0:
                    continue
                t = targets[i]
                if index[t] == 0:
                    path[depth] = t
                    depth += 1
                    deeper = True
                    break
                if component[t] < 0 and index[t] < low[s]:
                    low[s] = index[t]
            if deeper:
                continue
            depth -= 1
            if depth > 0 and low[s] < low[path[depth - 1]]:
                low[path[depth - 1]] = low[s]
            if low[s] == index[s]:
                while component[s] < 0:
                    waits -= 1
                    component[waiting[waits]] = found
                found += 1
    return component, found


@_kernel
def reached(first: Longs, targets: Ints, start: int) -> Bytes:
    """Which nodes can be reached from one, itself included."""
    seen = np.zeros(len(first) - 1, dtype=np.uint8)
    waiting = np.empty(len(first) - 1, dtype=np.int32)
    seen[start] = 1
    waiting[0] = start
    waits = 1
    while waits > 0:
        waits -= 1
        s = waiting[waits]
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            if seen[t] == 0:
                seen[t] = 1
                waiting[waits] = t
                waits += 1
    return seen


@_kernel
def way(first: Longs, targets: Ints, used: Bytes, start: int, wanted: Bytes) -> Longs:
    """What `arrays.way` finds."""
    n = len(first) - 1
    came = np.full(n, -1, dtype=np.int64)
    before = np.full(n, -1, dtype=np.int32)
    waiting = np.empty(n, dtype=np.int32)
    before[start] = start
    waiting[0] = start
    waits = 1
    done = 0
    last = np.int64(-1)
    while done < waits and last < 0:
        s = waiting[done]
        done += 1
        for i in range(first[s], first[s + 1]):
            if used[i] == 0:
                continue
            if wanted[i] != 0:
                last = np.int64(i)
                break
            t = targets[i]
            if before[t] < 0:
                before[t] = s
                came[t] = i
                waiting[waits] = t
                waits += 1
    if last < 0:
        return np.zeros(0, dtype=np.int64)
    length = 1
    at = waiting[done - 1]
    while at != start:
        length += 1
        at = before[at]
    edges = np.empty(length, dtype=np.int64)
    edges[length - 1] = last
    at = waiting[done - 1]
    while at != start:
        length -= 1
        edges[length - 1] = came[at]
        at = before[at]
    return edges
