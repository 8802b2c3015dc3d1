"""Runs a function once for all inputs: SMT terms for values, ways merged where they meet, loops unrolled to a bound."""

from stateglass.explore.merging.outcome import Condition, Fresh, Outcome, Unseen
from stateglass.explore.merging.runner import Runner

__all__ = ["Condition", "Fresh", "Outcome", "Runner", "Unseen"]
