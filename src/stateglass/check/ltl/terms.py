"""Linear formulas in negation normal form, each of them once, simplified as they are made.

The laws are those of Etessami and Holzmann (Optimizing Büchi automata, 2000) and of Somenzi and Bloem (Efficient Büchi
automata from LTL formulae, 2000). A formula is a number; its parts have lower numbers. Nothing here is recursive.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, unique
from typing import Final, final

from stateglass.check.ltl.limits import MEMBERS, TERMS, TooLargeError


@final
@unique
class Kind(Enum):
    """What a formula is."""

    TRUE = "true"
    FALSE = "false"
    LITERAL = "literal"  # parts: twice the number of an atom, and one more if it is negated
    AND = "and"
    OR = "or"
    NEXT = "next"
    UNTIL = "until"
    RELEASE = "release"


TRUE: Final = 0
FALSE: Final = 1


@final
class Terms:
    """A growing table of formulas."""

    def __init__(self) -> None:
        self.kinds = [Kind.TRUE, Kind.FALSE]
        self.parts: list[tuple[int, ...]] = [(), ()]
        # If a suffix of a word satisfies an eventual formula, so does the word; universal ones are the other way round.
        self._eventual = [True, True]
        self._universal = [True, True]
        self._size = 0  # of all formulas together
        self._known: dict[tuple[Kind, tuple[int, ...]], int] = {(Kind.TRUE, ()): TRUE, (Kind.FALSE, ()): FALSE}

    def literal(self, atom: int, positive: bool) -> int:
        return self._made(Kind.LITERAL, (2 * atom + (not positive),), eventual=False, universal=False)

    def conjunction(self, terms: Iterable[int]) -> int:
        return self._joined(Kind.AND, terms)

    def disjunction(self, terms: Iterable[int]) -> int:
        return self._joined(Kind.OR, terms)

    def next(self, term: int) -> int:
        # What does not depend on any finite beginning holds after a step if it holds now.
        if self._eventual[term] and self._universal[term]:
            return term
        return self._made(Kind.NEXT, (term,), eventual=self._eventual[term], universal=self._universal[term])

    def eventually(self, term: int) -> int:
        return self.until(TRUE, term)

    def always(self, term: int) -> int:
        return self.release(FALSE, term)

    def until(self, left: int, right: int) -> int:
        if right in (TRUE, FALSE) or left in (FALSE, right) or self._eventual[right]:
            return right
        if self.kinds[right] is Kind.UNTIL and self.parts[right][0] == left:
            return right
        while left == TRUE and self.kinds[right] is Kind.UNTIL:
            right = self.parts[right][1]
        if left == TRUE and self.kinds[right] is Kind.OR:
            pure = [part for part in self.parts[right] if self._eventual[part]]
            if pure:
                rest = self.disjunction(part for part in self.parts[right] if not self._eventual[part])
                return self.disjunction([*pure, self.until(TRUE, rest)])
        if self.kinds[right] is Kind.AND:
            # What holds for ever once it holds at all, and held before, can be said at once.
            both = [part for part in self.parts[right] if self._eventual[part] and self._universal[part]]
            if both:
                rest = self.conjunction(part for part in self.parts[right] if part not in both)
                return self.conjunction([*both, self.until(left, rest)])
        eventual = left == TRUE or (self._eventual[left] and self._eventual[right])
        universal = self._universal[left] and self._universal[right]
        return self._made(Kind.UNTIL, (left, right), eventual=eventual, universal=universal)

    def release(self, left: int, right: int) -> int:
        if right in (TRUE, FALSE) or left in (TRUE, right) or self._universal[right]:
            return right
        if self.kinds[right] is Kind.RELEASE and self.parts[right][0] == left:
            return right
        while left == FALSE and self.kinds[right] is Kind.RELEASE:
            right = self.parts[right][1]
        if left == FALSE and self.kinds[right] is Kind.AND:
            pure = [part for part in self.parts[right] if self._universal[part]]
            if pure:
                rest = self.conjunction(part for part in self.parts[right] if not self._universal[part])
                return self.conjunction([*pure, self.release(FALSE, rest)])
        if self.kinds[right] is Kind.OR:
            both = [part for part in self.parts[right] if self._eventual[part] and self._universal[part]]
            if both:
                rest = self.disjunction(part for part in self.parts[right] if part not in both)
                return self.disjunction([*both, self.release(left, rest)])
        eventual = self._eventual[left] and self._eventual[right]
        universal = left == FALSE or (self._universal[left] and self._universal[right])
        return self._made(Kind.RELEASE, (left, right), eventual=eventual, universal=universal)

    def conjuncts(self, term: int) -> tuple[int, ...]:
        """The formulas that a conjunction consists of; none for true."""
        if term == TRUE:
            return ()
        return self.parts[term] if self.kinds[term] is Kind.AND else (term,)

    def _joined(self, kind: Kind, terms: Iterable[int]) -> int:
        neutral, dominant = (TRUE, FALSE) if kind is Kind.AND else (FALSE, TRUE)
        members: set[int] = set()
        for term in terms:
            members.update(self.parts[term] if self.kinds[term] is kind else (term,))
        members.discard(neutral)
        if dominant in members or self._has_opposites(members):
            return dominant
        members = self._merged(kind, members)
        members.discard(neutral)
        if dominant in members:
            return dominant
        other = Kind.OR if kind is Kind.AND else Kind.AND
        # a & (a | b) is a.
        absorbed = {m for m in members if self.kinds[m] is other and any(part in members for part in self.parts[m])}
        members -= absorbed
        if len(members) < 2:
            return next(iter(members), neutral)
        return self._made(
            kind,
            tuple(sorted(members)),
            eventual=all(self._eventual[m] for m in members),
            universal=all(self._universal[m] for m in members),
        )

    def _has_opposites(self, members: set[int]) -> bool:
        literals = {self.parts[m][0] for m in members if self.kinds[m] is Kind.LITERAL}
        return any(literal ^ 1 in literals for literal in literals)

    def _merged(self, kind: Kind, members: set[int]) -> set[int]:
        """G in conjunctions and F in disjunctions of several formulas as one; likewise FG and GF."""
        conjunctive = kind is Kind.AND
        wrap, twice = (self.always, self.eventually) if conjunctive else (self.eventually, self.always)
        once = {m: self._inside(m, always=conjunctive) for m in members}
        pure = {m: inner for m, inner in once.items() if inner is not None}
        inside = {m: self._inside(m, always=not conjunctive) for m in members if m not in pure}
        again = {m: self._inside(i, always=conjunctive) for m, i in inside.items() if i is not None}
        again_pure = {m: inner for m, inner in again.items() if inner is not None}
        merged = set(members)
        if len(pure) > 1:
            merged = (merged - pure.keys()) | {wrap(self._joined(kind, pure.values()))}
        if len(again_pure) > 1:
            merged = (merged - again_pure.keys()) | {twice(wrap(self._joined(kind, again_pure.values())))}
        return {part for m in merged for part in (self.parts[m] if self.kinds[m] is kind else (m,))}

    def _inside(self, term: int, *, always: bool) -> int | None:
        """The formula that is said to hold always, or eventually, if the term is of this form."""
        kind, neutral = (Kind.RELEASE, FALSE) if always else (Kind.UNTIL, TRUE)
        return self.parts[term][1] if self.kinds[term] is kind and self.parts[term][0] == neutral else None

    def _made(self, kind: Kind, parts: tuple[int, ...], *, eventual: bool, universal: bool) -> int:
        found = self._known.get((kind, parts))
        if found is None:
            found = len(self.kinds)
            self._size += 1 + len(parts)
            if found > TERMS or self._size > MEMBERS:
                raise TooLargeError("it has too many parts when its bounded operators are written out")
            self._known[kind, parts] = found
            self.kinds.append(kind)
            self.parts.append(parts)
            self._eventual.append(eventual)
            self._universal.append(universal)
        return found
