"""Proofs by length: what no short run does, and no long one can do for the first time, no run does.

Sheeran, Singh, Stålmarck: Checking Safety Properties Using Induction and a SAT-Solver, 2000. If nothing bad is reached
from anywhere by exactly k stretches, a run that reaches it does so within fewer than k; and those are looked at. Where
every run is over after k stretches, there are no others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, final

from stateglass.explore.stretches import Flow
from stateglass.smt import Answer, Solver
from stateglass.unbounded.reachability.unrolling import Unrolling
from stateglass.unbounded.results import Proof
from stateglass.unbounded.time import Deadline

DEPTHS: Final = (1, 2, 3, 4, 6, 8)
"""So many stretches from anywhere are looked at: where longer ones are needed, invariants are found more quickly."""
EFFORT: Final = 5_000
"""What each of these questions may cost."""


@final
class Steps:
    """Stretches from anywhere, as far as they were looked at."""

    def __init__(self, flow: Flow, bad: Collection[int], time: Deadline) -> None:
        self._bad = bad
        self._unrolling = Unrolling(flow, anywhere=True)
        self._solver = Solver(effort=EFFORT, seconds=time.left(), shared=time.effort)

    def are_safe(self, depth: int) -> bool:
        """Whether it is known that nothing bad is reached by exactly so many stretches."""
        while self._unrolling.depth < depth:
            self._unrolling.deepen()
        return self._solver.check([self._unrolling.reached(self._bad)]) is Answer.NO


def proof_by_length(flow: Flow, bad: Collection[int], depth: int, engine: str, *, is_over: bool) -> Proof:
    """That nothing bad is reached within a depth, and none but there."""
    terms = flow.terms
    conditions = tuple(terms.truth(rest.number not in bad) for rest in flow.rests)
    return Proof(conditions, engine, rounds=depth, depth=depth, is_over=is_over)


def check(flow: Flow, proof: Proof, bad: Collection[int], time: Deadline) -> str:
    """Why a proof by length is none; empty if it is one. Nothing is taken from whoever found it."""
    unrolling, solver = Unrolling(flow), Solver(seconds=time.left(), shared=time.effort)
    going_on = {rest.number for rest in flow.rests if flow.leaving[rest.number]}
    for depth in range(1, proof.depth + 1):
        unrolling.deepen()
        why = _ruled_out(solver, unrolling, bad, f"something bad is reached by {depth} stretches")
        if why:
            return why
    if proof.is_over:
        return _ruled_out(solver, unrolling, going_on, f"some run goes on after {proof.depth} stretches")
    unrolling, solver = Unrolling(flow, anywhere=True), Solver(seconds=time.left(), shared=time.effort)
    for _ in range(proof.depth):
        unrolling.deepen()
    return _ruled_out(solver, unrolling, bad, f"something bad is reached from somewhere by {proof.depth} stretches")


def _ruled_out(solver: Solver, unrolling: Unrolling, rests: Collection[int], otherwise: str) -> str:
    match solver.check([unrolling.reached(rests)]):
        case Answer.NO:
            return ""
        case Answer.YES:
            return otherwise
        case Answer.UNKNOWN:
            return f"it could not be checked in time whether {otherwise}"
