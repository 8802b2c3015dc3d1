"""What compare prints, asked as a claim, is true of the same states."""

from __future__ import annotations

import random

import numpy as np

from stateglass.check import evaluate
from stateglass.logic import And, Do, Ended, Equals, Forever, Formula, Necessary, Not, Or, Possible, Reaching, in_mcrl2
from stateglass.logic import modal as modal_nodes
from stateglass.logic.reading import read_claim
from stateglass.logic.steps import SILENTLY, Piece
from stateglass.model import Model, Proposition, Sort

LABELS = ("tau", "a", "b(3)", "x.y")


def a_model(rng: random.Random) -> Model:
    size = rng.randint(1, 6)
    rows = sorted({(rng.randrange(size), rng.randrange(4), rng.randrange(size)) for _ in range(2 * size)})
    sources, actions, targets = (np.array(column, dtype=np.int32) for column in zip(*rows, strict=True))
    x = Proposition("f::x", Sort.INT, np.array([rng.randrange(2) for _ in range(size)]))
    mode = Proposition("mode", Sort.ENUM, np.array([rng.randrange(2) for _ in range(size)]), ((0, "OFF"), (1, "ON")))
    terminal = np.zeros(size, dtype=np.bool_)
    terminal[[state for state in range(size) if state not in sources]] = True
    return Model(size, 0, sources, actions, targets, LABELS, (x, mode), terminal)


def a_formula(rng: random.Random, depth: int) -> Formula:
    if not depth:
        atoms: list[Formula] = [modal_nodes.TRUE, Ended(), Equals("f::x", "1"), Equals("mode", "ON")]
        return rng.choice(atoms)
    inner = a_formula(rng, depth - 1)
    pieces: list[Piece] = [SILENTLY, *map(Do, LABELS)]
    path = tuple(rng.choices(pieces, k=rng.randint(1, 2)))
    match rng.randrange(7):
        case 0:
            return Not(inner)
        case 1:
            return And((inner, a_formula(rng, depth - 1)))
        case 2:
            return Or((inner, a_formula(rng, depth - 1)))
        case 3:
            return Possible(path, inner)
        case 4:
            return Necessary(path, inner)
        case 5:
            return Reaching(inner, a_formula(rng, depth - 1))
        case _:
            return Forever(inner)


def test_formulas_of_compare_mean_the_same_when_asked() -> None:
    rng = random.Random(7)
    for _ in range(300):
        model, formula = a_model(rng), a_formula(rng, rng.randint(0, 4))
        asked = read_claim(f"mu: {in_mcrl2(formula)}").content
        assert isinstance(asked, modal_nodes.Formula)
        expected, found = evaluate(formula, model), evaluate(asked, model)
        assert (expected.must == found.must).all(), in_mcrl2(formula)
        assert (expected.may == found.may).all(), in_mcrl2(formula)
