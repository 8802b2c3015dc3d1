"""Whether a proof is one: a condition for each rest that no stretch leaves and that rules out what must not be reached.

Nothing is taken from whoever found it: each stretch is a question to a solver of bits, on the terms of the flow. One
that it does not answer soon, as sums of several numbers are hard for it, is put to a solver of linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Answer, Operator, Solver, Term, needed
from stateglass.smt.linear import rule_each_other_out
from stateglass.unbounded.reachability import induction
from stateglass.unbounded.readings import unsigned
from stateglass.unbounded.results import Proof
from stateglass.unbounded.time import Deadline

EFFORT: Final = 1_000
"""What the solver of bits may spend on a stretch at first."""


def check(flow: Flow, proof: Proof, bad: Collection[int], time: Deadline) -> str:
    """Why a proof is none; empty if it is one."""
    if proof.depth:
        return induction.check(flow, proof, bad, time)
    terms, invariant = flow.terms, proof.invariant
    if len(invariant) != len(flow.rests):
        return "it is about another flow"
    for rest in flow.rests:
        variables = {slot.term for slot in rest.slots}
        spoken_of = {node for node in needed([invariant[rest.number]]) if node.operator is Operator.VARIABLE}
        if invariant[rest.number].width or not spoken_of <= variables:
            return f"its condition at {rest} speaks of something else"
    if invariant[0] is not terms.true:
        return "it does not hold at the start"
    for number in sorted(bad):
        if invariant[number] is not terms.false:
            return f"it does not rule out {flow.rests[number]}"
    solver = Solver(effort=EFFORT, seconds=time.left(), shared=time.effort)
    for stretch in flow.stretches:
        why = _step(flow, stretch, invariant, solver, time)
        if why:
            return why
    return ""


def _step(flow: Flow, stretch: Stretch, invariant: tuple[Term, ...], solver: Solver, time: Deadline) -> str:
    """Why a stretch may leave the invariant; empty if it does not."""
    terms = flow.terms
    before = invariant[stretch.source]
    slots = flow.rests[stretch.target].slots
    after = {slot.term: value for slot, value in zip(slots, stretch.after, strict=True)}
    leaves = terms.negation(terms.substituted(invariant[stretch.target], after))
    question = [before, stretch.guard, leaves]
    if any(term is terms.false for term in question):
        return ""
    where = f"from {flow.rests[stretch.source]} to {flow.rests[stretch.target]}"
    question = [term for term in question if term is not terms.true]
    match solver.check(question):
        case Answer.NO:
            return ""
        case Answer.YES:
            return f"it does not hold any more on the way {where}"
        case Answer.UNKNOWN:
            if rule_each_other_out(terms, question, unsigned(flow), time.left(), time.effort):
                return ""
            # Without hurry: the solver of bits is the one that can say that it does not hold.
            return _slowly(question, where, time)


def _slowly(question: list[Term], where: str, time: Deadline) -> str:
    match Solver(seconds=time.left(), shared=time.effort).check(question):
        case Answer.NO:
            return ""
        case Answer.YES:
            return f"it does not hold any more on the way {where}"
        case Answer.UNKNOWN:
            return f"it could not be checked in time on the way {where}"
