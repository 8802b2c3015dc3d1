"""Makes one model smaller.

`reduction` is the way in: it turns a model into a bare graph with colours (`graph`, `colours`), has it partitioned
(`partition`), and makes a model of the classes (`quotient`). Small graphs are partitioned with Python's own sets
(`small`), large ones by compiled loops: `large` (strong), `branching`, and on top of these `weak` and `traces`.
"""

from stateglass.reduce.equivalence import Equivalence
from stateglass.reduce.partition import partition
from stateglass.reduce.reduction import UNREACHABLE, Reduction, reduce
from stateglass.reduce.traces import MOST_SETS as MOST_TRACE_STATES

__all__ = ["MOST_TRACE_STATES", "UNREACHABLE", "Equivalence", "Reduction", "partition", "reduce"]
