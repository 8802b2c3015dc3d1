"""Cases put together to one condition in C, in words that have a meaning wherever it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.reflexion.joining import all_of, any_of
from stateglass.reflexion.simplifying import ALWAYS
from stateglass.smt import Term, Terms

Case = tuple[Term, ...]
"""Comparisons that hold together."""


@final
@dataclass(frozen=True, slots=True)
class Literal:
    """A comparison in C. Brief words mean the same where they have a meaning, and need what holds before them."""

    text: str
    brief: str
    undefined: Term  # where the brief words have no meaning
    guard: str = ""  # what holds where they have one, if the comparison itself says so
    is_loose: bool = False  # it also holds where the brief words have no meaning


@final
class Sentences:
    """Writes cases as C; `literals` are the words of comparisons."""

    def __init__(self, terms: Terms, literals: Mapping[Term, Literal]) -> None:
        self._terms = terms
        self._literals = literals

    def written(self, cases: Sequence[Case]) -> str:
        """C for: one of these cases holds."""
        return any_of(all_of(self._literals[c].text for c in case) for case in cases) or ALWAYS

    def brief(
        self, cases: Sequence[Case], never: Callable[[Term], bool], simplified: Callable[[Sequence[Case]], str | None]
    ) -> str | None:
        """C for the same in brief words, which have no meaning for some values; None if there are none.

        C evaluates from left to right and no further than it needs, so words may rely on what stands before them.
        `never` says whether something cannot be where the condition is read. If nothing else rules out the values for
        which the words have no meaning, a guard in front of them does.
        """
        groups: dict[Case, list[Case]] = {}
        for case in cases:
            partial = tuple(c for c in case if self._literals[c].brief)
            groups.setdefault(partial, []).append(tuple(c for c in case if c not in partial))
        ordered = sorted(groups.items(), key=lambda group: len(group[0]))
        used = {c: self._literals[c] for partial in groups for c in partial}
        is_defined = bool(used) and never(self._undefined(ordered))
        if not is_defined and not all(literal.guard for literal in used.values()):
            return None
        texts = []
        for partial, rests in ordered if used else ():
            first = simplified(rests) or self.written(rests)
            guards = () if is_defined else dict.fromkeys(used[c].guard for c in partial)
            words = [*([first] if first != ALWAYS else []), *guards, *(used[c].brief for c in partial)]
            texts.append(all_of(words))
        return any_of(texts) or None

    def _undefined(self, groups: Sequence[tuple[Case, Sequence[Case]]]) -> Term:
        """That a word of the condition is evaluated for values for which it has no meaning."""
        terms, found, before = self._terms, list[Term](), list[Term]()
        for partial, rests in groups:
            held = [terms.either(*(terms.both(*rest) for rest in rests))]
            for literal in partial:
                found.append(terms.both(*before, *held, self._literals[literal].undefined))
                held.append(literal)
            before.append(terms.negation(terms.both(*held)))
        return terms.either(*found)
