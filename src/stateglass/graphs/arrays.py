"""Graphs as arrays: the edges of node n lead to `targets[first[n]:first[n + 1]]`. Large ones go through compiled loops.

A mask says which edges are used; without one all are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from stateglass.compiled.interrupts import whole
from stateglass.graphs import lists

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.integer]
_Item = TypeVar("_Item")

MOST_PLAIN: Final = 20_000
"""So many nodes and edges are gone through as lists long before compiled loops are loaded."""


def components(first: Numbers, targets: Numbers, used: Flags | None = None) -> tuple[Ints, int]:
    """The strongly connected component of each node, and their number; edges lead to equal or lower numbers. Linear."""
    if _is_small(first, targets):
        found = lists.components(_successors(first, targets, used))
        return np.array(found, dtype=np.int32), max(found, default=-1) + 1
    from stateglass.graphs import kernels

    component, count = whole(kernels.components, *_fixed(first, targets), _bytes(used, len(targets)))
    return component, int(count)


def on_cycles(first: Numbers, targets: Numbers, used: Flags | None = None) -> Flags:
    """The nodes that lie on cycles. Linear."""
    component, count = components(first, targets, used)
    sources = np.repeat(np.arange(len(first) - 1), np.diff(first))
    loops = sources == targets
    found: Flags = np.bincount(component, minlength=count)[component] > 1
    found[sources[loops if used is None else loops & used]] = True
    return found


def reached(first: Numbers, targets: Numbers, start: int) -> Flags:
    """The nodes that can be reached from one, itself included. Linear."""
    if _is_small(first, targets):
        found: Flags = np.zeros(len(first) - 1, dtype=np.bool_)
        found[lists.postorder(_successors(first, targets, None), start)] = True
        return found
    from stateglass.graphs import kernels

    seen: Flags = whole(kernels.reached, *_fixed(first, targets), start) != 0
    return seen


def way(first: Numbers, targets: Numbers, start: int, wanted: Flags, used: Flags | None = None) -> Longs:
    """The edges of a shortest way that ends with a wanted edge, none if there is none; first come, first taken."""
    if _is_small(first, targets):
        return np.array(_plain_way(first, targets, start, wanted, used), dtype=np.int64)
    from stateglass.graphs import kernels

    count = len(targets)
    found: Longs = whole(kernels.way, *_fixed(first, targets), _bytes(used, count), start, _bytes(wanted, count))
    return found


def _plain_way(first: Numbers, targets: Numbers, start: int, wanted: Flags, used: Flags | None) -> list[int]:
    """Looks at no more of the graph than it has to: whoever goes round asks again and again."""
    came: dict[int, tuple[int, int]] = {start: (start, -1)}  # the node before, and the edge from there
    queue = [start]
    for node in queue:
        begin, end = int(first[node]), int(first[node + 1])
        flags = wanted[begin:end].tolist()
        uses = None if used is None else used[begin:end].tolist()
        for place, target in enumerate(targets[begin:end].tolist()):
            if uses is not None and not uses[place]:
                continue
            if flags[place]:
                edges = [begin + place]
                at = node
                while at != start:
                    at, edge = came[at]
                    edges.append(edge)
                return edges[::-1]
            if target not in came:
                came[target] = (node, begin + place)
                queue.append(target)
    return []


def _is_small(first: Numbers, targets: Numbers) -> bool:
    return len(first) + len(targets) <= MOST_PLAIN


def _successors(first: Numbers, targets: Numbers, used: Flags | None) -> list[list[int]]:
    if used is None:
        return _rows(targets.tolist(), first.tolist())
    before = np.zeros(len(targets) + 1, dtype=np.int64)
    np.cumsum(used, out=before[1:])
    return _rows(targets[used].tolist(), before[first].tolist())


def _rows(items: list[_Item], bounds: list[int]) -> list[list[_Item]]:
    return [items[begin:end] for begin, end in pairwise(bounds)]


def _fixed(first: Numbers, targets: Numbers) -> tuple[Longs, Ints]:
    return _read_only(first, np.int64), _read_only(targets, np.int32)


def _bytes(flags: Flags | None, count: int) -> npt.NDArray[np.uint8]:
    return _read_only(np.ones(count, dtype=np.bool_) if flags is None else flags, np.bool_).view(np.uint8)


def _read_only(array: npt.NDArray[Any], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Always the same kind of array: loops are compiled again for another one, a writeable one for instance."""
    view = np.ascontiguousarray(array, dtype=dtype).view()
    view.flags.writeable = False
    return view
