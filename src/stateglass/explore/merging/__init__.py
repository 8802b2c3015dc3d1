"""Runs a function once for all inputs: SMT terms for values, ways merged where they meet, loops unrolled to a bound."""

from stateglass.explore.merging.context import new_value
from stateglass.explore.merging.outcome import Event, Fresh, Kind, Outcome
from stateglass.explore.merging.runner import UNROLL, Runner

__all__ = ["UNROLL", "Event", "Fresh", "Kind", "Outcome", "Runner", "new_value"]
