"""The transitions between classes."""

from __future__ import annotations

import numpy as np

from stateglass.reduce.kernels import kernel
from stateglass.reduce.kernels.keys import Bytes, Ints, Longs


@kernel
def between(
    first: Ints, actions: Ints, targets: Ints, classes: Ints, count: int, chosen: Bytes, silent: int, loops: Bytes
) -> tuple[Ints, Ints, Ints, Ints]:
    """The transitions of the chosen states as transitions between classes, by (class, action, class), each once.

    Silent ones within a class are left out, except where `loops`. Returns where the transitions of each class begin,
    actions, targets, and of each one transition it comes from; linear but for sorting within a class.
    """
    # Counted first, so that the arrays are made once; large models would not fit with a list for each class.
    begins = np.zeros(count + 1, dtype=np.int32)
    for s in range(len(classes)):
        if chosen[s] != 0:
            c = classes[s]
            for i in range(first[s], first[s + 1]):
                if actions[i] != silent or classes[targets[i]] != c or loops[c] != 0:
                    begins[c + 1] += 1
    widest = 0
    for c in range(count):
        widest = max(widest, begins[c + 1])
        begins[c + 1] += begins[c]
    origin = np.empty(begins[count], dtype=np.int32)
    free = begins[:-1].copy()
    for s in range(len(classes)):
        if chosen[s] != 0:
            c = classes[s]
            for i in range(first[s], first[s + 1]):
                if actions[i] != silent or classes[targets[i]] != c or loops[c] != 0:
                    origin[free[c]] = i
                    free[c] += 1
    keys = np.empty(widest, dtype=np.int64)
    order = np.empty(widest, dtype=np.int32)
    labels = np.empty(begins[count], dtype=np.int32)
    ends = np.empty(begins[count], dtype=np.int32)
    at = 0
    begin = 0
    for c in range(count):
        end = begins[c + 1]
        length = end - begin
        for k in range(length):
            i = origin[begin + k]
            keys[k] = (np.int64(actions[i]) << 32) | np.int64(classes[targets[i]])
        _sorted(keys, order, length)
        # What is left is written over what was read: `at` never overtakes `begin`.
        start = at
        for k in range(length):
            order[k] = origin[begin + order[k]]
        for k in range(length):
            i = order[k]
            label = actions[i]
            target = classes[targets[i]]
            if at == start or labels[at - 1] != label or ends[at - 1] != target:
                labels[at] = label
                ends[at] = target
                origin[at] = i
                at += 1
        begin = end
        begins[c + 1] = at
    return begins, labels[:at].copy(), ends[:at].copy(), origin[:at].copy()


@kernel
def _sorted(keys: Longs, order: Ints, length: int) -> None:
    """Fills in the order of the keys, equal ones as they stand."""
    if length > 24:
        order[:length] = np.argsort(keys[:length], kind="mergesort")
        return
    for k in range(length):
        j = k - 1
        while j >= 0 and keys[order[j]] > keys[k]:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = k
