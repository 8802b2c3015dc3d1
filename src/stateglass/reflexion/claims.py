"""When a hypothesis says that a transition is taken, those that go before it taken into account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stateglass.program.tokens import tokens_of
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.hypothesis import TransitionClaim
from stateglass.smt import Term

Row = tuple[int, TransitionClaim]
"""A transition and its place in the hypothesis."""
_WEAKER: Final = ("||", "?", ",")
"""What binds less than `&&`."""


def claimed_when(encoding: Encoding, rows: Sequence[Row], applying: Sequence[Row]) -> Term | None:
    """When one of these transitions is claimed, each without what goes before it; None if one does not say when.

    `applying` are all transitions that apply to the leaf in question.
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


def claimed_text(
    encoding: Encoding, rows: Sequence[Row], applying: Sequence[Row], may_be: Callable[[Term], bool | None]
) -> str | None:
    """The condition of `claimed_when` in C; None if it is not said when.

    What goes before a transition is left out where it takes nothing from it: `may_be` says whether a condition can hold
    in the leaf, or None.
    """
    terms, conditions, gives_way = encoding.terms, encoding.conditions, encoding.hypothesis.gives_way
    found = []
    for number, row in rows:
        own = conditions.get(number, terms.true)
        before = [(n, "1" if t.condition is None else t.condition.text) for n, t in applying if gives_way(row, t)]
        taking = [text for n, text in before if may_be(terms.both(own, conditions.get(n, terms.true))) is not False]
        parts = [] if row.condition is None else [row.condition.text]
        if not parts:
            taking = taking or [text for _, text in before]
        if not parts and not taking:
            return None
        found.append(" && ".join([*(_operand(p) if taking else p for p in parts), *(f"!({text})" for text in taking)]))
    return " || ".join(found if len(found) == 1 else [f"({text})" for text in found])


def _operand(text: str) -> str:
    """A condition as an operand of `&&`."""
    depth = 0
    for token in tokens_of(text):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth == 0 and token.text in _WEAKER:
            return f"({text})"
    return text
