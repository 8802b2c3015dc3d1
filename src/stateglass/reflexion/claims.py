"""When a hypothesis says that a transition is taken, those that go before it taken into account."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.hypothesis import TransitionClaim
from stateglass.smt import Term

Row = tuple[int, TransitionClaim]
"""A transition and its place in the hypothesis."""


def claimed_when(encoding: Encoding, rows: Sequence[Row], applying: Sequence[Row]) -> Term | None:
    """One of some transitions, each without what those before it take; None if it is not said of one when.

    `applying` are all that apply to the leaf in question.
    """
    terms, conditions, hypothesis = encoding.terms, encoding.conditions, encoding.hypothesis
    found = []
    for number, row in rows:
        before = [conditions.get(n, terms.true) for n, t in applying if hypothesis.gives_way(row, t)]
        own = conditions.get(number)
        if own is None and not before:
            return None
        found.append(terms.both(own or terms.true, terms.negation(terms.either(*before))))
    return terms.either(*found)
