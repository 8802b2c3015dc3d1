"""The graph without its silent cycles."""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Bytes, Ints


@kernel
def contracted(
    first: Ints, actions: Ints, targets: Ints, silent: int, component: Ints, count: int, loop: int
) -> tuple[Ints, Ints, Ints, Bytes]:
    """The graph of the components without silent steps inside them, and which components had such steps.

    With `loop` >= 0, those get a transition to themselves with this action.
    """
    n = len(first) - 1
    begins = np.zeros(count + 1, dtype=np.int32)
    endless = np.zeros(count, dtype=np.uint8)
    for s in range(n):
        c = component[s]
        for i in range(first[s], first[s + 1]):
            if actions[i] == silent and component[targets[i]] == c:
                if endless[c] == 0 and loop >= 0:
                    begins[c + 1] += 1
                endless[c] = 1
            else:
                begins[c + 1] += 1
    for c in range(count):
        begins[c + 1] += begins[c]
    labels = np.empty(begins[count], dtype=np.int32)
    ends = np.empty(begins[count], dtype=np.int32)
    free = begins[:-1].copy()
    if loop >= 0:
        for c in range(count):
            if endless[c] != 0:
                labels[free[c]] = loop
                ends[free[c]] = c
                free[c] += 1
    for s in range(n):
        c = component[s]
        for i in range(first[s], first[s + 1]):
            d = component[targets[i]]
            if actions[i] != silent or d != c:
                labels[free[c]] = actions[i]
                ends[free[c]] = d
                free[c] += 1
    return begins, labels, ends, endless
