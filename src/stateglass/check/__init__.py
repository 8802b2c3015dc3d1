"""Decides claims on models: so far, where a modal formula holds."""

from stateglass.check.modal import Truth, evaluate, truth_at_start

__all__ = ["Truth", "evaluate", "truth_at_start"]
