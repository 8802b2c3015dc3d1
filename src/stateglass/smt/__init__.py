"""A narrow door to the solvers: terms over bits, evaluated in batches or decided; the only room that knows bitwuzla."""

from stateglass.smt.batch import Batch, Column, NotInBatches, evaluate, evaluated, needed
from stateglass.smt.columns import Columns
from stateglass.smt.operators import Operator
from stateglass.smt.packed import Packed, packed, unpacked
from stateglass.smt.reasons import deciding
from stateglass.smt.solver import Answer, Solver, Unanswered
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms

__all__ = [
    "Answer",
    "Batch",
    "Column",
    "Columns",
    "NotInBatches",
    "Operator",
    "Packed",
    "Solver",
    "Term",
    "Terms",
    "Unanswered",
    "deciding",
    "evaluate",
    "evaluated",
    "needed",
    "packed",
    "unpacked",
]
