"""Why a modal formula holds or fails where one run does not show it: a graph, with all steps that have to be heeded.

Of what one step or part shows, the graph has one; of what takes all of them, it has all, so that each node says what
the nodes show that it leads to. Proofs that come to an end are looked for first, the flattest of them; one that goes on
for ever is right only if the fixed points of the formula allow that, whichever way is taken then. Linear in the
vertices that are looked at.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.check.duties import short
from stateglass.check.equations import ATOM
from stateglass.check.mu import Mu
from stateglass.check.mu_why import Move, Plays, Vertex, end_words
from stateglass.evidence import Graph, Node, Path, Step
from stateglass.logic.mcrl2 import in_mcrl2

MOST_LOOKED_AT: Final = 20_000
"""So many pairs of a node and a state are looked at."""
MOST_NODES: Final = 40
"""A larger graph is no help to anybody: what is left is said, not shown."""


@final
@dataclass(slots=True)
class _Arena:
    """The vertices that may be needed: whether one move shows each, and which moves there are."""

    moves: dict[Vertex, tuple[bool, list[Move]]] = field(default_factory=dict)
    height: dict[Vertex, int] = field(default_factory=dict)  # of the flattest proof that comes to an end


def proof_of(mu: Mu, *, holds: bool) -> tuple[Path | Graph, str] | None:
    """A graph that shows a formula to hold or to fail, or a path if that is what it is, and words for it.

    None if there is none that is simple enough.
    """
    values = mu.values(certain=holds)
    if values is None:
        return None
    plays = Plays(mu, values, holds, holds, frozenset())
    arena = _arena(mu, plays)
    if arena is None or (plays.start not in arena.height and not plays.endless_is_right):
        return None
    drawing = _Drawing(mu, plays, arena, holds)
    graph, whole = drawing.graph()
    if whole and all(len(node.steps) <= 1 for node in graph.nodes):
        return _as_path(graph)
    return graph, "" if whole else "Nodes without steps are said, not shown, where the graph would be too large."


def _arena(mu: Mu, plays: Plays) -> _Arena | None:
    """All that can be needed from the start on, with the heights of proofs."""
    arena = _Arena()
    users: dict[Vertex, list[Vertex]] = {}
    work = [plays.start]
    while work:
        vertex = work.pop()
        if vertex in arena.moves:
            continue
        if len(arena.moves) == MOST_LOOKED_AT:
            return None
        is_atom = mu.equations.nodes[vertex[0]].kind == ATOM
        arena.moves[vertex] = (False, []) if is_atom else plays.moves(vertex)
        for after, _ in arena.moves[vertex][1]:
            users.setdefault(after, []).append(vertex)
            work.append(after)
    missing = {v: len({after for after, _ in moves}) for v, (one, moves) in arena.moves.items() if not one}
    ready = deque(v for v, count in missing.items() if not count)
    for vertex in ready:
        arena.height[vertex] = 0
    # Heights are met in their order, so that the last of several is the highest, and the first the lowest.
    while ready:
        vertex = ready.popleft()
        for user in dict.fromkeys(users.get(vertex, ())):
            if user in arena.height:
                continue
            missing[user] = missing.get(user, 1) - 1
            if not missing[user]:
                arena.height[user] = arena.height[vertex] + 1
                ready.append(user)
    return arena


def _as_path(graph: Graph) -> tuple[Path, str]:
    """A graph in which each node leads to one other at most."""
    steps: list[Step] = []
    at: dict[int, int] = {}
    number = 0
    while number not in at:
        at[number] = len(steps)
        if not graph.nodes[number].steps:
            node = graph.nodes[number]
            path = Path(graph.nodes[0].state, tuple(steps))
            return path, end_words(node.formula, node.holds, path)
        step, number = graph.nodes[number].steps[0]
        steps += [step] if step.action else []
    return Path(graph.nodes[0].state, tuple(steps), at[number] if at[number] < len(steps) else None), ""


@final
class _Drawing:
    """The part of an arena that is shown."""

    def __init__(self, mu: Mu, plays: Plays, arena: _Arena, holds: bool) -> None:
        self._equations = mu.equations
        self._plays = plays
        self._arena = arena
        self._holds = holds

    def graph(self) -> tuple[Graph, bool]:
        """The graph, and whether all of it is there."""
        start = self._narrowed(self._plays.start)
        numbers = {start: 0}
        order = [start]
        edges: list[tuple[tuple[Step, int], ...]] = []
        whole = True
        while len(edges) < len(order):
            leading = self._leading(order[len(edges)])
            new = list(dict.fromkeys(after for after, _ in leading if after not in numbers))
            if len(order) + len(new) > MOST_NODES:
                edges.append(())
                whole = False
                continue
            for after in new:
                numbers[after] = len(order)
                order.append(after)
            edges.append(tuple((self._plays.step(taken), numbers[after]) for after, taken in leading))
        return Graph(tuple(self._node(v, steps) for v, steps in zip(order, edges, strict=True))), whole

    def _node(self, vertex: Vertex, steps: tuple[tuple[Step, int], ...]) -> Node:
        said = self._equations.said(vertex[0])
        assert said is not None, "only what says something is shown"
        formula, denied = said
        return Node(vertex[1], short(in_mcrl2(formula)), self._holds is not denied, steps)

    def _leading(self, vertex: Vertex) -> list[tuple[Vertex, int]]:
        """The steps that show a vertex, and what they lead to; what an atom says is seen in the state."""
        found: dict[tuple[Vertex, int], None] = {}
        met: set[Vertex] = set()
        work = [vertex]
        while work:
            part = work.pop()
            if part in met:
                continue
            met.add(part)
            for after, taken in self._chosen(part):
                if taken is None:
                    work.append(after)
                else:
                    found[self._narrowed(after), taken] = None
        return sorted(found, key=lambda move: (move[1], move[0]))

    def _narrowed(self, vertex: Vertex) -> Vertex:
        """The part that a vertex comes down to, as long as there is only one."""
        met, shown = {vertex}, vertex
        while len(chosen := self._chosen(vertex)) == 1 and chosen[0][1] is None and chosen[0][0] not in met:
            vertex = chosen[0][0]
            met.add(vertex)
            if self._equations.speaks_for_itself(vertex[0]):
                shown = vertex
        return shown

    def _chosen(self, vertex: Vertex) -> list[Move]:
        """What shows a vertex: all that is needed, or the best of what suffices."""
        one_suffices, moves = self._arena.moves[vertex]
        if not one_suffices:
            return moves
        height = self._arena.height
        return [min(moves, key=lambda move: height.get(move[0], len(height)))] if moves else []
