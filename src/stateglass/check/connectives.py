"""What the connectives of formulas make of the truth of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from stateglass.check.truth import Truth
from stateglass.logic import temporal as t

Connective = t.Not | t.And | t.Or | t.Implies | t.Iff


def connected(formula: Connective, inner: Sequence[Truth]) -> Truth:
    """The truth of a formula, given that of its parts."""
    match formula:
        case t.Not():
            return inner[0].negated()
        case t.And():
            return inner[0].and_also(inner[1])
        case t.Or():
            return inner[0].or_else(inner[1])
        case t.Implies():
            return inner[0].negated().or_else(inner[1])
        case t.Iff():
            both, none = inner[0].and_also(inner[1]), inner[0].negated().and_also(inner[1].negated())
            return both.or_else(none)
        case _:
            assert_never(formula)
