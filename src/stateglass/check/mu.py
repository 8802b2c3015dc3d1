"""Where a formula of the modal mu-calculus holds in a model, alternation included.

The nodes of the formula are taken component by component. Fixed points of one sign in a component are one attractor,
which takes time linear in component times model (Cleaveland and Steffen, A linear-time model-checking algorithm for the
alternation-free modal mu-calculus, 1993); where signs alternate, the component is a parity game and solved as such
(Zielonka, Infinite games on finitely coloured graphs, 1998; exponential in the alternation depth alone). Truth has two
sides.
"""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import Final, assert_never, final

import numpy as np
import numpy.typing as npt

from stateglass.check import game_loops, positions
from stateglass.check.equations import ATOM, Atom, Equations
from stateglass.check.game_loops import AND, OR, POSSIBLE
from stateglass.check.games import Game, solved
from stateglass.check.labels import labels_of
from stateglass.check.predicates import predicate_truth, states_with
from stateglass.check.truth import Truth, open_states
from stateglass.compiled.interrupts import whole
from stateglass.graphs.arrays import components
from stateglass.logic.modal import Constant, Ended, Equals, Formula, Holds
from stateglass.logic.steps import Action
from stateglass.model import Model, Relation
from stateglass.model.model import Flags, Ints
from stateglass.source import Code, input_error, suggestion
from stateglass.work import Progress, silent

MOST_KEPT: Final = 1 << 29
"""Bytes: as long as the truth of all nodes takes no more, it is looked at to see why a formula holds or fails."""

_NO_ROW: Final = -1  # of a node that is no modality


def evaluate(formula: Formula, model: Model, progress: Progress = silent) -> Truth:
    """The truth of a formula in every state. Parts that are shared are evaluated once."""
    return Mu(formula, model, progress).truth


def truth_at_start(formula: Formula, model: Model, progress: Progress = silent) -> bool | None:
    """Whether the formula holds in the initial state; None if that depends on what is not known."""
    return evaluate(formula, model, progress).at(model.initial)


@final
class Mu:
    """A formula on one model."""

    def __init__(self, formula: Formula, model: Model, progress: Progress = silent) -> None:
        self.model = model
        self._progress = progress
        self.equations = Equations(formula)
        self._open = open_states(model)
        self._abstract = model.origin.relation is Relation.OVER
        nodes = self.equations.nodes
        self._labels: dict[int, Truth] = {}
        for node in nodes:
            if node.step is not None and id(node.step) not in self._labels:
                self._labels[id(node.step)] = labels_of(node.step, model)
        self._atoms = [None if node.atom is None else self._atom(node.atom, node.negated) for node in nodes]
        self._order, self._begins = self._components()
        self._kept: dict[bool, dict[int, Flags] | None] = {}

    @cached_property
    def truth(self) -> Truth:
        must = self._root(certain=True)
        steps_known = all(labels.is_known for labels in self._labels.values())
        atoms_known = all(atom is None or atom.is_known for atom in self._atoms)
        if steps_known and atoms_known and not self._abstract and not self._open.any():
            # Both sides are the same, and so are all nodes on them.
            self._kept[False] = self._kept[True]
            return Truth.known(must)
        return Truth(must, self._root(certain=False))

    def values(self, *, certain: bool) -> dict[int, Flags] | None:
        """Where each node holds for certain, or may; None if that was too much to be kept."""
        if certain not in self._kept:
            _ = self.truth
        return self._kept[certain]

    def _root(self, *, certain: bool) -> Flags:
        keep = len(self.equations.nodes) * self.model.states <= MOST_KEPT
        values = self._side(certain=certain, keep=keep)
        self._kept[certain] = values if keep else None
        return values[self.equations.root]

    @cached_property
    def loops(self) -> ModuleType:
        size = (self.model.states + self.model.transitions) * len(self.equations.nodes)
        if size <= positions.MOST_PLAIN:
            return game_loops
        from stateglass.check.kernels import compiled

        return compiled

    @cached_property
    def incoming(self) -> tuple[npt.NDArray[np.int64], Ints]:
        from stateglass.check import loops

        source: ModuleType = loops if self.loops is game_loops else self.loops
        first, edges, _ = whole(source.incoming, self.model.sources, self.model.targets, self.model.states)
        return first, edges

    def _atom(self, atom: Atom, negated: bool) -> Truth:
        model = self.model
        match atom:
            case Constant():
                truth = Truth.known(np.full(model.states, atom.value, dtype=np.bool_))
            case Ended():
                none: Flags = np.zeros(model.states, dtype=np.bool_)
                truth = Truth.known(none if model.terminal is None else model.terminal)
            case Equals():
                named = [p for p in model.propositions if p.name == atom.proposition]
                if not named:
                    known = [p.name for p in model.propositions]
                    message = f"the model has no proposition `{atom.proposition}`"
                    raise input_error(Code.UNKNOWN_NAME, message, help=suggestion(atom.proposition, known))
                truth = Truth.known(states_with(named[0], atom.text))
            case Holds():
                truth = predicate_truth(atom.predicate, model, atom.span)
            case _:
                assert_never(atom)
        return truth.negated() if negated else truth

    def _components(self) -> tuple[Ints, Ints]:
        """The nodes component by component, children first, and where each component begins.

        A component is a fixed point with all that its variable goes through; all others are single nodes.
        """
        nodes = self.equations.nodes
        counts = np.array([len(node.children) for node in nodes], dtype=np.int64)
        first = np.zeros(len(nodes) + 1, dtype=np.int32)
        np.cumsum(counts, out=first[1:])
        targets = np.array([child for node in nodes for child in node.children], dtype=np.int32)
        component, found = components(first, targets)
        order = np.argsort(component, kind="stable").astype(np.int32)
        begins = np.searchsorted(component[order], np.arange(found + 1)).astype(np.int32)
        return order, begins

    def row(self, step: Action, *, possible: bool, certain: bool) -> Flags:
        """The labels of the steps that count, when it is asked what certainly holds, or what may."""
        return self._row(step, possible, certain)

    def _side(self, *, certain: bool, keep: bool) -> dict[int, Flags]:
        """Where the formula, and all its nodes if they are to be kept, hold for certain, or where they may."""
        nodes = self.equations.nodes
        uses = np.zeros(len(nodes), dtype=np.int64)
        for node in nodes:
            for child in node.children:
                uses[child] += 1
        uses[self.equations.root] += 1
        # What nobody needs any more is dropped, or a long formula on a large model would not fit into memory.
        if keep:
            uses += 1
        values: dict[int, Flags] = {}
        for number in range(len(self._begins) - 1):
            self._progress("evaluating a formula", operators=number)
            block = self._order[self._begins[number] : self._begins[number + 1]].tolist()
            if len(block) == 1 and block[0] not in nodes[block[0]].children:
                values[block[0]] = self._plain(block[0], values, certain)
            else:
                self._solve(block, values, certain)
            for node in block:
                for child in nodes[node].children:
                    uses[child] -= 1
                    if not uses[child]:
                        del values[child]
        return values

    def _plain(self, number: int, values: dict[int, Flags], certain: bool) -> Flags:
        """A node that no fixed point goes through."""
        node = self.equations.nodes[number]
        if node.kind == ATOM:
            atom = self._atoms[number]
            assert atom is not None
            return atom.must if certain else atom.may
        inner = [values[child] for child in node.children]
        empty: Flags = np.full(self.model.states, node.kind == AND, dtype=np.bool_)
        if node.kind == OR:
            either: Flags = np.logical_or.reduce([empty, *inner])
            return either
        if node.kind == AND:
            both: Flags = np.logical_and.reduce([empty, *inner])
            return both
        assert node.step is not None
        model = self.model
        possible = node.kind == POSSIBLE
        row = self._row(node.step, possible, certain)
        wanted = inner[0] if possible else ~inner[0]
        found: Flags = np.zeros(model.states, dtype=np.bool_)
        if model.transitions:
            found[model.sources[row[model.actions] & wanted[model.targets]]] = True
        forced = self._forced(possible, certain)
        flags = found if possible else ~found
        return flags if forced is None else np.where(forced[0], forced[1], flags)

    def _row(self, step: Action, possible: bool, certain: bool) -> Flags:
        """The labels of the steps that count.

        In an abstraction a label may be meant or not. That a step is possible is certain only if its label certainly is
        meant; that something is necessary is certain only if it holds after every step whose label may be meant.
        """
        labels = self._labels[id(step)]
        return labels.must if possible is certain else labels.may

    def _forced(self, possible: bool, certain: bool) -> tuple[Flags, bool] | None:
        """Where a modality has a value, and which, whatever the known transitions say; None: nowhere.

        In states that were not fully explored any step may be missing; in an abstraction any step may be one too many.
        """
        if possible is not certain:
            # What may be possible is so where transitions are unknown; in an abstraction, what must be possible never.
            return (self._open, not certain) if self._open.any() else None
        if self._abstract:
            return np.ones(self.model.states, dtype=np.bool_), not certain
        return None

    def _solve(self, block: list[int], values: dict[int, Flags], certain: bool) -> None:
        """Evaluates a component with fixed points as a game; what lies outside of it is known and decides vertices."""
        local = {node: number for number, node in enumerate(block)}
        nodes = [self.equations.nodes[node] for node in block]
        states = self.model.states
        true: Flags = np.zeros((len(block), states), dtype=np.bool_)
        false: Flags = np.zeros((len(block), states), dtype=np.bool_)
        rows: list[Flags] = []
        row_of: dict[tuple[int, bool], int] = {}
        steps = np.full(len(block), _NO_ROW, dtype=np.int32)
        for number, node in enumerate(nodes):
            for child in node.children:
                if child not in local:
                    if node.kind == OR:
                        true[number] |= values[child]
                    else:
                        false[number] |= ~values[child]
            if node.step is not None:
                possible = node.kind == POSSIBLE
                key = (id(node.step), possible)
                if key not in row_of:
                    row_of[key] = len(rows)
                    rows.append(self._row(node.step, possible, certain))
                steps[number] = row_of[key]
                forced = self._forced(possible, certain)
                if forced is not None:
                    (true if forced[1] else false)[number] = forced[0]
        game = Game(
            self.model,
            self.incoming,
            self.loops,
            np.array([node.kind for node in nodes], dtype=np.int32),
            [[local[child] for child in node.children if child in local] for node in nodes],
            steps,
            np.array(rows, dtype=np.uint8).reshape(len(rows), len(self.model.labels)),
            true,
            false,
        )
        found = solved(game, self._priorities(block, local), self._progress)
        for number, owner in enumerate(block):
            values[owner] = found[number]

    def _priorities(self, block: list[int], local: dict[int, int]) -> list[int]:
        """Of each node: odd for a least fixed point, even for a greatest, the higher the farther outside; else 0.

        From the inside out, each gets the lowest number of its parity that is not below those inside it: so only true
        alternation costs priorities, and with them time.
        """
        nodes = self.equations.nodes
        depth: dict[int, int] = {}
        for node in block:
            chain = []
            at = node if nodes[node].least is not None else -1
            while at in local and at not in depth:
                chain.append(at)
                at = nodes[at].outer
            for outer in reversed(chain):
                depth[outer] = depth.get(nodes[outer].outer, 0) + 1
        lowest = dict.fromkeys(depth, 1)
        priorities = [0] * len(block)
        for node in sorted(depth, key=lambda n: (-depth[n], n)):
            least = nodes[node].least
            priority = lowest[node] + ((lowest[node] % 2 == 1) is not least)
            priorities[local[node]] = priority
            outer = nodes[node].outer
            if outer in lowest:
                lowest[outer] = max(lowest[outer], priority)
        return priorities
