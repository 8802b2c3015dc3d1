"""Whether the left side of an implication in a linear formula never comes true.

That is looked for itself, at every position of every run. That the formula holds with another right side would say
less: what stands under an existential or a disjunction may not be needed at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stateglass.check.conditions import conditions
from stateglass.check.ltl.limits import TooLargeError
from stateglass.check.ltl.violations import Search
from stateglass.logic import temporal as t

_MOST: Final = 16
"""So many implications are looked at, outermost first."""


def idle_condition(
    formula: t.Formula, search: Search, carries_over: Callable[[t.Formula], bool] = lambda _: True
) -> t.Implies | None:
    """An implication whose left side never comes true, for a formula that holds; the outermost one.

    `carries_over` says whether a formula that holds on the model holds of what it is a model of.
    """
    for number, (implication, _) in enumerate(conditions(formula)):
        if number == _MOST:
            break
        never = t.Always(t.Not(implication.left))
        if not carries_over(never):
            continue
        try:
            if not search.is_violated(never):
                return implication
        except TooLargeError:
            continue
    return None
