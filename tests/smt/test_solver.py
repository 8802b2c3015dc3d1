"""One set of facts, for many questions."""

from __future__ import annotations

import gc
from weakref import ref

from stateglass.smt import Answer, Solver, Terms


def test_a_solver_that_nobody_uses_is_given_up() -> None:
    terms = Terms()
    solver = Solver(seconds=10)
    assert solver.check([terms.equal(terms.variable("x", 8), terms.constant(3, 8))]) is Answer.YES
    held = ref(solver)
    del solver
    gc.collect()
    assert held() is None
