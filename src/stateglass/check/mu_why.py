"""Why a modal formula holds or fails: a shortest run along which one thing after the other has to be shown.

From node to node of the formula and state to state of the model: of what has to be shown for all, an example; where
several things are to be shown at once, or something of all runs, the run ends and says so. What goes on for ever (a
least fixed point that fails, a greatest one that holds) is a run that repeats itself.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, final

from stateglass.check.duties import short
from stateglass.check.equations import ATOM
from stateglass.check.game_loops import AND, OR, POSSIBLE
from stateglass.check.mu import Mu
from stateglass.evidence import Path, Step
from stateglass.logic.mcrl2 import in_mcrl2
from stateglass.model.model import Flags

MOST_VERTICES: Final = 500_000
"""So many pairs of a node and a state are looked at."""

Vertex = tuple[int, int]  # a node and a state
Move = tuple["Vertex", int | None]  # where to, and by which transition


@final
@dataclass(frozen=True, slots=True)
class Play:
    """A run, and what is to be said of its end."""

    path: Path
    words: str = ""
    complete: bool = True  # nothing more is to be shown where it ends


def path_of_play(mu: Mu, *, holds: bool, sure: bool, avoiding: frozenset[int]) -> Play | None:
    """A run that shows the formula to hold or to fail; None if there is none that is short and simple enough."""
    values = mu.values(certain=holds is sure)
    return None if values is None else Plays(mu, values, holds, holds is sure, avoiding).play()


def end_words(formula: str, holds: bool, path: Path) -> str:
    """A sentence on what is so where a run ends."""
    where = "Where it ends" if path.steps else "In the initial state"
    return f"{where}, `{formula}` {'holds' if holds else 'does not hold'}."


@final
class Plays:
    """The plays of whoever shows a formula to hold, or to fail."""

    def __init__(self, mu: Mu, values: dict[int, Flags], holds: bool, certain: bool, avoiding: frozenset[int]) -> None:
        self._model = mu.model
        self.start: Vertex = (mu.equations.root, mu.model.initial)
        self._nodes = mu.equations.nodes
        self._said = mu.equations.said
        self._values = values
        self._holds = holds
        self._avoiding = avoiding - {mu.model.initial}
        self._rows = {
            number: mu.row(node.step, possible=node.kind == POSSIBLE, certain=certain)
            for number, node in enumerate(self._nodes)
            if node.step is not None
        }

    def play(self) -> Play | None:
        start = self.start
        came: dict[Vertex, tuple[Vertex, int | None] | None] = {start: None}
        distance = {start: 0}
        done: set[Vertex] = set()
        work: deque[Vertex] = deque([start])
        while work and len(came) < MOST_VERTICES:
            vertex = work.popleft()
            if vertex in done:
                continue
            done.add(vertex)
            moves = self._moves(vertex)
            if moves is None:
                return self._told(vertex, came)
            for after, transition in moves:
                length = distance[vertex] + (transition is not None)
                if length < distance.get(after, length + 1):
                    came[after], distance[after] = (vertex, transition), length
                    # Steps of the formula cost nothing: they are taken first, so that runs are shortest.
                    if transition is None:
                        work.appendleft(after)
                    else:
                        work.append(after)
        if work:
            return None
        return self._endless(start)

    def _is_shown(self, node: int, state: int) -> bool:
        return bool(self._values[node][state]) is self._holds

    def _moves(self, vertex: Vertex) -> list[Move] | None:
        """Where the one who shows may go on; None if the vertex says all that can be shown."""
        kind = self._nodes[vertex[0]].kind
        if kind == ATOM:
            return None
        one_suffices, moves = self.moves(vertex)
        if one_suffices:
            return moves if moves or self._avoiding else None
        if kind not in (OR, AND):
            return None
        # All of them are so; what an atom says is seen in the state.
        more = [move for move in moves if self._nodes[move[0][0]].kind != ATOM]
        return more if len(more) == 1 else None

    def moves(self, vertex: Vertex) -> tuple[bool, list[Move]]:
        """What shows a vertex that is no atom: whether one of these does, or all are needed."""
        number, state = vertex
        node = self._nodes[number]
        mine = node.kind % 2 == (0 if self._holds else 1)
        if node.kind in (OR, AND):
            inner: list[Move] = [((child, state), None) for child in node.children]
            one_suffices = mine or len(inner) == 1
        else:
            model, row = self._model, self._rows[number]
            steps = range(int(model.first[state]), int(model.first[state + 1]))
            taken = (i for i in steps if row[model.actions[i]])
            inner = [((node.children[0], int(model.targets[i])), i) for i in taken]
            one_suffices = mine
        if one_suffices:
            inner = [move for move in inner if self._is_shown(*move[0]) and not self._is_avoided(move)]
        return one_suffices, inner

    def _is_avoided(self, move: Move) -> bool:
        return move[1] is not None and move[0][1] in self._avoiding

    @property
    def endless_is_right(self) -> bool:
        """Whether all fixed points have the sign that makes what goes on for ever right."""
        return all(node.least in (None, not self._holds) for node in self._nodes)

    def _told(self, vertex: Vertex, came: dict[Vertex, tuple[Vertex, int | None] | None]) -> Play:
        steps = self._steps(vertex, came)
        path = Path(self._model.initial, tuple(map(self.step, steps)))
        if self._nodes[vertex[0]].kind == ATOM:
            return Play(path)
        # What no step could change needs no more to be shown.
        return Play(path, self._end_words(vertex, path), complete=not self.moves(vertex)[1])

    def _end_words(self, vertex: Vertex, path: Path) -> str:
        said = self._said(vertex[0])
        return "" if said is None else end_words(short(in_mcrl2(said[0])), self._holds is not said[1], path)

    def _steps(self, vertex: Vertex, came: dict[Vertex, tuple[Vertex, int | None] | None]) -> list[int]:
        steps: list[int] = []
        before = came[vertex]
        while before is not None:
            vertex, transition = before
            steps += [] if transition is None else [transition]
            before = came[vertex]
        return steps[::-1]

    def step(self, transition: int) -> Step:
        model = self._model
        source, target = int(model.sources[transition]), int(model.targets[transition])
        return Step(source, target, model.labels[model.actions[transition]])

    def _endless(self, start: Vertex) -> Play | None:
        """A play that repeats itself, if all fixed points on it have the sign that makes it right."""
        if not self.endless_is_right:
            return None
        at: dict[Vertex, int] = {}
        taken: list[int] = []
        vertex = start
        while vertex not in at:
            at[vertex] = len(taken)
            moves = self._moves(vertex)
            if not moves:
                return None
            vertex, transition = moves[0]
            taken += [] if transition is None else [transition]
        loop = at[vertex]
        if loop == len(taken):
            return None
        return Play(Path(self._model.initial, tuple(map(self.step, taken)), loop))
