"""Runs a function once for all inputs: SMT terms for values, ways merged where they meet, loops unrolled to a bound."""

from stateglass.explore.merging.contents import UNWRITTEN, Absent, Content, Partly
from stateglass.explore.merging.context import new_value
from stateglass.explore.merging.outcome import Event, Fresh, Kind, Outcome
from stateglass.explore.merging.runner import UNROLL, Runner
from stateglass.explore.merging.trail import Line, Stretch

__all__ = [
    "UNROLL",
    "UNWRITTEN",
    "Absent",
    "Content",
    "Event",
    "Fresh",
    "Kind",
    "Line",
    "Outcome",
    "Partly",
    "Runner",
    "Stretch",
    "new_value",
]
