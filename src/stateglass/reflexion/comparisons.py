"""The comparisons that conditions are made of: those of the code itself, said of what is not known before a call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, final

from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.faults import comparisons_of, unwrapped, widened
from stateglass.reflexion.joining import all_of, any_of
from stateglass.reflexion.pointer_words import PointerWords, Said
from stateglass.reflexion.wording import LARGEST, NoWords, Vocabulary, Wording
from stateglass.smt import Answer, Operator, Solver, Term

MOST_ATOMS: Final = 400
MOST_CHOICES: Final = 300
"""Comparisons of what is chosen between that are looked into: those of a long loop have no end."""


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, its opposite, and both in C; in brief, if fewer words mean the same but not everywhere."""

    term: Term
    opposite: Term
    text: str
    opposite_text: str
    undefined: Term  # where the brief words have no meaning
    brief: str = ""
    opposite_brief: str = ""
    guard: str = ""  # what it says to rule that out; then its opposite allows it


def comparisons_in(encoding: Encoding, vocabulary: Vocabulary, solver: Solver) -> list[Comparison]:
    """The comparisons of a function that can be written in C."""
    return _Looking(encoding, vocabulary, solver).found()


@final
class _Looking:
    """Looks through one function."""

    def __init__(self, encoding: Encoding, vocabulary: Vocabulary, solver: Solver) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._solver = solver
        self._pointers = PointerWords(encoding)
        self._wording = Wording(encoding.terms, encoding.names(), vocabulary, self._always, encoding.reached())
        self._said = {said.term: said for said in self._pointers.found()}
        for said in self._said.values():
            self._wording.learn(said.term, said.text)
            self._wording.learn(self._terms.negation(said.term), said.opposite)

    def _always(self, condition: Term) -> bool:
        return self._solver.check([self._terms.negation(condition)]) is Answer.NO

    def found(self) -> list[Comparison]:
        found: dict[Term, Comparison] = {}
        for term in self._atoms_in_sight():
            atom = term.operands[0] if term.operator is Operator.NOT else term
            for comparison in () if atom in found else self._in_words(atom):
                found.setdefault(comparison.term, comparison)
            if len(found) >= MOST_ATOMS:
                break
        found |= {said.term: self._plain(said) for said in self._said.values()}
        return list(found.values())

    def _plain(self, said: Said) -> Comparison:
        terms = self._terms
        return Comparison(said.term, terms.negation(said.term), said.text, said.opposite, terms.false)

    def _in_words(self, atom: Term) -> Iterator[Comparison]:
        """A comparison, if there are words for it that mean it everywhere."""
        pointers = self._pointers.compared(atom)
        if pointers is not None:
            yield self._plain(pointers)
            return
        try:
            yield self._plain(Said(atom, self._wording.truth(atom), self._wording.truth(self._terms.negation(atom))))
        except NoWords:
            with suppress(NoWords):
                yield from self._guarded(atom)

    def _guarded(self, atom: Term) -> Iterator[Comparison]:
        """A comparison whose words have no meaning for some values: with room for them, or with what rules them out."""
        terms, wording = self._terms, self._wording
        opposite = terms.negation(atom)
        (text, undefined), (opposite_text, _) = wording.partial(atom), wording.partial(opposite)
        wide = widened(terms, atom)
        if wide is not None and self._always(terms.either(undefined, terms.equal(wide, atom))):
            not_wide = terms.negation(wide)
            with suppress(NoWords):
                words = wording.truth(wide), wording.truth(not_wide)
                if len(words[0]) < len(text):
                    yield Comparison(wide, not_wide, *words, terms.false)
                else:
                    yield Comparison(wide, not_wide, *words, undefined, text, opposite_text)
                return
        guard, no_guard = wording.truth(terms.negation(undefined)), wording.truth(undefined)
        for one, brief, other in ((atom, text, opposite_text), (opposite, opposite_text, text)):
            holds = terms.both(terms.negation(undefined), one)
            whole = all_of((guard, brief)), any_of((no_guard, other))
            yield Comparison(holds, terms.negation(holds), *whole, undefined, brief, other, guard)

    def _atoms_in_sight(self) -> Iterator[Term]:
        """What the code decides by, what the states after the call come to, and both said of the unknowns alone."""
        encoding = self._encoding
        seen: set[Term] = set()
        choices = 0
        events = (event.when for event in encoding.outcome.events)
        for root in (*encoding.outcome.decisions, *encoding.formula.after, *encoding.conditions.values(), *events):
            stack = [root]
            while stack:
                term = stack.pop()
                if term in seen:
                    continue
                seen.add(term)
                if term.operator in (Operator.NOT, Operator.AND, Operator.OR, Operator.CHOOSE) and term.width == 0:
                    stack.extend(reversed(term.operands))
                elif self._pointers.compared(term) is not None:
                    yield term
                elif (choice := _choice_in(term)) is not None:
                    choices += 1
                    if choices > MOST_CHOICES:
                        continue
                    # What is chosen by, and the comparison with each of what is chosen.
                    stack += [self._terms.replaced(term, choice, c) for c in choice.operands[1:]]
                    stack.append(choice.operands[0])
                elif term.operator is not Operator.VALUE:
                    yield from unwrapped(self._terms, term)
                    yield from list(comparisons_of(self._terms, term)) or [term]


def _choice_in(term: Term) -> Term | None:
    """A number in a comparison that depends on a condition."""
    stack, count = [term], 0
    while stack and count < LARGEST:
        found = stack.pop()
        count += 1
        if found.operator is Operator.CHOOSE and found.width:
            return found
        stack.extend(found.operands)
    return None
