"""Decides claims on models: branching and linear formulas, fixed points, recorded tests, built-in claims.

`deciding` picks the engine: `ctl`, `mu`, `ltl/`, `recorded`, `builtin`. Atoms are decided by `predicates` (values of
states) and `events` (labels of steps). On partial models and abstractions truth has two sides, what must hold and what
may (`truth`); `verdicts` says what follows for the code. `why`, `mu_why` and `mu_proofs` find the evidence.
"""

from stateglass.check.mu import evaluate, truth_at_start
from stateglass.check.truth import Truth

__all__ = ["Truth", "evaluate", "truth_at_start"]
