"""Whether a linear formula holds only because the left side of an implication never comes true.

The right side is replaced by false: if the formula holds all the same, it never matters (Beer, Ben-David, Eisner,
Rodeh: Efficient detection of vacuity in ACTL formulas, 1997).
"""

from __future__ import annotations

from typing import Final

from stateglass.check.conditions import conditions, replaced
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.violations import Search
from stateglass.logic import temporal as t

_MOST: Final = 16
"""So many implications are looked at, outermost first."""


def idle_condition(formula: t.Formula, search: Search) -> t.Formula | None:
    """The left side of an implication that never comes true, for a formula that holds; the outermost one."""
    for number, implication in enumerate(conditions(formula)):
        if number == _MOST:
            break
        try:
            if not search.is_violated(replaced(formula, implication, t.Not(implication.left))):
                return implication.left
        except TooLargeError:
            continue
    return None
