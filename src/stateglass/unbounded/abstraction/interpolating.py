"""Conditions that rule out an abstract run: interpolants, found from its end to its beginning.

Going backwards, each state of the run is given as few conditions as rule out what must not follow; they hold after
every real run along the beginning. Conditions that the code itself asks, and those that hold each time the run comes
by, are preferred: they are the ones that also rule out longer runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from stateglass.smt import Solver, Term, evaluated
from stateglass.unbounded.abstraction.abstracting import Abstraction
from stateglass.unbounded.abstraction.beginnings import Beginnings
from stateglass.unbounded.abstraction.candidates import Candidates
from stateglass.unbounded.abstraction.spacer import interpolants
from stateglass.unbounded.walks.paths import variables_of

MOST_CASES: Final = 12
"""So many values of what is chosen are tried before it is said that no condition was found."""


@final
class Interpolating:
    """One run, from its end to its beginning."""

    def __init__(self, abstraction: Abstraction, candidates: Candidates, beginnings: Beginnings) -> None:
        self._abstraction = abstraction
        self._flow = abstraction.flow
        self._candidates = candidates
        self._beginnings = beginnings
        self._states = beginnings.states
        self._held: list[dict[Term, int]] = []  # by position: the slots in one real run

    def conditions(self, longest: int) -> list[list[Term]] | None:
        """For each state before the end of the impossible beginning: conditions that rule it out together."""
        terms = self._flow.terms
        last = longest // 2  # the position from which it does not go on
        # Either its stretch cannot be gone, or it does not lead to the next state.
        wanted = terms.false
        assert self._beginnings.exists(last), "it is possible up to there"
        self._held = [self._beginnings.values(position) for position in range(last + 1)]
        found: list[list[Term]] = [[] for _ in range(last + 1)]
        for position in range(last, -1, -1):
            here = self._conditions(position, wanted, reaching=longest % 2 == 1 or position < last)
            if here is None:
                return None
            found[position] = here
            wanted = terms.both(*here)
            if wanted is terms.true:
                break
        return found

    def _conditions(self, position: int, wanted: Term, reaching: bool) -> list[Term] | None:
        """As few conditions as make a condition hold after a stretch of the row, at least in the next state."""
        terms, state = self._flow.terms, self._states[position]
        stretch = self._beginnings.row.steps[position].stretch
        known = self._abstraction.known(stretch, state)
        unwanted = terms.negation(wanted)
        if reaching:
            unwanted = terms.both(unwanted, self._abstraction.condition(self._states[position + 1]))
        # A run that must not be: from this state over the stretch to where the wanted condition is false.
        run = terms.both(known.guard, known.before(self._flow, stretch.target, unwanted))
        given = [*self._abstraction.predicates.literals(state), run]
        if self._rules_out(known.solver, given):
            return []
        for candidates in self._stages(position, run):
            if self._rules_out(known.solver, [*given, *candidates]):
                core = set(known.solver.core())
                return self._fewest(known.solver, given, [c for c in candidates if c in core])
        return self._cases(known.solver, given, run)

    def _stages(self, position: int, run: Term) -> Iterator[list[Term]]:
        """Conditions that hold after every real run to a position, the most promising ones first.

        Those that hold whenever a real run comes by come before others, and those that the loop keeps before these;
        but first those that the state leaves open, since others only say that the state itself is not reached.
        """
        state = self._states[position]
        asked, more = self._candidates.of(state, run)
        true = self._true_after(position, list(dict.fromkeys([*asked, *more])))
        varied: set[Term] = set()
        for values in self._always(position):
            varied.update(c for c, value in zip(true, evaluated(true, values), strict=True) if not value)
        steady = [c for c in true if c not in varied]
        kept = set(self._kept(position, steady))
        open_ = [c for c in steady if self._abstraction.predicates.holds(state, c) is None]
        plain = {*asked, *map(self._flow.terms.negation, asked)}
        yield [c for c in open_ if c in kept and c in plain]
        yield [c for c in open_ if c in kept]
        yield [c for c in open_ if c in plain]
        yield open_
        yield steady
        yield true
        suggested = self._true_after(position, self._suggested(position, run))
        yield [*suggested, *true]
        yield [*true, *self._true_after(position, self._candidates.exact(run, self._held[position]))]

    def _suggested(self, position: int, run: Term) -> list[Term]:
        """Conditions at a position that Spacer makes of the whole beginning, which ends with a formula there."""
        steps = self._beginnings.row.steps[:position]
        stretches = [self._flow.stretches[step.stretch.number] for step in steps]
        states = self._states[: position + 1]
        found = interpolants(self._abstraction, states, stretches, run, self._beginnings.time)
        return self._candidates.atoms(found[position:])

    def _kept(self, position: int, conditions: list[Term]) -> list[Term]:
        """Those that, if they all hold, hold again after a stretch that leads back at once."""
        terms, state = self._flow.terms, self._states[position]
        for stretch in self._flow.leaving[state.rest]:
            if stretch.target == state.rest:
                known = self._abstraction.known(stretch, state)
                again = {c: known.before(self._flow, state.rest, c) for c in conditions}
                place = self._abstraction.place(state)
                back = terms.both(place, known.before(self._flow, state.rest, place), known.guard)
                while True:
                    lost = terms.negation(terms.both(*(again[c] for c in conditions)))
                    if self._rules_out(known.solver, [*conditions, back, lost]):
                        break
                    conditions = [c for c in conditions if known.solver.value(again[c])]
        return conditions

    def _always(self, position: int) -> list[dict[Term, int]]:
        """What the slots of a place hold each time one real run comes by."""
        place = self._abstraction.place(self._states[position])
        rest = self._states[position].rest
        return [
            values
            for state, values in zip(self._states, self._held, strict=False)
            if state.rest == rest and self._abstraction.place(state) is place
        ]

    def _fewest(self, solver: Solver, given: list[Term], conditions: list[Term]) -> list[Term]:
        """Without those that are not needed; the last ones are the first to go."""
        for condition in reversed(conditions):
            fewer = [c for c in conditions if c is not condition]
            if self._rules_out(solver, [*given, *fewer]):
                conditions = fewer
        return conditions

    def _rules_out(self, solver: Solver, given: list[Term]) -> bool:
        return not self._abstraction.asked(solver, given)

    def _true_after(self, position: int, candidates: Sequence[Term]) -> list[Term]:
        """Of candidates and their negations: those that hold after every run along the stretches before a position."""
        terms = self._flow.terms
        memory: dict[Term, Term] = {}
        there = {c: self._beginnings.there(position, c, memory) for c in candidates}
        assert self._beginnings.exists(position), "the beginning is possible up to here"
        values = self._beginnings.held(list(there.values()))
        # Only a candidate or its negation can hold always: the one that does in the first run that was found.
        left = {
            (c if value else terms.negation(c)): (t if value else terms.negation(t))
            for (c, t), value in zip(there.items(), values, strict=True)
        }
        while True:
            open_ = {c: t for c, t in left.items() if t is not terms.true}
            one_fails = terms.negation(terms.both(*open_.values()))
            if not open_ or not self._beginnings.exists(position, one_fails):
                return list(left)
            values = self._beginnings.held(list(open_.values()))
            for condition, value in zip(open_, values, strict=True):
                if not value:
                    del left[condition]

    def _cases(self, solver: Solver, given: list[Term], run: Term) -> list[Term] | None:
        """What must not hold before the stretch, for enough values of what is chosen on it: weakest preconditions."""
        terms = self._flow.terms
        slots = {slot.term for rest in self._flow.rests for slot in rest.slots}
        chosen = [v for v in variables_of([run]) if v not in slots]
        found: list[Term] = []
        while len(found) < MOST_CASES:
            if self._rules_out(solver, [*given, *found]):
                return found
            values = {v: terms.value_for(v, solver.value(v)) for v in chosen}
            found.append(terms.negation(terms.substituted(run, values)))
        return None
