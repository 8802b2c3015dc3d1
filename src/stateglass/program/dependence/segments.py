"""A function cut into segments: straight runs of nodes.

A call that may end the program ends a segment, since what stands behind it depends on whether it does. (The segments of
`explore` are cut for another purpose: there they end where control may rest.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from stateglass.program.dependence.graphs import control_dependence, reached, with_end
from stateglass.program.nodes import Call, Statement, Terminator, successors
from stateglass.program.program import Function


@final
@dataclass(frozen=True, slots=True)
class Segments:
    """The nodes of a function in textual order, and its segments as ranges of them.

    `decided_by` has for each segment those that decide whether it is run. Numbers above those of segments stand for
    loops that are never left.
    """

    nodes: tuple[Statement | Terminator, ...]
    runs: tuple[range, ...]
    successors: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]  # those that are reached, each after one that leads to it
    decided_by: tuple[tuple[int, ...], ...]


def cut(function: Function, may_end: Callable[[Call], bool]) -> Segments:
    nodes: list[Statement | Terminator] = []
    runs: list[range] = []
    ways: list[tuple[int, ...]] = []
    starts: list[int] = []
    for number, block in enumerate(function.blocks):
        starts.append(len(runs))
        start = len(nodes)
        for statement in block.statements:
            nodes.append(statement)
            if isinstance(statement, Call) and may_end(statement):
                runs.append(range(start, len(nodes)))
                ways.append((-1,))
                start = len(nodes)
        nodes.append(block.terminator)
        runs.append(range(start, len(nodes)))
        ways.append(successors(function.blocks[number].terminator))
    # One more segment, without nodes, stands for the end of the program inside a call.
    over = len(runs)
    following = [(n + 1, over) if way == (-1,) else tuple(starts[b] for b in way) for n, way in enumerate(ways)]
    following.append(())
    graph = with_end(following)
    return Segments(
        tuple(nodes), tuple(runs), tuple(following), tuple(reached(following, 0)), tuple(control_dependence(graph))
    )
