"""Makes one model smaller."""

from stateglass.reduce.equivalence import Equivalence
from stateglass.reduce.partition import partition
from stateglass.reduce.reduction import UNREACHABLE, Reduction, reduce
from stateglass.reduce.traces import MOST_SETS as MOST_TRACE_STATES

__all__ = ["MOST_TRACE_STATES", "UNREACHABLE", "Equivalence", "Reduction", "partition", "reduce"]
