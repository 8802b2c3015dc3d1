"""Holds a hypothesis against the code.

1. A hypothesis comes from its notation (`notation/`), from a diagram (`drawn`), or from the ranges of variables that
   the code tells apart (`candidates`, `ranges`, `starting`). Its conditions become functions of the program.
2. `circumstances` makes up what the code does not show, and `unknowns` names every value before a call as a term.
3. `encoding` runs the function once for all values and gives one formula: where a valuation is before the call, and
   where the call leads.
4. `searching` finds all transitions: random valuations (`chance`) find most, the solver finds the rest and proves that
   there are no more (`proving`). `judging` compares them with the hypothesis.
5. `conditioning` finds the condition of each transition: `comparisons` of the code, `implicants` over them,
   `simplifying` to few words, `wording` as C. `suggesting` makes a corrected hypothesis of it all.
6. Calls that are shown are run again by the reference semantics (`witnesses`, `calls`).
"""

from stateglass.reflexion.drawn import Drawn, hypothesis_of
from stateglass.reflexion.hypothesis import (
    ERROR,
    OTHER,
    Hypothesis,
    Let,
    StateClaim,
    TransitionClaim,
    probes_of,
)

__all__ = [
    "ERROR",
    "OTHER",
    "Drawn",
    "Hypothesis",
    "Let",
    "StateClaim",
    "TransitionClaim",
    "hypothesis_of",
    "probes_of",
]
