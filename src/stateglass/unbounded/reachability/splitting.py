"""A flow with a rest for each value of the variable that says where a machine stands.

What holds in one state of a machine has little to do with what holds in another: taken apart, conditions are short and
most variables do not matter. What is found out about the parts is put together again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.explore.stretches import Flow, Rest, Slot, Stretch, sliced
from stateglass.smt import Operator, Term, Terms, chosen_between
from stateglass.unbounded.abstraction.seeding import Constants

MOST_RESTS: Final = 2_000

_Place = tuple[int, int | None]
"""The number of a rest, and the value of its control variable if it has one."""


@final
@dataclass(frozen=True)
class Split:
    """A flow that was taken apart, and where its parts come from."""

    flow: Flow
    whole: Flow
    places: tuple[_Place, ...]  # by rest
    stretches: tuple[int, ...]  # by stretch: its number in the whole
    _controls: Mapping[int, int]  # by rest of the whole: the place of the slot that it is taken apart by
    _given: Mapping[Term, Collection[int]]  # values of slots that control variables are given

    def parts_of(self, rests: Collection[int]) -> frozenset[int]:
        """The rests that some rests of the whole became."""
        return frozenset(number for number, (rest, _) in enumerate(self.places) if rest in rests)

    def whole_invariant(self, conditions: Sequence[Term]) -> tuple[Term, ...]:
        """Conditions on the parts as one for each rest of the whole."""
        terms = self.whole.terms
        found: list[list[Term]] = [[] for _ in self.whole.rests]
        for (rest, value), condition in zip(self.places, conditions, strict=True):
            slots = self.whole.rests[rest].slots
            back = {_renamed(self.whole, slot, value): slot.term for slot in slots}
            here = terms.substituted(condition, back)
            if value is not None:
                control = slots[self._controls[rest]].term
                here = terms.both(terms.equal(control, terms.constant(value, control.width)), here)
            found[rest].append(here)
        return tuple(
            terms.both(terms.either(*some), *self._limits(rest))
            for rest, some in zip(self.whole.rests, found, strict=True)
        )

    def _limits(self, rest: Rest) -> list[Term]:
        """What was taken for granted: that variables which the control variable is given have known values only."""
        terms = self.whole.terms
        return [
            terms.either(*(terms.equal(slot.term, terms.constant(v, slot.term.width)) for v in sorted(values)))
            for slot in rest.slots
            if (values := self._given.get(slot.term)) is not None
        ]


def split(flow: Flow) -> Split | None:
    """A flow taken apart; None if nothing says where a machine stands."""
    given = Constants(flow).controls()
    by: dict[int, int] = {}
    for rest in flow.rests:
        choices = [at for at, slot in enumerate(rest.slots) if slot.term in given]
        if choices:
            by[rest.number] = max(choices, key=lambda at: (len(given[rest.slots[at].term]), -at))
    if not by:
        return None
    values = {rest: sorted(given[flow.rests[rest].slots[at].term]) for rest, at in by.items()}
    return _Splitting(flow, by, values, _limited(flow, by)).run()


def _limited(flow: Flow, by: Mapping[int, int]) -> dict[Term, Collection[int]]:
    """The values of all slots that come to control variables, which themselves are taken apart."""
    given = Constants(flow).given()
    owner = {slot.term: (rest.number, at) for rest in flow.rests for at, slot in enumerate(rest.slots)}
    found = set(by.items())
    work = list(found)
    while work:
        rest, at = work.pop()
        for stretch in flow.arriving[rest]:
            for leaf in chosen_between(stretch.after[at]):
                if leaf in owner and owner[leaf] not in found:
                    found.add(owner[leaf])
                    work.append(owner[leaf])
    slots = [flow.rests[rest].slots[at].term for rest, at in sorted(found - set(by.items()))]
    return {slot: given[slot] for slot in slots}


def _renamed(flow: Flow, slot: Slot, value: int | None) -> Term:
    return slot.term if value is None else flow.terms.named(f"{slot.term.extra}={value}", slot.term.width)


def _known(terms: Terms, guard: Term) -> dict[Term, Term]:
    """What the parts of a condition are where it holds: afterwards, choices by them are made."""
    parts = guard.operands if guard.operator is Operator.AND else (guard,)
    return {
        part.operands[0] if part.operator is Operator.NOT else part: terms.truth(part.operator is not Operator.NOT)
        for part in parts
        if part is not terms.true
    }


@final
class _Splitting:
    def __init__(
        self,
        flow: Flow,
        by: Mapping[int, int],
        values: Mapping[int, Sequence[int]],
        given: Mapping[Term, Collection[int]],
    ) -> None:
        self._flow = flow
        self._given = given
        self._by = by
        self._values = values
        self._numbers: dict[_Place, int] = {}
        self._work: list[_Place] = []

    def run(self) -> Split | None:
        self._number((0, None))
        stretches: list[Stretch] = []
        origins: list[int] = []
        for place in self._work:  # it grows
            for stretch in self._flow.leaving[place[0]]:
                for part in self._parts(place, stretch):
                    stretches.append(replace(part, number=len(stretches)))
                    origins.append(stretch.number)
            if len(self._work) > MOST_RESTS:
                return None
        rests = tuple(self._rest(place) for place in self._work)
        made = replace(self._flow, rests=rests, stretches=tuple(stretches))
        return Split(sliced(made), self._flow, tuple(self._work), tuple(origins), self._by, self._given)

    def _number(self, place: _Place) -> int:
        if place not in self._numbers:
            self._numbers[place] = len(self._work)
            self._work.append(place)
        return self._numbers[place]

    def _rest(self, place: _Place) -> Rest:
        number, value = place
        rest = self._flow.rests[number]
        slots = tuple(
            replace(slot, term=_renamed(self._flow, slot, value))
            for at, slot in enumerate(rest.slots)
            if value is None or at != self._by[number]
        )
        return replace(rest, number=self._numbers[place], slots=slots)

    def _parts(self, place: _Place, stretch: Stretch) -> list[Stretch]:
        """What a stretch is from one part of its source: one for each part of its target."""
        terms, (source, value) = self._flow.terms, place
        slots = self._flow.rests[source].slots
        names = {slot.term: _renamed(self._flow, slot, value) for slot in slots}
        if value is not None:
            control = slots[self._by[source]].term
            names[control] = terms.constant(value, control.width)
        known: dict[Term, Term] = {}
        guard = terms.substituted(stretch.guard, names, known)
        after = [terms.substituted(term, names, known) for term in stretch.after]
        chosen = tuple(replace(c, when=terms.substituted(c.when, names, known)) for c in stretch.chosen)
        action = stretch.action
        if action is not None:
            shown = tuple((terms.substituted(term, names, known), kind) for term, kind in action.arguments)
            action = replace(action, arguments=shown)
        base = replace(stretch, source=self._numbers[place], chosen=chosen, action=action)
        found = []
        for target, condition in self._targets(stretch, after):
            both = terms.both(guard, condition)
            if both is not terms.false:
                left = [t for at, t in enumerate(after) if target[1] is None or at != self._by[stretch.target]]
                given = _known(terms, both)
                shared: dict[Term, Term] = {}
                short = tuple(terms.substituted(term, given, shared) for term in left) if given else tuple(left)
                found.append(replace(base, target=self._number(target), guard=both, after=short))
        return found

    def _targets(self, stretch: Stretch, after: Sequence[Term]) -> list[tuple[_Place, Term]]:
        """The parts of its target that a stretch may lead to, and when."""
        terms = self._flow.terms
        if stretch.target not in self._by:
            return [((stretch.target, None), terms.true)]
        control = after[self._by[stretch.target]]
        constants = [leaf.value for leaf in chosen_between(control)]
        values = self._values[stretch.target]
        if None not in constants:
            values = [value for value in values if value in constants]
        return [((stretch.target, v), terms.equal(control, terms.constant(v, control.width))) for v in values]
