"""Truth values and what they connect and choose between, simplified as they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, final

from stateglass.smt.operators import Operator
from stateglass.smt.store import Store
from stateglass.smt.term import Term

MOST_FLATTENED: Final = 16
"""A conjunction or disjunction with at most so many operands becomes part of the one it stands in."""


@final
class Truths:
    """Connects truth values, and chooses by them between terms of either kind."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def negation(self, a: Term) -> Term:
        if a.operator is Operator.VALUE:
            return self._store.false if a.extra else self._store.true
        if a.operator is Operator.NOT:
            return a.operands[0]
        return self._store.make(Operator.NOT, (a,), 0)

    def both(self, *operands: Term) -> Term:
        """All of some truth values."""
        return self._connect(Operator.AND, operands, self._store.true, self._store.false)

    def either(self, *operands: Term) -> Term:
        """One of some truth values, or more."""
        return self._connect(Operator.OR, operands, self._store.false, self._store.true)

    def _connect(self, operator: Operator, operands: Iterable[Term], neutral: Term, strong: Term) -> Term:
        # Only laws that can be told from the operands and theirs: each costs a look at them, and deeper ones are the
        # solver's business.
        found: dict[Term, None] = {}
        for operand in operands:
            if operand is strong:
                return strong
            if operand.operator is operator and len(operand.operands) <= MOST_FLATTENED:
                found.update(dict.fromkeys(operand.operands))
            elif operand is not neutral:
                found[operand] = None
        dual = Operator.OR if operator is Operator.AND else Operator.AND
        absorbed = []
        for operand in found:
            if operand.operator is Operator.NOT:
                inner = operand.operands[0]
                # a | !a, and a | b | !(a | b), are true; a & !a, and a & b & !(a & b), are false.
                if inner in found or (inner.operator is operator and all(i in found for i in inner.operands)):
                    return strong
            elif operand.operator is dual and any(i in found for i in operand.operands):
                absorbed.append(operand)  # a | (a & b) is a
        for operand in absorbed:
            del found[operand]
        if len(found) == 2:
            merged = self._opposite(operator, dual, *found)
            if merged is not None:
                return merged
        if not found:
            return neutral
        if len(found) == 1:
            return next(iter(found))
        return self._store.make(operator, tuple(sorted(found, key=_number)), 0)

    def _opposite(self, operator: Operator, dual: Operator, a: Term, b: Term) -> Term | None:
        """`(g & c) | (g & !c)` is `g`, `c | (g & !c)` is `c | g`; the same with both connectives exchanged."""
        first = a.operands if a.operator is dual else (a,)
        second = b.operands if b.operator is dual else (b,)
        if len(first) > len(second):
            first, second = second, first
        others = set(second)
        lost = [x for x in first if x not in others]
        if len(lost) == 1:
            inverse = self.negation(lost[0])
            if inverse in others:
                rest = [x for x in second if x is not inverse]
                left = self._connect(dual, rest, *self._units(dual))
                if len(first) == len(second):
                    return left
                if len(first) == 1:
                    return self._connect(operator, (lost[0], left), *self._units(operator))
        return None

    def _units(self, operator: Operator) -> tuple[Term, Term]:
        return (
            (self._store.true, self._store.false) if operator is Operator.AND else (self._store.false, self._store.true)
        )

    def choose(self, condition: Term, then: Term, other: Term) -> Term:
        """`then` if the condition is true, else `other`; of either kind."""
        if condition is self._store.true or then is other:
            return then
        if condition is self._store.false:
            return other
        if condition.operator is Operator.NOT:
            condition, then, other = condition.operands[0], other, then
        if then.width == 0:
            return self._choose_truth(condition, then, other)
        # What the condition says holds within the branches too.
        if then.operator is Operator.CHOOSE and then.operands[0] is condition:
            then = then.operands[1]
        if other.operator is Operator.CHOOSE and other.operands[0] is condition:
            other = other.operands[2]
        if other.operator is Operator.CHOOSE and other.operands[1] is then:
            return self.choose(self.either(condition, other.operands[0]), then, other.operands[2])
        if then is other:
            return then
        return self._store.make(Operator.CHOOSE, (condition, then, other), then.width)

    def _choose_truth(self, condition: Term, then: Term, other: Term) -> Term:
        if then is self._store.true:
            return self.either(condition, other)
        if then is self._store.false:
            return self.both(self.negation(condition), other)
        if other is self._store.true:
            return self.either(self.negation(condition), then)
        if other is self._store.false:
            return self.both(condition, then)
        return self._store.make(Operator.CHOOSE, (condition, then, other), 0)

    def in_choices(self, a: Term, apply: Callable[[Term], Term]) -> Term:
        """What something makes of a choice between constants, however long: a choice between what it makes of those."""
        known: dict[Term, Term] = {}
        stack = [a]
        while stack:
            node = stack[-1]
            if node.operator is not Operator.CHOOSE:
                known[node] = apply(node)
            missing = [o for o in node.operands[1:] if o not in known]
            stack += missing
            if not missing:
                stack.pop()
                if node not in known:
                    condition, then, other = node.operands
                    known[node] = self.choose(condition, known[then], known[other])
        return known[a]


def _number(term: Term) -> int:
    return term.number
