"""Whether some conditions rule each other out, seen as statements about integers: for sums that are hard as bits.

That two sums of three numbers are equal takes a solver of bits minutes, and one of linear arithmetic no time at all.
Every valuation of the bits is one of the integers (see `integers`), so that nothing is ruled out that could happen.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Final

import z3
from z3 import z3core

from stateglass.smt.aside import aside, limit, units
from stateglass.smt.effort import Z3_UNITS, Effort
from stateglass.smt.integers import Integers
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms
from stateglass.smt.z3_asts import Asts

EFFORT: Final = 20_000_000
"""What a question may cost, in z3's own units: some seconds."""


def rule_each_other_out(
    terms: Terms,
    conditions: Sequence[Term],
    unsigned: Collection[Term],
    seconds: float,
    effort: Effort | None = None,
) -> bool:
    """Whether conditions can certainly not hold together; false: they may, or it is not known."""
    asts = Asts()
    encoding = Integers(asts, terms, unsigned)
    made = [encoding.truth(condition) for condition in conditions]
    _, facts = encoding.beside(conditions)
    solver = z3.SimpleSolver(ctx=asts.context)
    solver.set("rlimit", min(EFFORT, limit(effort) or EFFORT))
    solver.set("ctrl_c", False)
    solver.set("timeout", max(1, int(seconds * 1000)))
    for fact in (*facts, *made):
        z3core.Z3_solver_assert(asts.reference, solver.solver, fact)
    end = time.monotonic() + seconds
    answer = aside(asts.context, solver.check, seconds)
    if effort is not None and time.monotonic() < end:
        effort.spend(-(-units(solver.statistics()) // Z3_UNITS))
    return bool(answer == z3.unsat)
