"""From a formula in negation normal form to a generalised Büchi automaton whose transitions accept.

A state is a set of formulas that the rest of the run has to satisfy. Each way to satisfy them has letters for the
position at hand, formulas for the rest, and promises: until-formulas whose right side was put off. A run is accepted
if no promise is made for ever without end (Couvreur: On-the-fly verification of linear temporal logic, 1999). Labels
are sets of letters that occur, held as the bits of a number: a way that no letter goes is dropped at once. Exponential
in the formula at worst, as any such translation; what is too large is given up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never, final

from stateglass.check.ltl.alphabet import Alphabet
from stateglass.check.ltl.automaton import Automaton, Transition, letters_of
from stateglass.check.ltl.limits import ALTERNATIVES, STATES, WORK, TooLargeError
from stateglass.check.ltl.terms import FALSE, TRUE, Kind, Terms

_FEW: Final = 200
"""Up to so many ways are compared with each other."""

_NOTHING: Final[frozenset[int]] = frozenset()


@final
@dataclass(frozen=True, slots=True)
class _Way:
    """A way to satisfy formulas: letters, what the rest of the run has to satisfy, and what was put off."""

    letters: int
    rest: frozenset[int]
    promises: frozenset[int]


def translated(term: int, terms: Terms, alphabet: Alphabet, *, strict: bool) -> Automaton:
    """The automaton of a formula.

    Letters in which an atom is undecided satisfy it and its negation, or none of both if `strict`.
    """
    return _Translation(terms, alphabet, strict).automaton(term)


def literals(term: int, terms: Terms) -> set[int]:
    """The atoms of a formula."""
    seen = {term}
    work = [term]
    atoms: set[int] = set()
    while work:
        top = work.pop()
        if terms.kinds[top] is Kind.LITERAL:
            atoms.add(terms.parts[top][0] >> 1)
            continue
        new = set(terms.parts[top]) - seen
        seen |= new
        work += new
    return atoms


@final
class _Translation:
    """The ways to satisfy formulas, found once for each."""

    def __init__(self, terms: Terms, alphabet: Alphabet, strict: bool) -> None:
        self._terms = terms
        self._all = (1 << alphabet.letters) - 1
        # Truth is 0, 1 (undecided) or 2: a run is certain if each atom is decided, possible if none is against it.
        least = 2 if strict else 1
        self._letters: dict[int, int] = {}
        for atom, row in alphabet.atoms.items():
            self._letters[2 * atom] = letters_of(row >= least)
            self._letters[2 * atom + 1] = letters_of(row <= 2 - least)
        self._ways: dict[int, list[_Way]] = {}
        self._cost = 0
        self._work = 0
        # What a way costs: sets of letters are long numbers, and of many letters these are most of the work.
        self._unit = 1 + (alphabet.letters >> 12)

    def automaton(self, term: int) -> Automaton:
        start = frozenset(self._terms.conjuncts(term))
        numbers = {start: 0}
        transitions: list[list[tuple[int, int, frozenset[int]]]] = []
        waiting = [start]
        while len(transitions) < len(waiting):
            found: list[tuple[int, int, frozenset[int]]] = []
            for way in self._of_set(waiting[len(transitions)]):
                number = numbers.get(way.rest)
                if number is None:
                    number = len(waiting)
                    if number >= STATES:
                        raise TooLargeError(f"its automaton has more than {STATES:,} states")
                    numbers[way.rest] = number
                    waiting.append(way.rest)
                found.append((way.letters, number, way.promises))
            transitions.append(found)
        # A promise that is made for ever is broken: a transition bears the mark of each promise that it does not make.
        promised = sorted({promise for row in transitions for _, _, promises in row for promise in promises})
        bit = {promise: 1 << number for number, promise in enumerate(promised)}
        everything = (1 << len(promised)) - 1
        return Automaton(
            tuple(
                tuple(Transition(ls, to, everything & ~sum(bit[p] for p in promises)) for ls, to, promises in row)
                for row in transitions
            ),
            len(promised),
        )

    def _of_set(self, formulas: frozenset[int]) -> list[_Way]:
        if FALSE in formulas:
            return []
        ways = [_Way(self._all, _NOTHING, _NOTHING)]
        # Literals first: they leave the fewest letters for the others.
        order = sorted(formulas, key=lambda term: (self._terms.kinds[term] is not Kind.LITERAL, term))
        for term in order:
            ways = self._product(ways, self._of(term))
        return self._paid(ways)

    def _of(self, term: int) -> list[_Way]:
        work = [term]
        while work:
            top = work[-1]
            if top in self._ways:
                work.pop()
                continue
            now = self._terms.parts[top] if self._terms.kinds[top] not in (Kind.LITERAL, Kind.NEXT) else ()
            missing = [part for part in now if part not in self._ways]
            if missing:
                work += missing
            else:
                self._ways[top] = self._paid(self._satisfied(top))
        return self._ways[term]

    def _satisfied(self, term: int) -> list[_Way]:
        parts = self._terms.parts[term]
        everything = [_Way(self._all, _NOTHING, _NOTHING)]
        match self._terms.kinds[term]:
            case Kind.TRUE:
                return everything
            case Kind.FALSE:
                return []
            case Kind.LITERAL:
                letters = self._letters[parts[0]]
                return [_Way(letters, _NOTHING, _NOTHING)] if letters else []
            case Kind.NEXT:
                return self._later(parts[0], _NOTHING)
            case Kind.AND:
                ways = everything
                for part in parts:
                    ways = self._product(ways, self._ways[part])
                return ways
            case Kind.OR:
                return self._merged(way for part in parts for way in self._ways[part])
            case Kind.UNTIL:
                # a U b is b, or a and then a U b again, with the promise that b comes.
                left, right = (self._ways[part] for part in parts)
                put_off = self._product(left, self._later(term, frozenset({term})))
                return self._merged([*right, *put_off])
            case Kind.RELEASE:
                # a R b is b, and a or then a R b again; it may go on for ever.
                left, right = (self._ways[part] for part in parts)
                return self._product(right, self._merged([*left, *self._later(term, _NOTHING)]))
            case _ as other:
                assert_never(other)

    def _later(self, term: int, promises: frozenset[int]) -> list[_Way]:
        if term == FALSE:
            return []
        return [_Way(self._all, frozenset(self._terms.conjuncts(term)) - {TRUE}, promises)]

    def _product(self, ways: list[_Way], others: list[_Way]) -> list[_Way]:
        if len(ways) * len(others) > ALTERNATIVES:
            raise TooLargeError(f"there are more than {ALTERNATIVES:,} ways to satisfy its parts")
        found = self._merged(
            _Way(letters, way.rest | other.rest, way.promises | other.promises)
            for way in ways
            for other in others
            if (letters := way.letters & other.letters)
        )
        self._work += sum(self._unit + len(way.rest) + len(way.promises) for way in found)
        if self._work > WORK:
            raise TooLargeError(f"putting the ways to satisfy its parts together takes more than {WORK:,} steps")
        return found

    def _merged(self, ways: Iterable[_Way]) -> list[_Way]:
        """Fewer ways for the same: those that differ in letters only are one.

        Where another way asks for no more and promises no more, it is as good for its letters: these are taken from the
        one that asks for more.
        """
        found: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        for way in ways:
            key = (way.rest, way.promises)
            found[key] = found.get(key, 0) | way.letters
        rows = sorted(found.items(), key=lambda row: (len(row[0][0]) + len(row[0][1]), sorted(row[0][0])))
        if len(rows) > _FEW:
            return [_Way(letters, rest, promises) for (rest, promises), letters in rows]
        kept: list[_Way] = []
        for (rest, promises), letters in rows:
            for easier in kept:
                if easier.letters & letters and easier.rest <= rest and easier.promises <= promises:
                    letters &= ~easier.letters
            if letters:
                kept.append(_Way(letters, rest, promises))
        return kept

    def _paid(self, ways: list[_Way]) -> list[_Way]:
        self._cost += sum(self._unit + len(way.rest) + len(way.promises) for way in ways)
        if self._cost > ALTERNATIVES:
            raise TooLargeError(f"there are more than {ALTERNATIVES:,} ways to satisfy its parts")
        return ways
