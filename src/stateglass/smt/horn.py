"""Rules about relations, and whether some of them can ever hold: the door to Spacer, z3's engine for Horn clauses.

A rule says that a relation holds of some values if another one held of some others. The answer is a condition for each
relation that the rules never leave, or the row of rules that leads to what was asked for.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import z3
from z3 import z3core

from stateglass.smt.aside import aside, limit, units
from stateglass.smt.effort import Z3_UNITS, Effort
from stateglass.smt.integers import Integers
from stateglass.smt.term import Term
from stateglass.smt.terms import Terms
from stateglass.smt.z3_asts import Asts
from stateglass.smt.z3_numbers import NumbersReading
from stateglass.smt.z3_reading import BitsReading, NotRead
from stateglass.smt.z3_terms import Bits, Encoding

_SETTINGS: Final[Mapping[str, bool | int | str]] = {
    "engine": "spacer",
    # What leaves relations or rules out would leave them out of the answer too, runs and invariants alike.
    "xform.slice": False,
    "xform.inline_linear": False,
    "xform.inline_eager": False,
    "xform.coi": False,
    "xform.subsumption_checker": False,
    "ctrl_c": False,  # it would be z3's alone, and nobody else would hear of it
}


@final
@dataclass(frozen=True, slots=True)
class Relation:
    """What rules are about: it holds of some values of its variables."""

    number: int
    variables: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """If a relation holds of its variables (None: always), and a condition too, another one holds of some values."""

    before: int | None
    guard: Term
    after: int
    values: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Unreachable:
    """A condition for each relation, over its variables: the rules keep to it, and what was asked for is outside."""

    conditions: tuple[Term, ...]


@final
@dataclass(frozen=True, slots=True)
class Reachable:
    """The numbers of the rules that lead there, the first one first.

    With integers in place of bits, and where floating-point numbers are computed, it is no more than a candidate.
    """

    rules: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """Why there is no answer."""

    why: str
    is_late: bool = False


Decision = Unreachable | Reachable | Undecided


@final
class Horn:
    """Some relations and rules, and questions about them."""

    def __init__(
        self, terms: Terms, *, integers: bool = False, unsigned: Collection[Term] = (), wraps: bool = True
    ) -> None:
        """With `integers`, rows of bits are read as numbers: unsigned for the variables that are said to be so.

        Without `wraps` signed arithmetic is taken never to leave its width; the answer is a suggestion then.
        """
        self._wraps = wraps
        self._terms = terms
        self._integers = integers
        self._unsigned = unsigned
        self.relations: list[Relation] = []
        self.rules: list[Rule] = []

    def relation(self, variables: Sequence[Term]) -> int:
        self.relations.append(Relation(len(self.relations), tuple(variables)))
        return len(self.relations) - 1

    def rule(self, before: int | None, guard: Term, after: int, values: Sequence[Term]) -> int:
        self.rules.append(Rule(before, guard, after, tuple(values)))
        return len(self.rules) - 1

    def decide(
        self,
        asked: Collection[int],
        seconds: float,
        settings: Mapping[str, bool | int] | None = None,
        effort: Effort | None = None,
    ) -> Decision:
        """Whether one of some relations can hold of anything."""
        forward = self._closure([r.after for r in self.rules if r.before is None], backward=False)
        relevant = forward & self._closure(asked, backward=True)
        if not relevant & set(asked):
            return Unreachable(tuple(self._terms.truth(r.number in forward) for r in self.relations))
        question = _Question(self, self._terms, relevant, forward, asked, self._encoded)
        return question.decided(seconds, settings or {}, effort)

    def _closure(self, start: Collection[int], *, backward: bool) -> set[int]:
        """The relations that rules lead to from some others, or from which they lead to these."""
        ways: dict[int, list[int]] = {}
        for rule in self.rules:
            if rule.before is not None:
                source, target = (rule.after, rule.before) if backward else (rule.before, rule.after)
                ways.setdefault(source, []).append(target)
        found, work = set(start), list(start)
        while work:
            for target in ways.get(work.pop(), ()):
                if target not in found:
                    found.add(target)
                    work.append(target)
        return found

    def _encoded(self, asts: Asts) -> Encoding:
        return Integers(asts, self._terms, self._unsigned, wraps=self._wraps) if self._integers else Bits(asts)

    def read(self, expression: Any, variables: Sequence[Term]) -> Term:
        if self._integers:
            return NumbersReading(self._terms, variables, self._unsigned).read(expression)
        return BitsReading(self._terms, variables).read(expression)


@final
class _Question:
    """One question to z3, in a context of its own."""

    def __init__(
        self, horn: Horn, terms: Terms, relevant: set[int], forward: set[int], asked: Collection[int], encoded: Any
    ) -> None:
        self._horn = horn
        self._terms = terms
        self._relevant = relevant
        self._forward = forward
        self._asts = asts = Asts()
        self._encoding: Encoding = encoded(asts)
        self._engine = z3.Fixedpoint(ctx=asts.context)
        self._declared = {
            r.number: asts.relation(f"r{r.number}", [self._encoding.sort(v) for v in r.variables])
            for r in horn.relations
            if r.number in relevant
        }
        self._goals = frozenset(asked)
        self._asked = asts.relation("asked", [])
        for relation in (*self._declared.values(), self._asked):
            z3core.Z3_fixedpoint_register_relation(asts.reference, self._engine.fixedpoint, relation)
        for number, rule in enumerate(horn.rules):
            if rule.after in relevant and (rule.before is None or rule.before in relevant):
                self._add(number, rule)
        for number in sorted(set(asked) & relevant):
            variables = horn.relations[number].variables
            made = [self._encoding.argument(v, v) for v in variables]
            goal = asts.implies(asts.applied(self._declared[number], made), asts.applied(self._asked, []))
            self._tell(asts.for_all(made, goal), f"asked{number}")

    def _add(self, number: int, rule: Rule) -> None:
        asts, encoding = self._asts, self._encoding
        before = self._horn.relations[rule.before].variables if rule.before is not None else ()
        held = [encoding.argument(v, v) for v in before]
        guard = encoding.truth(rule.guard)
        target = self._horn.relations[rule.after].variables
        values = [encoding.argument(v, like) for v, like in zip(rule.values, target, strict=True)]
        unknowns, facts = encoding.beside([*before, rule.guard, *rule.values])
        body = [asts.applied(self._declared[rule.before], held)] if rule.before is not None else []
        made = asts.implies(asts.both([*body, *facts, guard]), asts.applied(self._declared[rule.after], values))
        self._tell(asts.for_all(unknowns, made), f"rule{number}")

    def _tell(self, rule: Any, name: str) -> None:
        asts = self._asts
        z3core.Z3_fixedpoint_add_rule(asts.reference, self._engine.fixedpoint, rule, asts.symbol(name))

    def decided(self, seconds: float, settings: Mapping[str, bool | int], effort: Effort | None) -> Decision:
        self._engine.set(**{**_SETTINGS, **settings, "timeout": max(1, int(seconds * 1000))})
        end = time.monotonic() + seconds
        most = limit(effort)
        # The engine has no setting of its own for it; 0 is no limit.
        z3core.Z3_update_param_value(self._asts.reference, "rlimit", str(most))
        outcome = aside(self._asts.context, self._ask, seconds)
        is_late = time.monotonic() >= end
        if effort is not None and not is_late:  # else it may still be at work, and nothing depends on the effort
            spent = units(self._engine.statistics())
            effort.spend(-(-spent // Z3_UNITS))
            is_late = spent >= most
        if outcome == z3.sat:
            return self._reachable()
        if outcome == z3.unsat:
            return self._unreachable()
        if is_late:
            return Undecided("Spacer did not come to an end in time", is_late=True)
        return Undecided(f"Spacer gave up: {outcome or 'it needs too much memory'}")

    def _ask(self) -> Any:
        answer = self._engine.query(z3.FuncDeclRef(self._asked, self._asts.context)())
        return answer if answer != z3.unknown else self._engine.reason_unknown()

    def _reachable(self) -> Decision:
        names = reversed(self._engine.get_rule_names_along_trace())
        told = tuple(int(name[4:]) for name in names if name.startswith("rule"))
        rules = [self._horn.rules[number] for number in told]
        befores, afters = [rule.before for rule in rules], [rule.after for rule in rules]
        if not rules or befores != [None, *afters[:-1]] or afters[-1] not in self._goals:
            return Undecided("Spacer does not say all of its run")
        return Reachable(told)

    def _unreachable(self) -> Decision:
        found = self._interpretations()
        conditions = []
        for relation in self._horn.relations:
            if relation.number not in self._relevant:
                conditions.append(self._terms.truth(relation.number in self._forward))
                continue
            body, order = found.get(f"r{relation.number}", (None, []))
            if body is None:
                return Undecided("Spacer does not say all of its invariant")
            try:
                conditions.append(self._horn.read(body, [relation.variables[at] for at in order]))
            except NotRead as problem:
                return Undecided(f"Spacer's invariant has something that is not known here: {problem}")
        return Unreachable(tuple(conditions))

    def _interpretations(self) -> dict[str, tuple[Any, list[int]]]:
        """By relation: what it was found to be, and which of its arguments each numbered variable is."""
        answer = self._engine.get_answer()
        found: dict[str, tuple[Any, list[int]]] = {}
        for part in answer.children() if z3.is_and(answer) else [answer]:
            equation = part.body() if z3.is_quantifier(part) else part
            if not z3.is_eq(equation):
                continue
            head, body = equation.children()
            numbers = [z3.get_var_index(argument) for argument in head.children()]
            found[head.decl().name()] = (body, [numbers.index(at) for at in range(len(numbers))])
        return found
