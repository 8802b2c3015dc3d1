"""A flow from its start on, level by level: where code may rest after so many stretches, and with what in its slots.

Ways that meet at a rest after equally many stretches are merged, so that a level has at most one formula for each rest
however many ways lead there. What slots hold is a term over what was chosen, with no unknowns of its own: whatever is
the same on all ways is a constant, and conditions that it decides vanish.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from stateglass.explore.stretches import Flow, Stretch
from stateglass.smt import Term, evaluated
from stateglass.unbounded.results import Walk
from stateglass.unbounded.walks.paths import Zeroes, followed, unknowns


@final
@dataclass(frozen=True, slots=True)
class Way:
    """A stretch at the end of a level: when it is gone."""

    stretch: Stretch
    when: Term


@final
@dataclass(frozen=True, slots=True)
class At:
    """A rest at some level: when code is there, what its slots hold then, and how it came there."""

    reached: Term
    slots: tuple[Term, ...]
    ways: tuple[Way, ...] = ()  # the first one that is gone counts


@final
class Unrolling:
    """Grows by a level at a time; `levels[k]` is what can be after k stretches, by the number of the rest."""

    def __init__(self, flow: Flow, *, anywhere: bool = False) -> None:
        """Begins at the start, or `anywhere`: at any rest, with anything in its slots."""
        self._flow = flow
        self.levels: list[dict[int, At]] = [_anywhere(flow) if anywhere else {0: At(flow.terms.true, ())}]
        self._entries = [tuple(dict.fromkeys(s.entry for s in leaving)) for leaving in flow.leaving]

    @property
    def depth(self) -> int:
        return len(self.levels) - 1

    def deepen(self) -> dict[int, At]:
        """One more level."""
        terms, depth = self._flow.terms, self.depth
        ways: dict[int, list[tuple[Way, tuple[Term, ...]]]] = {}
        for number, at in self.levels[-1].items():
            leaving = self._flow.leaving[number]
            mapping = {s.term: t for s, t in zip(self._flow.rests[number].slots, at.slots, strict=True)}
            mapping |= {v: terms.copy_of(v, depth) for stretch in leaving for v in unknowns(stretch)}
            known: dict[Term, Term] = {}
            for stretch in leaving:
                guard = terms.substituted(stretch.guard, mapping, known)
                when = terms.both(at.reached, self._picked(stretch), guard)
                if when is not terms.false:
                    after = tuple(terms.substituted(t, mapping, known) for t in stretch.after)
                    ways.setdefault(stretch.target, []).append((Way(stretch, when), after))
        self.levels.append({target: self._merged(found) for target, found in sorted(ways.items())})
        return self.levels[-1]

    def reached(self, rests: Collection[int]) -> Term:
        """That one of some rests is reached on the last level."""
        return self._flow.terms.either(*(at.reached for rest, at in self.levels[-1].items() if rest in rests))

    def leave_out(self, rests: Sequence[int]) -> None:
        """Rests that nothing can be at on the last level."""
        for rest in rests:
            del self.levels[-1][rest]

    def _picked(self, stretch: Stretch) -> Term:
        """That the environment calls this one of several functions."""
        terms, entries = self._flow.terms, self._entries[stretch.source]
        if len(entries) == 1:
            return terms.true
        width = (len(entries) - 1).bit_length()
        number = terms.copy_of(terms.named(f"called@{stretch.source}", width), self.depth)
        return terms.equal(number, terms.constant(entries.index(stretch.entry), width))

    def _merged(self, found: Sequence[tuple[Way, tuple[Term, ...]]]) -> At:
        terms = self._flow.terms
        slots = found[-1][1]
        for way, after in reversed(found[:-1]):
            slots = tuple(terms.choose(way.when, a, b) for a, b in zip(after, slots, strict=True))
        ways = tuple(way for way, _ in found)
        return At(terms.either(*(way.when for way in ways)), slots, ways)

    def walk(self, rest: int, depth: int, values: Mapping[Term, int], engine: str) -> Walk:
        """How a rest is reached for a valuation for which it is; unknowns that have no value are 0."""
        every = Zeroes(values)
        whens = [way.when for level in self.levels[: depth + 1] for at in level.values() for way in at.ways]
        is_gone = dict(zip(whens, evaluated(whens, every), strict=True))
        row: list[Stretch] = []
        for level in reversed(self.levels[1 : depth + 1]):
            row.append(next(way.stretch for way in level[rest].ways if is_gone[way.when]))
            rest = row[-1].source
        row.reverse()
        terms = self._flow.terms
        chosen = [{v: every[terms.copy_of(v, at)] for v in unknowns(s)} for at, s in enumerate(row)]
        return followed(self._flow, row, (), chosen, engine)


def _anywhere(flow: Flow) -> dict[int, At]:
    terms, width = flow.terms, len(flow.rests).bit_length()
    here = terms.named("resting at", width)
    return {
        rest.number: At(terms.equal(here, terms.constant(rest.number, width)), tuple(slot.term for slot in rest.slots))
        for rest in flow.rests
        if not rest.phase.is_end
    }
