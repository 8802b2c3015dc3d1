"""A narrow door to the solvers: terms over bits, evaluated in batches or decided; only it knows bitwuzla and z3.

`operators` says what each operator does to numbers; `batch` and `floating` (many valuations at once), `solver` and
`solved_floats` (bitwuzla) must agree with it. `Terms` makes terms and simplifies them as they are made. Whoever needs
z3 enters by `horn` (Horn clauses) or `linear` (integers in place of bits), so that nobody else loads it.
"""

from stateglass.smt.batch import WIDEST, Batch, Column, NotInBatches, evaluate, evaluated, needed
from stateglass.smt.choices import chosen_between, constants_chosen, with_outcomes
from stateglass.smt.columns import Columns
from stateglass.smt.effort import PER_SECOND, Effort
from stateglass.smt.operators import Operator
from stateglass.smt.packed import Packed, packed, unpacked
from stateglass.smt.reasons import deciding
from stateglass.smt.solver import Answer, Solver, Unanswered
from stateglass.smt.store import Mark
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms

__all__ = [
    "PER_SECOND",
    "WIDEST",
    "Answer",
    "Batch",
    "Column",
    "Columns",
    "Effort",
    "Mark",
    "NotInBatches",
    "Operator",
    "Packed",
    "Solver",
    "Term",
    "Terms",
    "Unanswered",
    "chosen_between",
    "constants_chosen",
    "deciding",
    "evaluate",
    "evaluated",
    "needed",
    "packed",
    "unpacked",
    "with_outcomes",
]
