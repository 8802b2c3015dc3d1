"""Bounded model checking: is a bad rest reached after so many stretches, for ever more of them?

Biere et al., Symbolic Model Checking without BDDs, 1999; with large blocks as steps and ways merged at rests. Where all
runs are short, or nothing bad follows what short ones lead to, that is a proof (see `induction`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from stateglass.evidence import Reason
from stateglass.explore.stretches import Flow, Phase
from stateglass.smt import Answer, Solver, Term
from stateglass.source import counted
from stateglass.unbounded.reachability.induction import DEPTHS, Steps, proof_by_length
from stateglass.unbounded.reachability.unrolling import Unrolling
from stateglass.unbounded.results import GivenUp, Result, Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import variables_of
from stateglass.unbounded.walks.shortening import simplified
from stateglass.work import Progress, silent

ENGINE: Final = "bmc"
SINGLE: Final = 8
"""So many levels are asked about one by one; behind them one question is about several, a part of those before it."""

LEVEL: Final = 20
"""What one rest more of a level costs, besides the questions about it."""


def run(
    flow: Flow,
    bad: frozenset[int],
    time: Deadline,
    progress: Progress = silent,
    *,
    max_depth: int | None = None,
) -> Result:
    """The shortest walk to a bad rest that is found in time, why there is none, or up to where there is none."""
    return _Search(flow, bad, time, progress, max_depth).run()


@final
class _Search:
    def __init__(
        self, flow: Flow, bad: frozenset[int], time: Deadline, progress: Progress, max_depth: int | None
    ) -> None:
        self._flow = flow
        self._bad = bad
        self._time = time
        self._progress = progress
        self._max_depth = max_depth
        self._solver = Solver(seconds=time.left(), shared=time.effort)
        self._unrolling = Unrolling(flow)
        self._steps = Steps(flow, bad, time)
        self._open: list[tuple[int, int, Term]] = []  # bad rests that were not asked about: depth, number, when
        self._safe = 0  # up to this depth there is no walk to one

    def run(self) -> Result:
        unrolling = self._unrolling
        asked = looked = 0  # up to which depth: for bad rests, and whether others are reached
        while not self._time.is_over():
            if self._max_depth is not None and unrolling.depth >= self._max_depth:
                return self._gave_up(Reason.BOUND, "so many were allowed")
            level = unrolling.deepen()
            self._time.spend(LEVEL * (1 + len(level)))
            depth = unrolling.depth
            self._progress("unrolling", depth=depth, rests=len(level))
            self._open += [(depth, n, at.reached) for n, at in level.items() if n in self._bad]
            going_on = [n for n in level if self._flow.leaving[n]]
            is_last = not going_on or depth == self._max_depth
            if not is_last and depth - asked < max(1, (depth - SINGLE) // SINGLE):
                continue
            asked = depth
            found = self._ask()
            if found is None:
                break
            if isinstance(found, Walk):
                return found
            self._safe = depth
            if not is_last and depth > SINGLE and depth < looked + looked // 2:
                continue
            looked = depth
            dead = self._dead(going_on)
            unrolling.leave_out(dead)
            if len(dead) == len(going_on):
                return proof_by_length(self._flow, self._bad, depth, ENGINE, is_over=True)
            if depth in DEPTHS and self._steps.are_safe(depth):
                return proof_by_length(self._flow, self._bad, depth, ENGINE, is_over=False)
        return self._gave_up(Reason.TIMEOUT, "time was over")

    def _ask(self) -> Walk | bool | None:
        """A walk to a bad rest that was not asked about so far, the shortest first; whether there is one; not known."""
        whens = [when for _, _, when in self._open]
        if not whens:
            return False
        answer = self._solver.check([self._flow.terms.either(*whens)])
        if answer is Answer.UNKNOWN:
            return None
        if answer is Answer.NO:
            self._solver.add(*map(self._flow.terms.negation, whens))
            self._open.clear()
            return False
        # What lies behind code that is not modelled is not known: an error says more.
        lost = {rest.number for rest in self._flow.of_phase(Phase.LOST)}
        for depth, rest, when in sorted(self._open, key=lambda one: one[1] in lost):
            answer = self._solver.check([when])
            if answer is Answer.YES:
                values = {v: self._solver.value(v) for v in variables_of([when])}
                walk = self._unrolling.walk(rest, depth, values, ENGINE)
                return simplified(self._flow, walk, self._time)
            if answer is Answer.UNKNOWN:
                return None
        return None

    def _dead(self, going_on: Sequence[int]) -> list[int]:
        """Rests of the last level that cannot be reached so late; those of which it is not known are not among them."""
        level = self._unrolling.levels[-1]
        return [n for n in going_on if self._solver.check([level[n].reached]) is Answer.NO]

    def _gave_up(self, reason: Reason, why: str) -> GivenUp:
        passed = counted(self._safe, "time")
        text = f"nothing is found where code passes the beginning of a loop or of a call at most {passed}: {why}"
        return GivenUp(reason, text, ENGINE, rounds=self._safe)
