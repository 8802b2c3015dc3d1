"""Makes one model smaller."""

from stateglass.reduce.equivalence import Equivalence
from stateglass.reduce.partition import partition
from stateglass.reduce.progress import Progress, silent
from stateglass.reduce.reduction import UNREACHABLE, Reduction, reduce

__all__ = ["UNREACHABLE", "Equivalence", "Progress", "Reduction", "partition", "reduce", "silent"]
