"""Walks that are easier to read: the same stretches with choices that are 0, or small, where they need not be more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.program.bits import ones, signed
from stateglass.smt import PER_SECOND, Answer, Operator, Solver, Term, Terms, evaluated
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks.paths import NoWalk, Zeroes, along, followed, unknowns, variables_of

MOST_EFFORT: Final = 2 * PER_SECOND
"""With so much work at most values are looked for that are nicer than those found at first."""
EFFORT: Final = 500
"""What one question may cost: a value that is hard to find is no great gain."""
_RANGES: Final = ((0, 0), (0, 1), (0, 9), (-9, -1), (0, 99), (-99, -1), (0, 9_999), (-9_999, -1))
MOST_AT_ONCE: Final = 64
"""With more choices than these, those of each stretch are looked at alone."""


def simplified(flow: Flow, walk: Walk, time: Deadline, also: Sequence[Term] = ()) -> Walk:
    """The walk with small values; what is not found quickly stays as it is.

    What is `also` to hold is said of the row of its stretches from the start.
    """
    if not any(unknowns(flow.stretches[number]) for number in set(walk.stretches)):
        return walk
    # What the walk was found with is not what it is made nicer with.
    time = Deadline(time.left()).part(MOST_EFFORT)
    for nicer in (_without_idle, partial(_as_a_whole, also=also), _one_by_one):
        # To go along it again takes about so long that a long one stays as it is.
        time.spend(2 * len(walk.stretches))
        if time.is_over():
            break
        walk = nicer(flow, walk, time)
    return walk


def _without_idle(flow: Flow, walk: Walk, time: Deadline) -> Walk:
    """The walk with 0 for all that is not asked for."""
    stretches = [flow.stretches[number] for number in walk.stretches]
    chosen: list[dict[Term, int]] = []
    for stretch, at in zip(stretches, walk.values, strict=True):
        asked = _asked(stretch, at)
        chosen.append({v: at[v] if v in asked else 0 for v in unknowns(stretch)})
    try:
        return _like(walk, followed(flow, stretches, (), chosen, walk.engine))
    except NoWalk:
        # Of a slice, not all is known that decides who is asked.
        return walk


def _asked(stretch: Stretch, at: Mapping[Term, int]) -> set[Term]:
    """The unknowns of a stretch that are asked for."""
    whens = evaluated([chosen.when for chosen in stretch.chosen], Zeroes(at))
    return set(variables_of(c.term for c, is_asked in zip(stretch.chosen, whens, strict=True) if is_asked))


def _as_a_whole(flow: Flow, walk: Walk, time: Deadline, also: Sequence[Term]) -> Walk:
    terms, row = flow.terms, along(flow, walk.stretches)
    values = {
        copy: walk.values[at][unknown] for at, step in enumerate(row.steps) for unknown, copy in step.copies.items()
    }
    asked = {
        step.copies[unknown] for at, step in enumerate(row.steps) for unknown in _asked(step.stretch, walk.values[at])
    }
    zeroes = {v: terms.constant(0, v.width) for v, value in values.items() if v not in asked and not value}
    shared: dict[Term, Term] = {}
    facts = [terms.substituted(term, zeroes, shared) for term in (*(step.guard for step in row.steps), *also)]
    needed = {v: value for v, value in values.items() if v in set(variables_of(facts))}
    if len(needed) > MOST_AT_ONCE:
        return walk
    solver = Solver(effort=EFFORT, seconds=time.left(), shared=time.effort)
    solver.add(*facts)
    values |= _smaller(terms, solver, (), needed)
    return _like(walk, row.walk(values, walk.engine))


def _one_by_one(flow: Flow, walk: Walk, time: Deadline) -> Walk:
    """Other choices for each stretch by itself, with which it leads from the same values to the same ones."""
    stretches = [flow.stretches[number] for number in walk.stretches]
    search = _Single(flow, Solver(effort=EFFORT, seconds=time.left(), shared=time.effort))
    chosen = [search.chosen(stretch, at) for stretch, at in zip(stretches, walk.values, strict=True)]
    return _like(walk, followed(flow, stretches, (), chosen, walk.engine))


@final
class _Single:
    """Looks at stretches one by one; the same one with the same values is looked at once."""

    def __init__(self, flow: Flow, solver: Solver) -> None:
        self._flow = flow
        self._solver = solver
        self._known: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Mapping[Term, int]] = {}

    def chosen(self, stretch: Stretch, at: Mapping[Term, int]) -> Mapping[Term, int]:
        terms, slots = self._flow.terms, self._flow.rests[stretch.source].slots
        before = tuple(at[slot.term] for slot in slots)
        after = tuple(evaluated(stretch.after, at))
        now = {v: at[v] for v in unknowns(stretch)}
        key = (stretch.number, before, after)
        if now and key not in self._known and not self._solver.late:
            mapping = {slot.term: terms.value_for(slot.term, value) for slot, value in zip(slots, before, strict=True)}
            shared: dict[Term, Term] = {}
            facts = [terms.substituted(stretch.guard, mapping, shared)]
            facts += [
                terms.equal(terms.substituted(term, mapping, shared), terms.value_for(term, value))
                for term, value in zip(stretch.after, after, strict=True)
            ]
            asked = set(variables_of(facts))
            zeroes = {v: 0 for v in now if v not in asked}
            needed = {v: value for v, value in now.items() if v in asked}
            self._known[key] = zeroes | _smaller(terms, self._solver, facts, needed)
        return self._known.get(key, now)


def _smaller(terms: Terms, solver: Solver, facts: Sequence[Term], values: Mapping[Term, int]) -> dict[Term, int]:
    """Values for which the facts hold too, the first ones as small as they can be."""
    found, fixed = dict(values), list(facts)
    for variable in values:
        for low, high in _RANGES:
            width = variable.width
            if high >= ones(width) or low <= signed(found[variable], width) <= high:
                break
            if solver.check([*fixed, *_between(terms, variable, low, high)]) is Answer.YES:
                found |= {v: solver.value(v) for v in values}
                break
        fixed.append(terms.equal(variable, terms.constant(found[variable], variable.width)))
    return found


def _between(terms: Terms, variable: Term, low: int, high: int) -> list[Term]:
    """That a number is in a range, read as signed."""
    least, most = terms.constant(low, variable.width), terms.constant(high, variable.width)
    before = Operator.SIGNED_LESS_EQUAL
    return [terms.compare(before, least, variable), terms.compare(before, variable, most)]


def _like(walk: Walk, again: Walk) -> Walk:
    return replace(again, rounds=walk.rounds, predicates=walk.predicates)
