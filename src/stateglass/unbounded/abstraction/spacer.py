"""Interpolants along a run by Spacer: one relation for each state of it, numbers in place of bits.

Numbers generalise better than bits do. What comes out is a suggestion: whoever uses it asks on bits whether it helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stateglass.explore.stretches import Stretch
from stateglass.smt import PER_SECOND, Term
from stateglass.smt.horn import Horn, Unreachable
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import State
from stateglass.unbounded.readings import unsigned
from stateglass.unbounded.time import Deadline

MOST_EFFORT: Final = 2 * PER_SECOND
"""A run is short, and others are there to be ruled out."""


def interpolants(
    abstraction: Abstraction, states: Sequence[State], stretches: Sequence[Stretch], end: Term, time: Deadline
) -> list[Term]:
    """A condition for each state of a run that ends with a condition on the last one; empty if there are none."""
    flow, terms = abstraction.flow, abstraction.flow.terms
    horn = Horn(terms, integers=True, unsigned=unsigned(flow))
    for state in states:
        horn.relation([slot.term for slot in flow.rests[state.rest].slots])
    ended = horn.relation(())
    horn.rule(None, terms.true, 0, ())
    for position, (state, stretch) in enumerate(zip(states, stretches, strict=False)):
        known = abstraction.known(stretch, state)
        guard = terms.both(known.guard, abstraction.condition(state))
        horn.rule(position, guard, position + 1, known.after)
    horn.rule(len(states) - 1, terms.both(end, abstraction.condition(states[-1])), ended, ())
    within = time.part(MOST_EFFORT)
    decision = horn.decide([ended], within.left(), effort=within.effort)
    return list(decision.conditions[: len(states)]) if isinstance(decision, Unreachable) else []
