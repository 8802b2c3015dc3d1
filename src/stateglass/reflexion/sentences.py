"""Cases put together to one condition in C, in words that have a meaning wherever it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from stateglass.smt import Term, Terms

MOST_TRIED: Final = 8
"""So many comparisons of one condition are tried in fewer words one by one."""

Case = tuple[Term, ...]
"""Comparisons that hold together."""


@final
@dataclass(frozen=True, slots=True)
class Literal:
    """A comparison in C. Brief words mean the same where they have a meaning, and need what holds before them."""

    text: str
    brief: str
    undefined: Term  # where the brief words have no meaning


@final
class Sentences:
    """Writes cases as C; `literals` are the words of comparisons."""

    def __init__(self, terms: Terms, literals: Mapping[Term, Literal]) -> None:
        self._terms = terms
        self._literals = literals

    def written(self, cases: Sequence[Case], never: Callable[[Term], bool]) -> str:
        """One of some cases. `never` says whether something cannot be where the condition is asked."""
        partial = self._partial(cases)
        brief = set(partial)
        if partial and not never(self._undefined(cases, brief)):
            brief = set()
            for comparison in partial[:MOST_TRIED]:
                if never(self._undefined(cases, {*brief, comparison})):
                    brief.add(comparison)
        return self._text(cases, brief)

    def may_be_brief(self, cases: Sequence[Case]) -> bool:
        return bool(self._partial(cases))

    def _partial(self, cases: Sequence[Case]) -> list[Term]:
        return [c for c in dict.fromkeys(c for case in cases for c in case) if self._literals[c].brief]

    def _undefined(self, cases: Sequence[Case], brief: set[Term]) -> Term:
        """Where a condition has no meaning, as C reads it: from left to right, and not further than it needs."""
        terms, found = self._terms, list[Term]()
        common, rests = self._common(cases)
        before = self._along(common, [], brief, found)
        for rest in rests:
            self._along(rest, before, brief, found)
            before = [*before, terms.negation(terms.both(*rest))]
        return terms.either(*found)

    def _along(self, case: Sequence[Term], before: list[Term], brief: set[Term], found: list[Term]) -> list[Term]:
        for comparison in case:
            if comparison in brief:
                found.append(self._terms.both(*before, self._literals[comparison].undefined))
            before = [*before, comparison]
        return before

    def _common(self, cases: Sequence[Case]) -> tuple[list[Term], list[list[Term]]]:
        """What all cases have in common, and what is left of each."""
        common = [c for c in cases[0] if all(c in case for case in cases)]
        rests = [[c for c in case if c not in common] for case in cases]
        return self._ordered(common), [self._ordered(rest) for rest in rests] if all(rests) else []

    def _ordered(self, case: Iterable[Term]) -> list[Term]:
        """What needs others stands behind them."""
        return sorted(case, key=lambda c: (self._literals[c].brief != "", c.number))

    def _text(self, cases: Sequence[Case], brief: set[Term]) -> str:
        """What all cases have in common comes first."""
        common, rests = self._common(cases)
        parts = self._words(common, brief)
        if rests:
            texts = [_joined(self._words(rest, brief)) for rest in rests]
            parts.append(" || ".join(f"({t})" if " && " in t else t for t in texts))
        return _joined(parts) or "always"

    def _words(self, case: Iterable[Term], brief: set[Term]) -> list[str]:
        return [self._literals[c].brief if c in brief else self._literals[c].text for c in case]


def _joined(words: Sequence[str]) -> str:
    return " && ".join(f"({w})" if " || " in w and len(words) > 1 else w for w in words)
