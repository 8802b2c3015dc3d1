"""Loops over the product of a model and an automaton, and over parts of it; large ones run compiled.

A node of the product is a state of the model and one of the automaton: number `q * states + s`. Its steps are those of
the model whose letter the automaton can read; a state in which a run ends has one step to itself. The product is not
built: its nodes are numbered as they are met.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

OPEN = 1
AVOIDED = 2


class Rules(NamedTuple):
    """Which steps a product has: those of a model, and what an automaton does with the letter of each."""

    first: Longs
    actions: Ints
    targets: Ints
    flags: Bytes
    state_class: Ints
    label_class: Ints
    grid: Ints
    letters: int
    begins: Ints
    ends: Ints
    marks: Longs
    enabled: Longs


class Visited(NamedTuple):
    """What a visit leaves behind: nodes in the order in which they were met, and their components.

    `number` is zero for what was not met, and one more than its place in `nodes` for what was.
    """

    number: Ints
    nodes: Longs
    component: Ints
    component_marks: Longs
    component_enabled: Longs


class Stacks(NamedTuple):
    """Where a visit is: on its way, with the roots of components that are not known to be complete.

    `path` is the depth-first search itself, with the next step and entry of the automaton for each node on it. `roots`
    are the nodes at which the components under construction began; beside each stand the marks of the steps inside its
    component (`root_`) and of the step that entered it (`arc_`). `live` has all nodes whose component is not complete,
    in the order in which they were met.
    """

    path: Ints
    at_step: Longs
    at_entry: Ints
    roots: Ints
    root_marks: Longs
    root_enabled: Longs
    arc_marks: Longs
    arc_enabled: Longs
    live: Ints


def explored(rules: Rules, visited: Visited, stacks: Stacks, initial: int, all_marks: int) -> tuple[int, int, int, int]:
    """Visits the product from its initial node and finds its components, with the marks of the steps inside each.

    Couvreur's algorithm (On-the-fly verification of linear temporal logic, 1999): one visit of each node and step.
    Stops at the first component with all of `all_marks`, unless that is negative. Returns the number of nodes, of
    components, whether it stopped, and the first node from which unexplored behaviour may go on as the automaton likes
    (-1: none).
    """
    first, actions, targets, flags, state_class, label_class, grid, letters, begins, ends, marks, enabled = rules
    number, nodes, component, _, _ = visited
    path, at_step, at_entry, _, root_marks, _, _, _, _ = stacks
    n = len(first) - 1
    columns = grid.shape[1]
    found = 0
    doubt = -1
    entered(visited, stacks, initial, 0, 0, 0, 0, 0, 0)
    met = depth = root_count = live_count = 1
    while depth > 0:
        v = path[depth - 1]
        q = nodes[v] // n
        s = nodes[v] - q * n
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
                entered(visited, stacks, other, met, depth, root_count, live_count, marks[entry], enabled[entry])
                met += 1
                depth += 1
                root_count += 1
                live_count += 1
                deeper = True
                break
            if component[w] < 0:
                root_count = joined(stacks, root_count, w, marks[entry], enabled[entry])
                if all_marks >= 0 and root_marks[root_count - 1] & all_marks == all_marks:
                    return met, found, 1, doubt
        if not deeper:
            depth -= 1
            if stacks.roots[root_count - 1] == v:
                root_count -= 1
                live_count = completed(visited, stacks, v, root_count, live_count, found)
                found += 1
    return met, found, 0, doubt


def entered(
    visited: Visited,
    stacks: Stacks,
    node: int,
    place: int,
    depth: int,
    root_count: int,
    live_count: int,
    marks: int,
    enabled: int,
) -> None:
    """Puts a node that is met, by a step with these marks, on all stacks: a component of its own as yet."""
    visited.number[node] = place + 1
    visited.nodes[place] = node
    visited.component[place] = -1
    stacks.path[depth] = place
    stacks.at_step[depth] = -1
    stacks.at_entry[depth] = 0
    stacks.roots[root_count] = place
    stacks.root_marks[root_count] = 0
    stacks.root_enabled[root_count] = 0
    stacks.arc_marks[root_count] = marks
    stacks.arc_enabled[root_count] = enabled
    stacks.live[live_count] = place


def joined(stacks: Stacks, root_count: int, place: int, marks: int, enabled: int) -> int:
    """Makes one component of all from a node that is met again on, and returns how many roots are left."""
    _, _, _, roots, root_marks, root_enabled, arc_marks, arc_enabled, _ = stacks
    # The step closes a cycle through the roots above: their components, and the steps between them, belong to it.
    while roots[root_count - 1] > place:
        root_count -= 1
        marks |= root_marks[root_count] | arc_marks[root_count]
        enabled |= root_enabled[root_count] | arc_enabled[root_count]
    root_marks[root_count - 1] |= marks
    root_enabled[root_count - 1] |= enabled
    return root_count


def completed(visited: Visited, stacks: Stacks, root: int, root_count: int, live_count: int, found: int) -> int:
    """Numbers a component that is complete, and returns how many nodes are in none yet."""
    visited.component_marks[found] = stacks.root_marks[root_count]
    visited.component_enabled[found] = stacks.root_enabled[root_count]
    while visited.component[root] < 0:
        live_count -= 1
        visited.component[stacks.live[live_count]] = found
    return live_count


def approached(rules: Rules, visited: Visited, wanted: Bytes, most: int, parent: Ints, via: Longs, queue: Ints) -> int:
    """Lists nodes breadth first from the initial one, until `most` wanted ones were met; returns the list's length.

    `parent` is -1 for nodes that were not met, and `via` the step that led to each (-1: the run has ended).
    """
    first, actions, targets, flags, state_class, label_class, grid, letters, begins, ends, _, _ = rules
    number, nodes, _, _, _ = visited
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


class Steps(NamedTuple):
    """The steps of some nodes; `first` is where those of each begin."""

    first: Longs
    targets: Ints
    marks: Longs
    enabled: Longs
    steps: Longs


def induced(rules: Rules, visited: Visited, members: Ints, place: Ints, size: int, out: Steps) -> int:
    """The product between some nodes only, in `out`; returns how many steps it has, and writes none if `size` is 0.

    `place` is the place of each node among the members, -1 for others.
    """
    first, actions, targets, flags, state_class, label_class, grid, letters, begins, ends, marks, enabled = rules
    number, nodes, _, _, _ = visited
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
                    out.targets[count] = place[w]
                    out.marks[count] = marks[entry]
                    out.enabled[count] = enabled[entry]
                    out.steps[count] = -1 if stutters else i
                count += 1
        if size > 0:
            out.first[k + 1] = count
    return count
