"""Loops over the product of a model and an automaton, and over parts of it; large ones run compiled.

A node of the product is a state of the model and one of the automaton: number `q * states + s`. Its steps are those of
the model whose letter the automaton can read; a state in which a run ends has one step to itself. The product is not
built: its nodes are numbered as they are met.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

OPEN = 1
AVOIDED = 2


def explored(
    first: Longs,
    actions: Ints,
    targets: Ints,
    flags: Bytes,
    state_class: Ints,
    label_class: Ints,
    grid: Ints,
    letters: int,
    begins: Ints,
    ends: Ints,
    marks: Longs,
    enabled: Longs,
    initial: int,
    all_marks: int,
    number: Ints,
    nodes: Longs,
    component: Ints,
    component_marks: Longs,
    component_enabled: Longs,
    path: Ints,
    at_step: Longs,
    at_entry: Ints,
    roots: Ints,
    root_marks: Longs,
    root_enabled: Longs,
    arc_marks: Longs,
    arc_enabled: Longs,
    live: Ints,
) -> tuple[int, int, int, int]:
    """Visits the product from its initial node and finds its components, with the marks of the steps inside each.

    Couvreur's algorithm (On-the-fly verification of linear temporal logic, 1999): one visit of each node and step.
    Stops at the first component with all of `all_marks`, unless that is negative. Returns the number of nodes, of
    components, whether it stopped, and the first node from which unexplored behaviour may go on as the automaton likes
    (-1: none). The arrays from `number` on are scratch and results; `number` is zero at first, and one more than the
    place of a node in `nodes` later.
    """
    n = len(first) - 1
    columns = grid.shape[1]
    met = 1
    found = 0
    doubt = -1
    number[initial] = 1
    nodes[0] = initial
    component[0] = -1
    path[0] = 0
    at_step[0] = -1
    at_entry[0] = 0
    depth = 1
    roots[0] = 0
    root_marks[0] = 0
    root_enabled[0] = 0
    arc_marks[0] = 0
    arc_enabled[0] = 0
    root_count = 1
    live[0] = 0
    live_count = 1
    while depth > 0:
        v = path[depth - 1]
        node = nodes[v]
        q = node // n
        s = node - q * n
        if at_step[depth - 1] < 0:
            at_step[depth - 1] = first[s]
            if flags[s] & OPEN != 0 and doubt < 0:
                cell = q * letters + grid[state_class[s], columns - 1]
                if begins[cell] < begins[cell + 1]:
                    doubt = v
        last = first[s + 1]
        stutters = first[s] == last and flags[s] & OPEN == 0
        if stutters:
            last += 1
        deeper = False
        while at_step[depth - 1] < last:
            i = at_step[depth - 1]
            if stutters:
                t = s
                cell = q * letters + grid[state_class[s], columns - 2]
            else:
                t = np.int64(targets[i])
                if flags[t] & AVOIDED != 0:
                    at_step[depth - 1] += 1
                    continue
                cell = q * letters + grid[state_class[s], label_class[actions[i]]]
            entry = begins[cell] + at_entry[depth - 1]
            if entry >= begins[cell + 1]:
                at_step[depth - 1] += 1
                at_entry[depth - 1] = 0
                continue
            at_entry[depth - 1] += 1
            other = np.int64(ends[entry]) * n + t
            w = number[other] - 1
            if w < 0:
                w = met
                met += 1
                number[other] = met
                nodes[w] = other
                component[w] = -1
                path[depth] = w
                at_step[depth] = -1
                at_entry[depth] = 0
                depth += 1
                roots[root_count] = w
                root_marks[root_count] = 0
                root_enabled[root_count] = 0
                arc_marks[root_count] = marks[entry]
                arc_enabled[root_count] = enabled[entry]
                root_count += 1
                live[live_count] = w
                live_count += 1
                deeper = True
                break
            if component[w] >= 0:
                continue
            gathered = marks[entry]
            able = enabled[entry]
            while roots[root_count - 1] > w:
                root_count -= 1
                gathered |= root_marks[root_count] | arc_marks[root_count]
                able |= root_enabled[root_count] | arc_enabled[root_count]
            root_marks[root_count - 1] |= gathered
            root_enabled[root_count - 1] |= able
            if all_marks >= 0 and root_marks[root_count - 1] & all_marks == all_marks:
                return met, found, 1, doubt
        if deeper:
            continue
        depth -= 1
        if roots[root_count - 1] == v:
            root_count -= 1
            component_marks[found] = root_marks[root_count]
            component_enabled[found] = root_enabled[root_count]
            while component[v] < 0:
                live_count -= 1
                component[live[live_count]] = found
            found += 1
    return met, found, 0, doubt


def approached(
    first: Longs,
    actions: Ints,
    targets: Ints,
    flags: Bytes,
    state_class: Ints,
    label_class: Ints,
    grid: Ints,
    letters: int,
    begins: Ints,
    ends: Ints,
    number: Ints,
    nodes: Longs,
    wanted: Bytes,
    most: int,
    parent: Ints,
    via: Longs,
    queue: Ints,
) -> int:
    """Lists nodes breadth first from the initial one, until `most` wanted ones were met; returns the list's length.

    `parent` is -1 for nodes that were not met, and `via` the step that led to each (-1: the run has ended).
    """
    n = len(first) - 1
    columns = grid.shape[1]
    parent[0] = 0
    queue[0] = 0
    head = 0
    tail = 1
    hits = np.int64(wanted[0])
    while head < tail and hits < most:
        v = queue[head]
        head += 1
        q = nodes[v] // n
        s = nodes[v] - q * n
        last = first[s + 1]
        stutters = first[s] == last and flags[s] & OPEN == 0
        if stutters:
            last += 1
        for i in range(first[s], last):
            if stutters:
                t = s
                cell = q * letters + grid[state_class[s], columns - 2]
            else:
                t = np.int64(targets[i])
                if flags[t] & AVOIDED != 0:
                    continue
                cell = q * letters + grid[state_class[s], label_class[actions[i]]]
            for entry in range(begins[cell], begins[cell + 1]):
                w = number[np.int64(ends[entry]) * n + t] - 1
                if parent[w] < 0:
                    parent[w] = v
                    via[w] = -1 if stutters else i
                    queue[tail] = w
                    tail += 1
                    hits += wanted[w]
    return tail


def induced(
    first: Longs,
    actions: Ints,
    targets: Ints,
    flags: Bytes,
    state_class: Ints,
    label_class: Ints,
    grid: Ints,
    letters: int,
    begins: Ints,
    ends: Ints,
    marks: Longs,
    enabled: Longs,
    number: Ints,
    nodes: Longs,
    members: Ints,
    place: Ints,
    size: int,
    out_first: Longs,
    out_targets: Ints,
    out_marks: Longs,
    out_enabled: Longs,
    out_steps: Longs,
) -> int:
    """The product between some nodes only, as arrays; returns how many steps it has, and no arrays if `size` is 0.

    `place` is the place of each node among the members, -1 for others.
    """
    n = len(first) - 1
    columns = grid.shape[1]
    count = 0
    for k in range(len(members)):
        q = nodes[members[k]] // n
        s = nodes[members[k]] - q * n
        last = first[s + 1]
        stutters = first[s] == last and flags[s] & OPEN == 0
        if stutters:
            last += 1
        for i in range(first[s], last):
            if stutters:
                t = s
                cell = q * letters + grid[state_class[s], columns - 2]
            else:
                t = np.int64(targets[i])
                if flags[t] & AVOIDED != 0:
                    continue
                cell = q * letters + grid[state_class[s], label_class[actions[i]]]
            for entry in range(begins[cell], begins[cell + 1]):
                w = number[np.int64(ends[entry]) * n + t] - 1
                if w < 0 or place[w] < 0:
                    continue
                if size > 0:
                    out_targets[count] = place[w]
                    out_marks[count] = marks[entry]
                    out_enabled[count] = enabled[entry]
                    out_steps[count] = -1 if stutters else i
                count += 1
        if size > 0:
            out_first[k + 1] = count
    return count
