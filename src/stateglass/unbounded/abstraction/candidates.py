"""Conditions that may tell the states of a rest apart in a useful way, the most useful ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Final, final

from stateglass.explore.stretches import Slot
from stateglass.program import Int
from stateglass.smt import Operator, Term, needed
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.predicates import State

MOST_SLOTS: Final = 12
MOST_CONSTANTS: Final = 12
MOST_CASES: Final = 16
MOST_BITS: Final = 4
MOST_COMPUTED: Final = 4


@final
class Candidates:
    """Makes candidates for an abstraction."""

    def __init__(self, abstraction: Abstraction) -> None:
        self._abstraction = abstraction
        self._flow = abstraction.flow
        self._slots = {slot.term: slot for rest in self._flow.rests for slot in rest.slots}

    def of(self, state: State, run: Term) -> tuple[list[Term], list[Term]]:
        """Candidates for a formula that they are to rule out: what is asked elsewhere and by the code; and more."""
        predicates = self._abstraction.predicates
        # Once a state says which constant a slot is equal to, nothing more is to be asked about the slot.
        known = {question for question, _ in predicates.questions(state) if question.subject is not None}
        questions = [question for question in predicates.questions_at(state.rest) if question not in known]
        asked = [predicate for question in questions for predicate in question.predicates]
        return list(dict.fromkeys([*asked, *self.atoms([run])])), self._shapes(run)

    def exact(self, run: Term, values: Mapping[Term, int]) -> list[Term]:
        """That the slots of a formula hold certain values, or at most or at least these."""
        terms = self._flow.terms
        found: list[Term] = []
        for node in needed([run]):
            if node in self._slots and node.width:
                constant, less = terms.constant(values[node], node.width), _less(self._slots[node])
                found += [terms.compare(less, node, constant), terms.compare(less, constant, node)]
                found.append(terms.equal(node, constant))
        return [term for term in dict.fromkeys(found) if term.operator is not Operator.VALUE]

    def atoms(self, formulas: Iterable[Term]) -> list[Term]:
        """The conditions in formulas that speak of slots alone and are not made of others."""
        pure: dict[Term, bool] = {}  # whether it speaks of slots alone
        plain: dict[Term, bool] = {}  # whether it chooses nothing, either
        found: dict[Term, None] = {}
        for node in needed(formulas):
            if node.operator is Operator.VARIABLE:
                pure[node] = plain[node] = node in self._slots
            else:
                pure[node] = all(pure[o] for o in node.operands)
                plain[node] = node.operator is not Operator.CHOOSE and all(plain[o] for o in node.operands)
            if pure[node] and node.width == 0 and node.operator not in _CONNECTIVES:
                found.update(dict.fromkeys([node] if plain[node] else self._by_cases(node)))
        return list(found)

    def _by_cases(self, atom: Term) -> list[Term]:
        """A comparison of what conditions choose, for each of the things that they choose."""
        if len(atom.operands) != 2 or not atom.operands[0].width:
            return []
        sides = [self._chosen(side) for side in atom.operands]
        compared = [self._flow.terms.remade(atom, both) for both in islice(product(*sides), MOST_CASES)]
        return [term for term in compared if term.operator not in _CONNECTIVES]

    def _chosen(self, row: Term) -> list[Term]:
        """What a row of bits may be, whatever conditions choose within it; at most so many."""
        terms = self._flow.terms
        found: dict[Term, list[Term]] = {}
        for node in needed([row]):
            if not node.operands or not node.width:
                found[node] = [node]
            elif node.operator is Operator.CHOOSE:
                found[node] = list(dict.fromkeys(found[node.operands[1]] + found[node.operands[2]]))[:MOST_CASES]
            else:
                ways = islice(product(*(found[operand] for operand in node.operands)), MOST_CASES)
                found[node] = list(dict.fromkeys(terms.remade(node, way) for way in ways))
        return found[row]

    def _shapes(self, run: Term) -> list[Term]:
        """Comparisons of the slots of a formula, and of what it computes of them, with each other and constants."""
        terms = self._flow.terms
        nodes = needed([run])
        slots = [self._slots[node] for node in nodes if node in self._slots and node.width][:MOST_SLOTS]
        found: list[Term] = []
        for a, b in combinations(slots, 2):
            if a.term.width == b.term.width:
                less = _less(a) if _less(a) is _less(b) else Operator.LESS_EQUAL
                found.append(terms.equal(a.term, b.term))
                found.append(terms.compare(less, a.term, b.term))
                found.append(terms.compare(less, b.term, a.term))
        bits = self._bits(nodes)
        for slot in slots:
            found += bits.get(slot.term, ()) or self._with_constants(slot.term, _less(slot), nodes)
            found.append(terms.equal(terms.part(slot.term, 0, 0), terms.constant(0, 1)))
        for row, less in self._compared(run):
            found += self._with_constants(row, less, nodes)
        return [term for term in dict.fromkeys(found) if term.operator is not Operator.VALUE]

    def _compared(self, run: Term) -> list[tuple[Term, Operator]]:
        """What a formula computes of several slots and compares with a constant, and how."""
        found: dict[tuple[Term, Operator], None] = {}
        for atom in self.atoms([run]):
            if len(atom.operands) == 2 and atom.operands[1].operator is Operator.VALUE:
                row = atom.operands[0]
                if sum(node in self._slots for node in needed([row])) > 1:
                    signed = atom.operator in (Operator.SIGNED_LESS, Operator.SIGNED_LESS_EQUAL)
                    found[row, Operator.SIGNED_LESS_EQUAL if signed else Operator.LESS_EQUAL] = None
        return list(found)[:MOST_COMPUTED]

    def _bits(self, nodes: Sequence[Term]) -> dict[Term, list[Term]]:
        """By slot: questions for its bits, where it is a set of bits that are set and tested."""
        terms = self._flow.terms
        found: dict[Term, dict[Term, None]] = {}
        for node in nodes:
            if node.operator in (Operator.BIT_AND, Operator.BIT_OR) and node.operands[1].operator is Operator.VALUE:
                slots = [n for n in needed([node.operands[0]]) if n in self._slots and n.width == node.width]
                mask: int = node.operands[1].extra
                bits = [1 << k for k in range(node.width) if mask >> k & 1]
                for slot in slots if len(bits) <= MOST_BITS else ():
                    for bit in bits:
                        tested = terms.binary(Operator.BIT_AND, slot, terms.constant(bit, node.width))
                        found.setdefault(slot, {})[terms.equal(tested, terms.constant(0, node.width))] = None
        return {slot: list(questions) for slot, questions in found.items()}

    def _with_constants(self, row: Term, less: Operator, nodes: Sequence[Term]) -> Iterator[Term]:
        terms, width = self._flow.terms, row.width
        numbers = dict.fromkeys([0, 1])
        numbers.update(dict.fromkeys(n.extra for n in nodes if n.operator is Operator.VALUE and n.width == width))
        for number in list(numbers)[:MOST_CONSTANTS]:
            constant = terms.constant(number, width)
            yield terms.equal(row, constant)
            yield terms.compare(less, row, constant)
            yield terms.compare(less, constant, row)


_CONNECTIVES: Final = (Operator.VALUE, Operator.NOT, Operator.AND, Operator.OR, Operator.CHOOSE)


def _less(slot: Slot) -> Operator:
    signed = isinstance(slot.type, Int) and slot.type.signed
    return Operator.SIGNED_LESS_EQUAL if signed else Operator.LESS_EQUAL
