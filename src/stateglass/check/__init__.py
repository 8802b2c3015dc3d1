"""Decides claims on models: branching and linear formulas, fixed points, recorded tests, built-in claims."""

from stateglass.check.modal import Truth, evaluate, truth_at_start

__all__ = ["Truth", "evaluate", "truth_at_start"]
