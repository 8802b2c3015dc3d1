"""The exact condition under which each transition is taken, over the comparisons that the code itself makes.

A condition is a disjunction of prime implicants: a call that takes the transition gives a conjunction of comparisons,
the solver says which of them are enough, and the next call is one that the conditions so far do not cover.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from typing import Final, final

from stateglass.evidence import Condition
from stateglass.reflexion.encoding import Encoding
from stateglass.reflexion.wording import LARGEST, NoWords, Wording
from stateglass.smt import Answer, Operator, Solver, Term
from stateglass.smt.operators import signed

MOST_CASES: Final = 24
"""A condition with more alternatives than this is not one that a person reads."""
MOST_ATOMS: Final = 400


@final
class Conditions:
    """Finds conditions for one function."""

    def __init__(self, encoding: Encoding, solver_seconds: float) -> None:
        self._encoding = encoding
        self._terms = encoding.terms
        self._solver = Solver(milliseconds=max(1, int(solver_seconds * 1000)))
        self._solver.add(encoding.counts)
        enums = encoding.unknowns.machine.program.enums
        self._wording = Wording(encoding.terms, encoding.names(), enums, self._always)
        self._atoms = self._readable_atoms()

    def of(self, source: int, targets: Collection[int], deadline: float) -> Condition | None:
        """When one of some targets is reached; None if there was no time for it, or the solver gave up."""
        encoding, terms, solver = self._encoding, self._terms, self._solver
        here = encoding.here(source)
        there = terms.either(*(encoding.leads_to(t) for t in sorted(targets)))
        elsewhere = terms.negation(there)
        if solver.check([here, elsewhere]) is Answer.NO:
            return Condition("always", exact=True)
        cases: list[tuple[Term, ...]] = []
        uncovered = [here, there]
        while len(cases) < MOST_CASES:
            if time.monotonic() > deadline:
                return None
            answer = solver.check(uncovered)
            if answer is Answer.NO:
                return Condition(self._text(self._needed(cases, here)), exact=True)
            if answer is Answer.UNKNOWN:
                return None
            case = [a if solver.value(a) else terms.negation(a) for a in self._atoms]
            answer = solver.check([here, elsewhere, *case])
            if answer is not Answer.NO:
                return self._too_narrow(cases)
            case = self._best(case, here, elsewhere, deadline)
            cases.append(tuple(case))
            uncovered.append(terms.negation(terms.both(*case)))
        return self._too_narrow(cases)

    def _best(self, case: list[Term], here: Term, elsewhere: Term, deadline: float) -> list[Term]:
        """What of a conjunction is enough: the widest there is; of equally wide ones, what a person reads best.

        A value says more than a range, and a range more than what a value is not.
        """
        best: list[Term] | None = None
        for unwanted in ((" != ", " < ", " > ", " <= ", " >= "), (" != ",), ()):
            some = [c for c in case if not any(u in self._wording.truth(c) for u in unwanted)]
            if self._solver.check([here, elsewhere, *some]) is not Answer.NO:
                continue
            enough = set(self._solver.core())
            found = self._smallest([c for c in some if c in enough], [here, elsewhere], deadline)
            if best is None or (self._implies(here, best, found) and not self._implies(here, found, best)):
                best = found
        assert best is not None
        return best

    def _implies(self, here: Term, one: list[Term], other: list[Term]) -> bool:
        return self._solver.check([here, *one, self._terms.negation(self._terms.both(*other))]) is Answer.NO

    def _too_narrow(self, cases: list[tuple[Term, ...]]) -> Condition | None:
        if not cases:
            return None
        return Condition(
            self._text(cases), exact=False, note="and in other cases that the code's comparisons do not tell"
        )

    def _smallest(self, case: list[Term], context: list[Term], deadline: float) -> list[Term]:
        """Leave out what is not needed, the longest words first."""
        for literal in sorted(case, key=lambda c: (-len(self._wording.truth(c)), c.number)):
            if time.monotonic() > deadline:
                break
            rest = [c for c in case if c is not literal]
            if self._solver.check([*context, *rest]) is Answer.NO:
                needed = set(self._solver.core())
                case = [c for c in rest if c in needed]
        return case

    def _needed(self, cases: list[tuple[Term, ...]], here: Term) -> list[tuple[Term, ...]]:
        """Without those that the others cover."""
        terms, left = self._terms, list(cases)
        for case in cases:
            others = [terms.negation(terms.both(*c)) for c in left if c is not case]
            if len(left) > 1 and self._solver.check([here, *case, *others]) is Answer.NO:
                left.remove(case)
        return left

    def _text(self, cases: list[tuple[Term, ...]]) -> str:
        """What all cases have in common comes first."""
        common = [c for c in cases[0] if all(c in case for case in cases)]
        rests = [[c for c in case if c not in common] for case in cases]
        parts = [self._all(common)] if common else []
        if len(cases) > 1:
            texts = [self._all(rest) for rest in rests]
            either = " || ".join(f"({t})" if " && " in t else t for t in texts)
            parts.append(f"({either})" if common else either)
        elif rests[0]:
            parts.append(self._all(rests[0]))
        return " && ".join(parts) or "always"

    def _all(self, case: Iterable[Term]) -> str:
        words = [self._wording.truth(c) for c in sorted(case, key=lambda c: c.number)]
        return " && ".join(f"({w})" if " || " in w and len(words) > 1 else w for w in words)

    # ---- comparisons

    def _always(self, condition: Term) -> bool:
        return self._solver.check([self._terms.negation(condition)]) is Answer.NO

    def _readable_atoms(self) -> list[Term]:
        found: dict[Term, None] = {}
        for term in self._atoms_in_sight():
            atom = term.operands[0] if term.operator is Operator.NOT else term
            if atom in found:
                continue
            try:
                self._wording.truth(atom)
                self._wording.truth(self._terms.negation(atom))
            except NoWords:
                continue
            found[atom] = None
            if len(found) >= MOST_ATOMS:
                break
        return list(found)

    def _atoms_in_sight(self) -> Iterator[Term]:
        """What the code decides by, what the states after the call come to, and both said of the unknowns alone."""
        encoding = self._encoding
        seen: set[Term] = set()
        for root in (*encoding.outcome.decisions, *encoding.after, *encoding.conditions.values()):
            stack = [root]
            while stack:
                term = stack.pop()
                if term in seen:
                    continue
                seen.add(term)
                if term.operator in (Operator.NOT, Operator.AND, Operator.OR, Operator.CHOOSE) and term.width == 0:
                    stack.extend(reversed(term.operands))
                elif (choice := _choice_in(term)) is not None:
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
