"""Loops that small graphs run as they stand and large ones compiled, by way of `kernels/compiled.py`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


def skipped(first: Ints, actions: Ints, targets: Ints, silent: int, fixed: Bytes, order: Ints, begins: Ints) -> Ints:
    """For each state the one that stands for it when states with a single step, a silent one, are skipped.

    `order` lists the states component by component of the silent steps, silent steps leading backward, and `begins`
    where each component begins: so all that a state could be skipped for is decided before the state is, except in
    a cycle. `fixed` states are not skipped. Within a cycle a round is repeated as long as it skips something: quadratic
    in the cycle at worst, linear in everything else.
    """
    stand_in = np.arange(len(first) - 1).astype(np.int32)
    for c in range(len(begins) - 1):
        changed = True
        while changed:
            changed = False
            # Highest numbers first: of a cycle, the state with the lowest number is left.
            for k in range(begins[c + 1] - 1, begins[c] - 1, -1):
                s = order[k]
                if fixed[s] != 0 or stand_in[s] != s or first[s] == first[s + 1]:
                    continue
                only = -1
                for i in range(first[s], first[s + 1]):
                    t = targets[i]
                    while stand_in[t] != t:
                        t = stand_in[t]
                    if actions[i] != silent or t == s or (only >= 0 and only != t):
                        only = -2
                        break
                    only = t
                if only >= 0:
                    stand_in[s] = only
                    changed = begins[c + 1] - begins[c] > 1
        for k in range(begins[c], begins[c + 1]):
            t = order[k]
            while stand_in[t] != t:
                t = stand_in[t]
            stand_in[order[k]] = t
    return stand_in


def closed(
    first: Ints, targets: Ints, shows: Bytes, starts: Ints, mark: Ints, stamp: int, waiting: Ints, out: Ints
) -> tuple[int, int]:
    """Lists the states that `shows` marks among those that can be reached from `starts`, ascending.

    `mark` is `stamp` for states that were met. Returns the length of the list, and how many states were met.
    """
    found = 0
    met = 0
    ascending = True
    for k in range(len(starts)):
        if mark[starts[k]] == stamp:
            continue
        mark[starts[k]] = stamp
        met += 1
        waiting[0] = starts[k]
        waits = 1
        while waits > 0:
            waits -= 1
            s = waiting[waits]
            if shows[s] != 0:
                ascending = ascending and (found == 0 or out[found - 1] < s)
                out[found] = s
                found += 1
            for i in range(first[s], first[s + 1]):
                t = targets[i]
                if mark[t] != stamp:
                    mark[t] = stamp
                    met += 1
                    waiting[waits] = t
                    waits += 1
    if not ascending:
        out[:found] = out[:found][np.argsort(out[:found], kind="mergesort")]
    return found, met


def silently_reached(
    first: Ints, actions: Ints, targets: Ints, silent: int, start: int, mark: Ints, begins: Longs, items: Ints
) -> int:
    """Lists the states that each state from `start` on reaches by silent steps, itself included, ascending.

    Silent steps lead to lower numbers. Stops where `items` is full; returns the state to go on with.
    """
    for s in range(start, len(first) - 1):
        # What its silent steps lead to has lower numbers, and complete lists: their union is the list of this state.
        at = begins[s]
        if at >= len(items):
            return s
        items[at] = s
        at += 1
        for i in range(first[s], first[s + 1]):
            if actions[i] != silent:
                continue
            t = targets[i]
            for k in range(begins[t], begins[t + 1]):
                u = items[k]
                if mark[u] != s:
                    if at >= len(items):
                        # Marks of this attempt must not be taken for those of the next one.
                        for j in range(begins[s], at):
                            mark[items[j]] = -1
                        return s
                    mark[u] = s
                    items[at] = u
                    at += 1
        order = np.argsort(items[begins[s] : at], kind="mergesort")
        items[begins[s] : at] = items[begins[s] : at][order]
        begins[s + 1] = at
    return len(first) - 1


def visibly_reached(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    closure_begins: Longs,
    closure: Ints,
    start: int,
    scratch: Longs,
    begins: Longs,
    items: Longs,
) -> tuple[int, int]:
    """Lists the weak steps of each state from `start` on, `action << 32 | target`, ascending: silent steps, a visible
    one, silent steps.

    Stops where `scratch` or `items` is too short; returns the state to go on with and the length that is needed.
    """
    for s in range(start, len(first) - 1):
        # After a silent step, the weak steps of its target; after a visible one, whatever silent steps reach from
        # there.
        need = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            need += begins[t + 1] - begins[t] if actions[i] == silent else closure_begins[t + 1] - closure_begins[t]
        if need > len(scratch) or begins[s] + need > len(items):
            return s, need
        length = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            if actions[i] == silent:
                for k in range(begins[t], begins[t + 1]):
                    scratch[length] = items[k]
                    length += 1
            else:
                for k in range(closure_begins[t], closure_begins[t + 1]):
                    scratch[length] = (np.int64(actions[i]) << 32) | np.int64(closure[k])
                    length += 1
        scratch[:length] = scratch[:length][np.argsort(scratch[:length], kind="mergesort")]
        at = begins[s]
        for k in range(length):
            if k == 0 or scratch[k] != scratch[k - 1]:
                items[at] = scratch[k]
                at += 1
        begins[s + 1] = at
    return len(first) - 1, 0


def needed(
    first: Ints,
    actions: Ints,
    targets: Ints,
    silent: int,
    closure_begins: Longs,
    closure: Ints,
    begins: Longs,
    items: Longs,
    scratch: Longs,
    start: int,
    out: Bytes,
) -> tuple[int, int]:
    """Marks the transitions that are not weak steps by way of others; silent steps lead to lower numbers.

    Stops where `scratch` is too short; returns the state to go on with and the length that is needed.
    """
    for s in range(start, len(first) - 1):
        need = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            need += closure_begins[t + 1] - closure_begins[t]
            if actions[i] == silent:
                need += begins[t + 1] - begins[t]
        if need > len(scratch):
            return s, need
        # All weak steps that take more than one transition: a transition that is among them is not needed.
        length = 0
        for i in range(first[s], first[s + 1]):
            t = targets[i]
            for k in range(closure_begins[t], closure_begins[t + 1]):
                if closure[k] != t:
                    scratch[length] = (np.int64(actions[i]) << 32) | np.int64(closure[k])
                    length += 1
            if actions[i] == silent:
                for k in range(begins[t], begins[t + 1]):
                    scratch[length] = items[k]
                    length += 1
        scratch[:length] = scratch[:length][np.argsort(scratch[:length], kind="mergesort")]
        for i in range(first[s], first[s + 1]):
            key = (np.int64(actions[i]) << 32) | np.int64(targets[i])
            low = 0
            high = length
            while low < high:
                middle = (low + high) // 2
                if scratch[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            out[i] = 0 if low < length and scratch[low] == key else 1
    return len(first) - 1, 0
