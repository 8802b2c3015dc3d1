"""Modal formulas as a graph of nodes: negations pushed to the atoms, regular modalities turned into fixed points.

`<R*>f` is `mu X. f || <R>X`, `[R*]f` is `nu X. f && [R]X` (Emerson and Lei, Efficient model checking in fragments of
the propositional mu-calculus, 1986). What a variable stands for is an edge back to its fixed point. Nothing recurses,
however deep a formula is; the graph is as large as the formula.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, assert_never, final

from stateglass.check.game_loops import AND, NECESSARY, OR, POSSIBLE
from stateglass.logic.modal import (
    And,
    Constant,
    Ended,
    Equals,
    FixedPoint,
    Forever,
    Formula,
    Holds,
    Implies,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
    Variable,
    parts,
)
from stateglass.logic.steps import Action, Choice, Do, Piece, Repeated, Silently
from stateglass.model import TAU
from stateglass.source import Code, input_error

ATOM: Final = 4

Atom = Constant | Ended | Equals | Holds
_TAU: Final = Do(TAU)
_NOTHING: Final = -1


@final
@dataclass(frozen=True, slots=True)
class _Rest:
    """The pieces of a path from a number on, and the node of what comes after it."""

    path: tuple[Piece, ...]
    at: int
    after: int
    possible: bool  # some such way leads there, not all


@final
@dataclass(slots=True)
class Node:
    """A disjunction, conjunction, step or atom; a fixed point is a disjunction of one formula with a sign."""

    kind: int = ATOM
    children: tuple[int, ...] = ()
    step: Action | None = None
    atom: Atom | None = None
    negated: bool = False  # only atoms are
    least: bool | None = None  # of a fixed point; None: the node is none
    outer: int = _NOTHING  # the fixed point around a fixed point
    formula: Formula | None = None  # what it says, or with `denied` the opposite of what it says
    denied: bool = False
    inside: bool = False  # the formula may have variables of fixed points around it
    way: _Rest | None = None  # or what it says of the rest of a way


@final
@dataclass(frozen=True, slots=True)
class _Scope:
    """The fixed point around a formula, and the scope around that."""

    fixed_point: int
    variable: str
    negated: bool
    around: _Scope | None = field(repr=False, compare=False)


@final
class Equations:
    """The nodes of a formula; `root` is the formula itself."""

    def __init__(self, formula: Formula) -> None:
        self.nodes: list[Node] = []
        self._closed = _closed(formula)
        self._known: dict[tuple[int, bool, int], int] = {}
        self._ways: dict[tuple[int, int, int, bool], int] = {}
        self._formulas: list[tuple[int, Formula, bool, _Scope | None]] = []
        self._paths: list[tuple[int, tuple[Piece, ...], int, int, bool, int]] = []
        # Nodes are numbered when they are asked for and filled in later: that is how edges lead back to fixed points,
        # and why nothing recurses.
        self.root = self._of(formula, False, None)
        while self._formulas or self._paths:
            if self._paths:
                self._fill_way(*self._paths.pop())
            else:
                self._fill(*self._formulas.pop())

    def said(self, number: int) -> tuple[Formula, bool] | None:
        """The formula that a node says, and whether it says the opposite; None for a node that only helps others."""
        ways, number = self._along(number)
        formula, denied = self.nodes[number].formula, self.nodes[number].denied
        if formula is None:
            return None
        for way in reversed(ways):
            modality = Possible if way.possible is not denied else Necessary
            formula = modality(way.path[way.at :], formula)
        return formula, denied

    def speaks_for_itself(self, number: int) -> bool:
        """Whether a node says something that needs no fixed point around it to be understood."""
        foot = self.nodes[self._along(number)[1]]
        return foot.formula is not None and not foot.inside

    def _along(self, number: int) -> tuple[list[_Rest], int]:
        """The ways before what a node says, and the node of what comes after them."""
        ways: list[_Rest] = []
        while (way := self.nodes[number].way) is not None:
            ways.append(way)
            number = way.after
        return ways, number

    def _new(self) -> int:
        self.nodes.append(Node())
        return len(self.nodes) - 1

    def _of(self, formula: Formula, negated: bool, scope: _Scope | None) -> int:
        """The node of a formula, which is filled in later."""
        while isinstance(formula, Not):
            formula, negated = formula.inner, not negated
        if isinstance(formula, Variable):
            return _bound(formula, negated, scope)
        # Without variables of the fixed points around it, a part means the same everywhere: it has one node.
        if self._closed[id(formula)]:
            scope = None
        key = (id(formula), negated, _NOTHING if scope is None else scope.fixed_point)
        if key not in self._known:
            self._known[key] = self._new()
            self._formulas.append((self._known[key], formula, negated, scope))
        return self._known[key]

    def _fill(self, number: int, formula: Formula, negated: bool, scope: _Scope | None) -> None:
        node = self.nodes[number]
        node.formula, node.denied, node.inside = formula, negated, scope is not None
        outer = _NOTHING if scope is None else scope.fixed_point
        match formula:
            case Constant() | Ended() | Equals() | Holds():
                node.atom, node.negated = formula, negated
            case And() | Or():
                node.kind = AND if isinstance(formula, And) is not negated else OR
                node.children = tuple(self._of(part, negated, scope) for part in formula.inner)
            case Implies():
                node.kind = AND if negated else OR
                node.children = (
                    self._of(formula.left, not negated, scope),
                    self._of(formula.right, negated, scope),
                )
            case Possible() | Necessary():
                inner = self._of(formula.inner, negated, scope)
                possible = isinstance(formula, Possible) is not negated
                node.kind, node.children = OR, (self._way(formula.path, 0, inner, possible, outer),)
            case Reaching():
                through = self._of(formula.through, negated, scope)
                goal = self._of(formula.inner, negated, scope)
                step = self._step(_TAU, number, not negated)
                either = self._joined((goal, step), AND if negated else OR)
                both = self._joined((through, either), OR if negated else AND)
                node.kind, node.children, node.least, node.outer = OR, (both,), not negated, outer
            case Forever():
                through = self._of(formula.through, negated, scope)
                step = self._step(_TAU, number, not negated)
                both = self._joined((through, step), OR if negated else AND)
                node.kind, node.children, node.least, node.outer = OR, (both,), negated, outer
            case FixedPoint():
                inner_scope = _Scope(number, formula.variable, negated, scope)
                node.kind, node.least, node.outer = OR, formula.least is not negated, outer
                node.children = (self._of(formula.inner, negated, inner_scope),)
            case Omitted():
                raise AssertionError("an outline of a formula has no truth")
            case Not() | Variable():
                raise AssertionError("taken care of where the node is asked for")
            case _:
                assert_never(formula)

    def _joined(self, children: tuple[int, ...], kind: int) -> int:
        number = self._new()
        self.nodes[number].kind, self.nodes[number].children = kind, children
        return number

    def _step(self, action: Action, child: int, possible: bool) -> int:
        number = self._joined((child,), POSSIBLE if possible else NECESSARY)
        self.nodes[number].step = action
        self.nodes[number].way = _Rest((action,), 0, child, possible)
        return number

    def _way(self, path: tuple[Piece, ...], at: int, after: int, possible: bool, outer: int) -> int:
        """The node of what is left of a path, before the node `after`."""
        if at == len(path):
            return after
        key = (id(path), at, after, possible)
        if key not in self._ways:
            self._ways[key] = self._new()
            self._paths.append((self._ways[key], path, at, after, possible, outer))
        return self._ways[key]

    def _fill_way(self, number: int, path: tuple[Piece, ...], at: int, after: int, possible: bool, outer: int) -> None:
        node = self.nodes[number]
        node.way = _Rest(path, at, after, possible)
        rest = self._way(path, at + 1, after, possible, outer)
        join = OR if possible else AND
        match path[at]:
            case Silently():
                node.kind, node.least, node.outer = OR, possible, outer
                node.children = (self._joined((rest, self._step(_TAU, number, possible)), join),)
            case Choice(ways):
                node.kind = join
                node.children = tuple(self._way(way, 0, rest, possible, outer) for way in ways)
            case Repeated(way, at_least_once):
                # `R*` is a fixed point; `R+` is R, and then such a fixed point.
                again = number
                if at_least_once:
                    again = self._new()
                    self.nodes[again].way = _Rest((Repeated(way), *path[at + 1 :]), 0, after, possible)
                    node.kind, node.children = OR, (self._way(way, 0, again, possible, again),)
                loop = self.nodes[again]
                loop.kind, loop.least, loop.outer = OR, possible, outer
                loop.children = (self._joined((rest, self._way(way, 0, again, possible, again)), join),)
            case action:
                node.kind, node.children, node.step = POSSIBLE if possible else NECESSARY, (rest,), action


def _bound(variable: Variable, negated: bool, scope: _Scope | None) -> int:
    while scope is not None and scope.variable != variable.name:
        scope = scope.around
    if scope is None:
        raise input_error(Code.UNKNOWN_NAME, f"no fixed point around it has the variable `{variable.name}`")
    if scope.negated is not negated:
        message = f"`{variable.name}` stands under an odd number of negations"
        help = "a fixed point of such a formula need not exist: negate it once more, or once less"
        raise input_error(Code.SYNTAX, message, help=help)
    return scope.fixed_point


def _closed(formula: Formula) -> dict[int, bool]:
    """For each part, whether it certainly has no variable of a fixed point outside of it.

    Only parts without any variable are sure to be found. That is enough: formulas that share parts have no variables.
    """
    found: dict[int, bool] = {}
    work: list[tuple[Formula, bool]] = [(formula, False)]
    while work:
        node, ready = work.pop()
        if ready:
            found[id(node)] = not isinstance(node, Variable) and all(found[id(part)] for part in parts(node))
        elif id(node) not in found:
            found[id(node)] = False
            work.append((node, True))
            work += ((part, False) for part in parts(node))
    return found
