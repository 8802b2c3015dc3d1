"""Whether there may be values for which a way is gone: what none are found for is left out of a flow."""

from __future__ import annotations

from typing import Final, final

from stateglass.smt import Answer, Operator, Solver, Term

EFFORT: Final = 400
"""What one question may cost: most are easy, and a way that is left in does no harm."""
TOTAL: Final = 400_000


@final
class Feasible:
    """Remembers its answers; these do not depend on how fast the machine is, until time is over."""

    def __init__(self, seconds: float | None = None) -> None:
        self._solver = Solver(effort=EFFORT, total=TOTAL, seconds=seconds)
        self._known: dict[Term, bool] = {}

    def __call__(self, condition: Term) -> bool:
        if condition.operator is Operator.VALUE:
            return bool(condition.extra)
        known = self._known.get(condition)
        if known is None:
            known = self._known[condition] = self._solver.check([condition]) is not Answer.NO
        return known
