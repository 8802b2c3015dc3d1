"""The comparisons that conditions are made of: those of the code itself, said of what is not known before a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.wording import LARGEST, NoWords, Wording
from stateglass.smt import Answer, Operator, Solver, Term
from stateglass.smt.operators import signed

MOST_ATOMS: Final = 400
MOST_CHOICES: Final = 300
"""Comparisons of what is chosen between that are looked into: those of a long loop have no end."""


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, its opposite, and both in C."""

    term: Term
    opposite: Term
    text: str
    opposite_text: str


def comparisons_in(encoding: Encoding, solver: Solver) -> list[Comparison]:
    """Those that there are words for."""
    return _Looking(encoding, solver).found()


@final
class _Looking:
    """Looks through one function."""

    def __init__(self, encoding: Encoding, solver: Solver) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._solver = solver
        enums = encoding.unknowns.machine.program.enums
        self._wording = Wording(encoding.terms, encoding.names(), enums, self._always)

    def _always(self, condition: Term) -> bool:
        return self._solver.check([self._terms.negation(condition)]) is Answer.NO

    def found(self) -> list[Comparison]:
        found: dict[Term, Comparison] = {}
        for term in self._atoms_in_sight():
            atom = term.operands[0] if term.operator is Operator.NOT else term
            if atom in found:
                continue
            opposite = self._terms.negation(atom)
            try:
                found[atom] = Comparison(atom, opposite, self._wording.truth(atom), self._wording.truth(opposite))
            except NoWords:
                continue
            if len(found) >= MOST_ATOMS:
                break
        return list(found.values())

    def _atoms_in_sight(self) -> Iterator[Term]:
        """What the code decides by, what the states after the call come to, and both said of the unknowns alone."""
        encoding = self._encoding
        seen: set[Term] = set()
        choices = 0
        for root in (*encoding.outcome.decisions, *encoding.formula.after, *encoding.conditions.values()):
            stack = [root]
            while stack:
                term = stack.pop()
                if term in seen:
                    continue
                seen.add(term)
                if term.operator in (Operator.NOT, Operator.AND, Operator.OR, Operator.CHOOSE) and term.width == 0:
                    stack.extend(reversed(term.operands))
                elif (choice := _choice_in(term)) is not None:
                    choices += 1
                    if choices > MOST_CHOICES:
                        continue
                    # What is chosen by, and the comparison with each of what is chosen.
                    stack += [self._terms.replaced(term, choice, c) for c in choice.operands[1:]]
                    stack.append(choice.operands[0])
                elif term.operator is not Operator.VALUE:
                    yield from self._moved(term)
                    yield term

    def _compared(self, operator: Operator, left: Term, right: Term) -> Term:
        return (
            self._terms.equal(left, right) if operator is Operator.EQUAL else self._terms.compare(operator, left, right)
        )

    def _moved(self, term: Term) -> Iterator[Term]:
        """`x - 1 > 0` as `x > 1`: not the same where it overflows, but the solver will tell."""
        if len(term.operands) != 2 or term.operator not in _COMPARED:
            return
        terms = self._terms
        for place, sum in enumerate(term.operands):
            other = term.operands[1 - place]
            if sum.operator is not Operator.ADD or other.operator is not Operator.VALUE:
                continue
            variable, by = sum.operands
            if by.operator is not Operator.VALUE:
                continue
            limit = signed(other.extra, other.width) - signed(by.extra, by.width)
            constant = terms.constant(limit, variable.width)
            sides = (variable, constant) if place == 0 else (constant, variable)
            yield self._compared(term.operator, *sides)


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


_COMPARED: Final = (
    Operator.EQUAL,
    Operator.LESS,
    Operator.LESS_EQUAL,
    Operator.SIGNED_LESS,
    Operator.SIGNED_LESS_EQUAL,
)
