"""Whether a proof is one: a condition for each rest that no stretch leaves and that rules out what must not be reached.

Nothing is taken from whoever found it: each stretch is a question to a solver of bits, on the terms of the flow.
"""

from __future__ import annotations

from collections.abc import Collection

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Answer, Operator, Solver, Term, needed
from stateglass.unbounded import induction
from stateglass.unbounded.results import Proof
from stateglass.unbounded.time import Deadline


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
    solver = Solver(seconds=time.left())
    for stretch in flow.stretches:
        why = _step(flow, stretch, invariant, solver)
        if why:
            return why
    return ""


def _step(flow: Flow, stretch: Stretch, invariant: tuple[Term, ...], solver: Solver) -> str:
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
    match solver.check(term for term in question if term is not terms.true):
        case Answer.NO:
            return ""
        case Answer.YES:
            return f"it does not hold any more on the way {where}"
        case Answer.UNKNOWN:
            return f"it could not be checked in time on the way {where}"
