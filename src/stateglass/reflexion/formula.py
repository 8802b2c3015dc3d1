"""What the search for transitions is about, and nothing else: terms that can be sent to another process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.smt import Operator, Packed, Term, Terms, needed, packed, unpacked

WIDTH: Final = 16
"""Bits of the number of a state."""


@final
@dataclass(frozen=True, slots=True)
class Numbers:
    """The states have the numbers of the hypothesis' leaves; behind them come what else a call can lead to."""

    states: int

    @property
    def other(self) -> int:
        return self.states

    @property
    def error(self) -> int:
        return self.states + 1

    @property
    def exit(self) -> int:
        return self.states + 2

    @property
    def unknown(self) -> int:
        return self.states + 3

    @property
    def dropped(self) -> int:
        return self.states + 4


@final
@dataclass(frozen=True, slots=True)
class Formula:
    """Where a valuation is before the call, and where the call leads."""

    terms: Terms
    counts: Term  # valuations that the hypothesis speaks of
    early: Term  # the number of how the call ends if it does not come back; `other` if it does
    inside: tuple[Term, ...]  # for each leaf: whether a valuation is in it
    after: tuple[Term, ...]  # whether the function leads there, if it comes back
    events: tuple[Term, ...]  # for which valuations the call ends early

    @property
    def numbers(self) -> Numbers:
        return Numbers(len(self.inside))

    @property
    def roots(self) -> tuple[Term, ...]:
        return (self.counts, self.early, *self.inside, *self.after)

    @property
    def variables(self) -> list[Term]:
        """The variables of the formula, in an order that is the same in every process."""
        return [t for t in needed(self.roots) if t.operator is Operator.VARIABLE]

    def here(self, number: int) -> Term:
        """Whether a valuation is in a state before the call."""
        return self._one(self.inside, number)

    def leads_to(self, number: int) -> Term:
        """Whether the call leads to a state, or ends as the number says."""
        if number <= self.numbers.other:
            return self.terms.both(self.returns, self.would_lead_to(number))
        return self.terms.equal(self.early, self.terms.constant(number, WIDTH))

    @property
    def returns(self) -> Term:
        return self.terms.equal(self.early, self.terms.constant(self.numbers.other, WIDTH))

    def would_lead_to(self, number: int) -> Term:
        """As `leads_to`, if every call came back: a weaker statement, and a simpler one."""
        return self._one(self.after, number) if number <= self.numbers.other else self.terms.false

    def _one(self, states: Sequence[Term], number: int) -> Term:
        # States do not overlap, or there would be no question to answer.
        if number < self.numbers.states:
            return states[number]
        return self.terms.negation(self.terms.either(*states))

    def packed(self, more: Sequence[Term] = ()) -> Packed:
        return packed([*self.roots, *self.events, *more])

    @staticmethod
    def unpacked(data: Packed, states: int, events: int) -> tuple[Formula, list[Term]]:
        """A formula with so many states and events, and what was packed with it."""
        terms, roots = unpacked(data)
        (counts, early), rest = roots[:2], roots[2:]
        ends = 2 * states + events
        inside, after = tuple(rest[:states]), tuple(rest[states : 2 * states])
        return Formula(terms, counts, early, inside, after, tuple(rest[2 * states : ends])), rest[ends:]
