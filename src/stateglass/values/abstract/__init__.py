"""The C Wolf abstractions as a value domain: sets of machine integers instead of one.

A `Value` is a plain `int` where exactly one integer is possible, else one of four kinds of set, of which equal ones are
the same object: `Interval(low, high)`, `Remainders(modulus, mask)`, `Pieces(points, mask)` and `TOP`, anything of the
type. What a value means depends on its type, which every function is given.

- `AbstractDomain`: the operators, built once per node as in `Concrete`. Results contain what each pair of possible
  values gives when overflow and shifts wrap. `decide` has a third answer, None. What a comparison
  cannot decide is `MAYBE`, 0 or 1.
- `WaryDomain`: the same, but tells a `note` where C would not wrap.
- `may_fault`, `must_fault`, `may_fault_converting`: where C would not wrap.
- `Abstraction` (`Top`, `MinMax`, `Mod`, `Part`, `Exact`, `Truth`, `Free`; `str` prints it as a map has it) and
  `keep(abstraction, value, type)`: what a variable so declared keeps of what is assigned to it; `keeper` builds the
  same once per variable. Only what was kept may go into a state: results of operators are as narrow as they can be
  said, whatever the operands' kinds.
- `narrow(comparison, left, right, type, outcome)`: both operands once the outcome is known; `narrow_converted`: the
  operand of a conversion once its result is. `atoms` and `rejoined` do the same for any expression in one variable:
  try each atom, keep those for which the outcome is possible.
- `contains`, `is_subset`, `join`, `meet`, `size`, `possible`, `low`, `high`: values as sets. `text`: as a person
  reads them; `texts` reads them back.
"""

from stateglass.program.abstractions import Abstraction, Exact, Free, MinMax, Mod, Part, Top, Truth
from stateglass.values.abstract.abstraction import keep, keeper
from stateglass.values.abstract.domain import AbstractDomain, NotExact
from stateglass.values.abstract.faults import may_fault, may_fault_converting, must_fault
from stateglass.values.abstract.narrowing import atoms, narrow, narrow_converted, rejoined, remove
from stateglass.values.abstract.sets import MAYBE, TOP, Anything, Interval, Pieces, Remainders, Value
from stateglass.values.abstract.texts import text
from stateglass.values.abstract.views import contains, from_numbers, high, is_subset, join, low, meet, possible, size
from stateglass.values.abstract.wary import WaryDomain

__all__ = [
    "MAYBE",
    "TOP",
    "AbstractDomain",
    "Abstraction",
    "Anything",
    "Exact",
    "Free",
    "Interval",
    "MinMax",
    "Mod",
    "NotExact",
    "Part",
    "Pieces",
    "Remainders",
    "Top",
    "Truth",
    "Value",
    "WaryDomain",
    "atoms",
    "contains",
    "from_numbers",
    "high",
    "is_subset",
    "join",
    "keep",
    "keeper",
    "low",
    "may_fault",
    "may_fault_converting",
    "meet",
    "must_fault",
    "narrow",
    "narrow_converted",
    "possible",
    "rejoined",
    "remove",
    "size",
    "text",
]
