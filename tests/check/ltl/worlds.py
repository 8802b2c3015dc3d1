"""Small random models and formulas, and every other way to say what a linear formula means on them."""

from __future__ import annotations

import itertools
import random
from typing import assert_never

import numpy as np

from stateglass.check.ltl.lassos import Lasso
from stateglass.logic import predicates as p
from stateglass.logic import temporal as t
from stateglass.logic.claims import Fairness
from stateglass.model import TAU, Model, ModelBuilder, Origin, Proposition, Relation, Sort

LABELS = ("a", "b", TAU)


def random_model(chance: random.Random, states: int = 4, *, partial: bool = False, fewest: int = 0) -> Model:
    """Some states, steps, dead ends; the propositions `x` and `y` are 0 or 1. All labels occur somewhere."""
    builder = ModelBuilder()
    count = chance.randint(1, states)
    for _ in range(chance.randint(fewest * count, 2 * count)):
        builder.add(chance.randrange(count), chance.choice(LABELS), chance.randrange(count))
    for label in LABELS:  # out of reach, so that every name is known
        builder.add(count, label, count)
    columns = [
        Proposition(name, Sort.INT, np.array([chance.randint(0, 1) for _ in range(count + 1)])) for name in ("x", "y")
    ]
    unexplored = [s for s in range(count) if partial and chance.random() < 0.3]
    origin = Origin(Relation.UNDER, partial=("it was cut short",)) if unexplored else Origin()
    return builder.build(count + 1, propositions=columns, unexplored=unexplored, origin=origin)


def equal(name: str, value: int) -> t.Holds:
    return t.Holds(p.Applied(p.Operator.EQUAL, (p.Named(name), p.Number(value))))


def random_formula(chance: random.Random, size: int) -> t.Formula:
    """A formula of about so many operators."""
    if size <= 0:
        atoms: list[t.Formula] = [t.Happens("a"), t.Happens("b"), equal("x", 1), equal("y", 0)]
        return chance.choice([*atoms, *atoms, *atoms, t.TRUE, t.FALSE])
    left = chance.randint(0, size - 1)
    one, other = random_formula(chance, left), random_formula(chance, size - 1 - left)
    inner = random_formula(chance, size - 1)
    within = chance.choice([None, None, None, 0, 1, 2])
    choices: list[t.Formula] = [t.Not(inner), t.And(one, other), t.Or(one, other), t.Implies(one, other)]
    choices += [t.Iff(one, other), t.Next(inner), t.Eventually(inner, within), t.Always(inner, within)]
    choices += [t.Until(one, other, within), t.WeakUntil(one, other), t.Release(one, other)]
    choices += [t.Always(t.Eventually(inner))]
    return chance.choice(choices)


def random_fairness(chance: random.Random) -> tuple[Fairness, ...]:
    return tuple(Fairness(label, chance.random() < 0.5) for label in LABELS if chance.random() < 0.5)


def holds_at(formula: t.Formula, lasso: Lasso, model: Model, at: int = 0) -> bool:
    """The meaning of a formula on a run, in the words of its definition; `at` counts positions without end."""
    length = max(len(lasso.steps), 1)
    turn = len(lasso.steps) - lasso.loop

    def place(i: int) -> int:
        if i < len(lasso.steps):
            return i
        return len(lasso.steps) if turn == 0 else lasso.loop + (i - lasso.loop) % turn

    def holds(f: t.Formula, i: int) -> bool:
        # Beyond two turns from here nothing is new.
        future = range(i, i + 2 * length + 3)
        match f:
            case t.Constant():
                return f.value
            case t.Holds():
                return in_state(f, _state(lasso, model, place(i)), model)
            case t.Happens():
                k = place(i)
                return k < len(lasso.steps) and model.labels[model.actions[lasso.steps[k]]] == f.pattern
            case t.Not():
                return not holds(f.inner, i)
            case t.And():
                return holds(f.left, i) and holds(f.right, i)
            case t.Or():
                return holds(f.left, i) or holds(f.right, i)
            case t.Implies():
                return not holds(f.left, i) or holds(f.right, i)
            case t.Iff():
                return holds(f.left, i) == holds(f.right, i)
            case t.Next():
                return holds(f.inner, i + 1)
            case t.Eventually():
                return any(holds(f.inner, j) for j in future if f.within is None or j - i <= f.within)
            case t.Always():
                return all(holds(f.inner, j) for j in future if f.within is None or j - i <= f.within)
            case t.Until():
                return until(f.left, f.right, i, f.within)
            case t.WeakUntil():
                return until(f.left, f.right, i, None) or all(holds(f.left, j) for j in future)
            case t.Release():
                return not until(t.Not(f.left), t.Not(f.right), i, None)
            case t.Turns() | t.Quantified():
                raise AssertionError
            case _:
                assert_never(f)

    def until(left: t.Formula, right: t.Formula, i: int, within: int | None) -> bool:
        for j in range(i, i + 2 * length + 3):
            if within is not None and j - i > within:
                return False
            if holds(right, j):
                return True
            if not holds(left, j):
                return False
        return False

    return holds(formula, at)


def _state(lasso: Lasso, model: Model, k: int) -> int:
    if k < len(lasso.steps):
        return int(model.sources[lasso.steps[k]])
    return int(model.targets[lasso.steps[-1]]) if lasso.steps else model.initial


def in_state(f: t.Holds, state: int, model: Model) -> bool:
    assert isinstance(f.predicate, p.Applied)
    name, value = f.predicate.operands
    assert isinstance(name, p.Named)
    assert isinstance(value, p.Number)
    column = next(c for c in model.propositions if c.name == name.name)
    return bool(column.values[state] == value.value)


def lassos(model: Model, longest: int) -> list[Lasso]:
    """All lassos with at most so many steps."""
    found: list[Lasso] = []
    paths: list[tuple[int, ...]] = [()]
    for _ in range(longest + 1):
        longer: list[tuple[int, ...]] = []
        for path in paths:
            at = int(model.targets[path[-1]]) if path else model.initial
            found += [Lasso(path, k) for k in range(len(path)) if model.sources[path[k]] == at]
            steps = range(int(model.first[at]), int(model.first[at + 1]))
            if not steps and not model.is_unexplored(at):
                found.append(Lasso(path, len(path)))
            longer += [(*path, step) for step in steps]
        paths = longer[:4000]
    return [lasso for lasso in found if len(lasso.steps) <= longest]


def written_out(formula: t.Formula) -> t.Formula:
    """The same with X, U, not, and, atoms only."""
    match formula:
        case t.Constant() | t.Holds() | t.Happens():
            return formula
        case t.Not():
            return t.Not(written_out(formula.inner))
        case t.And():
            return t.And(written_out(formula.left), written_out(formula.right))
        case t.Or():
            return t.Not(t.And(t.Not(written_out(formula.left)), t.Not(written_out(formula.right))))
        case t.Implies():
            return written_out(t.Or(t.Not(formula.left), formula.right))
        case t.Iff():
            both, none = t.And(formula.left, formula.right), t.And(t.Not(formula.left), t.Not(formula.right))
            return written_out(t.Or(both, none))
        case t.Next():
            return t.Next(written_out(formula.inner))
        case t.Eventually():
            return written_out(t.Until(t.TRUE, formula.inner, formula.within))
        case t.Always():
            return t.Not(written_out(t.Eventually(t.Not(formula.inner), formula.within)))
        case t.Until():
            left, right = written_out(formula.left), written_out(formula.right)
            if formula.within is None:
                return t.Until(left, right)
            result = right
            for _ in range(formula.within):
                result = t.Not(t.And(t.Not(right), t.Not(t.And(left, t.Next(result)))))
            return result
        case t.WeakUntil():
            return written_out(t.Or(t.Until(formula.left, formula.right), t.Always(formula.left)))
        case t.Release():
            return t.Not(t.Until(written_out(t.Not(formula.left)), written_out(t.Not(formula.right))))
        case t.Turns() | t.Quantified():
            raise AssertionError
        case _:
            assert_never(formula)


Node = tuple[int, int, tuple[bool, ...]]


def is_violated(formula: t.Formula, model: Model, fairness: tuple[Fairness, ...] = (), most: int = 6) -> bool | None:
    """By guessing the truth of all temporal parts at every position, and keeping the guesses that fit together.

    The oldest way (Lichtenstein and Pnueli, 1985), without rewriting, on the fly nothing. None: too many guesses.
    """
    goal = t.Not(written_out(formula))
    guessed: list[t.Next | t.Until] = []
    _collect(goal, guessed)
    if len(guessed) > most:
        return None
    nodes: list[Node] = []
    for state in range(model.states):
        steps = list(range(int(model.first[state]), int(model.first[state + 1])))
        if not steps and not model.is_unexplored(state):
            steps = [-1]
        nodes += [
            (state, step, guess) for step in steps for guess in itertools.product((False, True), repeat=len(guessed))
        ]
    index = {id(f): k for k, f in enumerate(guessed)}
    value = {node: _values(goal, node, index, model) for node in nodes}
    after: dict[Node, list[Node]] = {}
    by_state: dict[int, list[Node]] = {}
    for node in nodes:
        by_state.setdefault(node[0], []).append(node)
    for node in nodes:
        state, step, _ = node
        target = state if step < 0 else int(model.targets[step])
        after[node] = [
            other for other in by_state.get(target, []) if all(_fits(f, value[node], value[other]) for f in guessed)
        ]
    starts = [node for node in by_state.get(model.initial, []) if value[node][id(goal)]]
    return any(_accepts(c, after, guessed, value, fairness, model) for c in _components(starts, after))


def _collect(f: t.Formula, found: list[t.Next | t.Until]) -> None:
    for part in t.parts(f):
        _collect(part, found)
    if isinstance(f, t.Next | t.Until) and not any(f is g for g in found):
        found.append(f)


def _values(f: t.Formula, node: Node, index: dict[int, int], model: Model) -> dict[int, bool]:
    done: dict[int, bool] = {}

    def visit(g: t.Formula) -> bool:
        for part in t.parts(g):
            visit(part)
        match g:
            case t.Constant():
                result = g.value
            case t.Holds():
                result = in_state(g, node[0], model)
            case t.Happens():
                result = node[1] >= 0 and model.labels[model.actions[node[1]]] == g.pattern
            case t.Not():
                result = not done[id(g.inner)]
            case t.And():
                result = done[id(g.left)] and done[id(g.right)]
            case _:
                result = node[2][index[id(g)]]
        done[id(g)] = result
        return result

    visit(f)
    return done


def _fits(f: t.Next | t.Until, now: dict[int, bool], then: dict[int, bool]) -> bool:
    if isinstance(f, t.Next):
        return now[id(f)] == then[id(f.inner)]
    return now[id(f)] == (now[id(f.right)] or (now[id(f.left)] and then[id(f)]))


def _components(starts: list[Node], after: dict[Node, list[Node]]) -> list[set[Node]]:
    """Nodes that reach each other: by what each reaches, which small graphs can afford."""
    reach: dict[Node, set[Node]] = {}

    def reached(node: Node) -> set[Node]:
        if node not in reach:
            seen: set[Node] = set()
            work = list(after[node])
            while work:
                top = work.pop()
                if top not in seen:
                    seen.add(top)
                    work += after[top]
            reach[node] = seen
        return reach[node]

    left = set(starts).union(*(reached(start) for start in starts))
    found = []
    while left:
        node = min(left)
        own = {other for other in reached(node) if other in left and node in reached(other)}
        left -= own | {node}
        if own:
            found.append(own)
    return found


def _accepts(
    nodes: set[Node],
    after: dict[Node, list[Node]],
    guessed: list[t.Next | t.Until],
    value: dict[Node, dict[int, bool]],
    fairness: tuple[Fairness, ...],
    model: Model,
) -> bool:
    """Whether a run can stay in strongly connected nodes and keep all promises."""
    for f in guessed:
        if isinstance(f, t.Until) and all(value[n][id(f)] and not value[n][id(f.right)] for n in nodes):
            return False
    for fair in fairness:
        able = {n for n in nodes if _able(n[0], fair.pattern, model)}
        taken = any(n[1] >= 0 and model.labels[model.actions[n[1]]] == fair.pattern for n in nodes)
        if taken or not able:
            continue
        if not fair.strong and able != nodes:
            continue
        if not fair.strong:
            return False
        rest = nodes - able
        inner = {n: [o for o in after[n] if o in rest] for n in rest}
        return any(_accepts(c, inner, guessed, value, fairness, model) for c in _components(sorted(rest), inner))
    return True


def _able(state: int, pattern: str, model: Model) -> bool:
    steps = range(int(model.first[state]), int(model.first[state + 1]))
    return any(model.labels[model.actions[step]] == pattern for step in steps)


def continued(chance: random.Random, model: Model) -> Model:
    """A complete model that a partial one may be the beginning of."""
    builder = ModelBuilder()
    for i in range(model.transitions):
        builder.add(int(model.sources[i]), model.labels[model.actions[i]], int(model.targets[i]))
    more = chance.randint(0, 2)
    states = model.states + more
    beginnings = [s for s in range(model.states) if model.is_unexplored(s)] + list(range(model.states, states))
    for state in beginnings:
        for _ in range(chance.randint(0, 2)):
            builder.add(state, chance.choice(LABELS), chance.randrange(states))
    columns = [
        Proposition(c.name, c.sort, np.append(c.values, [chance.randint(0, 1) for _ in range(more)]).astype(np.int64))
        for c in model.propositions
    ]
    return builder.build(states, propositions=columns)
