"""From a formula as it was written to its negation normal form over what can be said of a position.

Not recursive, and linear in the formula: each part is translated once as it stands and once negated.
"""

from __future__ import annotations

from typing import assert_never, final

from stateglass.check.ltl import terms as n
from stateglass.check.ltl.propositions import Propositions
from stateglass.check.ltl.terms import Kind, Terms
from stateglass.logic import temporal as t


@final
class Normaliser:
    """Translates formulas that share parts, by identity, into terms that share parts."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.propositions = Propositions()
        self._said: dict[int, int | None] = {}  # edges by formulas; None: the formula is temporal
        self._done: dict[tuple[int, bool], int] = {}
        self._kept: list[t.Formula] = []  # so that no other formula gets the identity of one of these

    def term(self, formula: t.Formula, *, positive: bool) -> int:
        self._kept.append(formula)
        self._say(formula)
        work = [(formula, positive)]
        while work:
            top, sign = work[-1]
            key = (id(top), sign)
            if key in self._done:
                work.pop()
                continue
            edge = self._said[id(top)]
            if edge is not None:
                self._done[key] = self._literal(edge if sign else edge ^ 1)
                continue
            needed = self._needed(top, sign)
            missing = [(part, s) for part, s in needed if (id(part), s) not in self._done]
            if missing:
                work += missing
                continue
            self._done[key] = self._built(top, sign, [self._done[id(part), s] for part, s in needed])
        return self._done[id(formula), positive]

    def _literal(self, edge: int) -> int:
        if edge >> 1 == 0:
            return n.TRUE if edge == 0 else n.FALSE
        return self.terms.literal(edge >> 1, not edge & 1)

    def _say(self, formula: t.Formula) -> None:
        """Finds the parts that speak of one position only."""
        work = [formula]
        while work:
            top = work[-1]
            missing = [part for part in t.parts(top) if id(part) not in self._said]
            if missing:
                work += missing
                continue
            work.pop()
            self._said[id(top)] = self._edge(top, [self._said[id(part)] for part in t.parts(top)])

    def _edge(self, formula: t.Formula, parts: list[int | None]) -> int | None:
        edges = [part for part in parts if part is not None]
        if len(edges) < len(parts):
            return None
        match formula:
            case t.Constant() | t.Holds() | t.Happens():
                return self.propositions.of_leaf(formula)
            case t.Not():
                return edges[0] ^ 1
            case t.And():
                return self.propositions.both(*edges)
            case t.Or():
                return self.propositions.either(*edges)
            case t.Implies():
                return self.propositions.either(edges[0] ^ 1, edges[1])
            case t.Iff():
                return self.propositions.same(*edges)
            case t.Turns():
                raise AssertionError("changes of values are for branching formulas")
            case t.Next() | t.Eventually() | t.Always() | t.Until() | t.WeakUntil() | t.Release() | t.Quantified():
                return None
            case _:
                assert_never(formula)

    def _built(self, formula: t.Formula, sign: bool, parts: list[int]) -> int:
        """The term of a temporal formula from those of its parts, in the order of `_needed`; they have the sign."""
        terms = self.terms
        match formula:
            case t.Not():
                return parts[0]
            case t.And() | t.Or() | t.Implies():
                return self._joined(parts, conjunctive=_conjoins(formula, sign))
            case t.Iff():
                left, right, other_left, other_right = parts
                return terms.disjunction(
                    [terms.conjunction([left, right]), terms.conjunction([other_left, other_right])]
                )
            case t.Next():
                return terms.next(parts[0])
            case t.Eventually() | t.Always():
                often = isinstance(formula, t.Always) is sign
                if formula.within is not None:
                    return self._within(formula.within, None, parts[0], conjunctive=often)
                return terms.always(parts[0]) if often else terms.eventually(parts[0])
            case t.Until():
                left, right = parts
                if formula.within is not None:
                    return self._within(formula.within, left, right, conjunctive=not sign)
                return terms.until(left, right) if sign else terms.release(left, right)
            case t.WeakUntil():
                left, right = parts
                # a W b is b R (a | b); its negation is !b U (!a & !b).
                if sign:
                    return terms.release(right, terms.disjunction([left, right]))
                return terms.until(right, terms.conjunction([left, right]))
            case t.Release():
                left, right = parts
                return terms.release(left, right) if sign else terms.until(left, right)
            case t.Constant() | t.Holds() | t.Happens() | t.Turns() | t.Quantified():
                raise AssertionError("a formula with path quantifiers or changes of values is not linear")
            case _:
                assert_never(formula)

    def _joined(self, parts: list[int], *, conjunctive: bool) -> int:
        """A conjunction or disjunction in which all that is said of the position is one literal."""
        terms, say = self.terms, self.propositions
        said, join = (n.TRUE, say.both) if conjunctive else (n.FALSE, say.either)
        rest: list[int] = []
        for part in parts:
            if terms.kinds[part] is Kind.LITERAL:
                said = join(said, terms.parts[part][0])
            else:
                rest.append(part)
        rest.append(self._literal(said))
        return terms.conjunction(rest) if conjunctive else terms.disjunction(rest)

    def _needed(self, formula: t.Formula, sign: bool) -> list[tuple[t.Formula, bool]]:
        """The parts whose terms the term of a formula consists of. Chains of and, or and => count as one formula."""
        match formula:
            case t.And() | t.Or() | t.Implies():
                return self._chain(formula, sign)
            case t.Iff():
                return [(formula.left, True), (formula.right, sign), (formula.left, False), (formula.right, not sign)]
            case t.Not():
                return [(formula.inner, not sign)]
            case _:
                return [(part, sign) for part in t.parts(formula)]

    def _chain(self, formula: t.And | t.Or | t.Implies, sign: bool) -> list[tuple[t.Formula, bool]]:
        conjoins = _conjoins(formula, sign)
        found: list[tuple[t.Formula, bool]] = []
        work: list[tuple[t.Formula, bool]] = [(formula, sign)]
        while work:
            top, s = work.pop()
            temporal = self._said[id(top)] is None
            if temporal and isinstance(top, t.And | t.Or | t.Implies) and _conjoins(top, s) is conjoins:
                work += [(top.right, s), (top.left, s is not isinstance(top, t.Implies))]
            elif temporal and isinstance(top, t.Not):
                work.append((top.inner, not s))
            else:
                found.append((top, s))
        return found

    def _within(self, bound: int, left: int | None, right: int, *, conjunctive: bool) -> int:
        """A bounded operator written out: b | X(b | X b …), with a & X instead of X for a U b; or the dual of that."""
        terms = self.terms
        outer, inner = (terms.conjunction, terms.disjunction) if conjunctive else (terms.disjunction, terms.conjunction)
        result = right
        for _ in range(bound):
            after = terms.next(result)
            longer = outer([right, after if left is None else inner([left, after])])
            if longer == result:
                break
            result = longer
        return result


def _conjoins(formula: t.And | t.Or | t.Implies, sign: bool) -> bool:
    return isinstance(formula, t.And) is sign
