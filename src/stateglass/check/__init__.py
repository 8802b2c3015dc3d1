"""Decides claims on models: branching and linear formulas, fixed points, recorded tests, built-in claims."""

from stateglass.check.mu import evaluate, truth_at_start
from stateglass.check.truth import Truth

__all__ = ["Truth", "evaluate", "truth_at_start"]
