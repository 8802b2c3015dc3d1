"""What the environment does on a walk, in its order: which functions it calls, and what it chooses when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

from stateglass.explore.stretches import Flow, Source
from stateglass.program import Scalar, representation
from stateglass.program.bits import signed
from stateglass.smt import Term, evaluated
from stateglass.unbounded.results import Walk
from stateglass.unbounded.walks.paths import Zeroes


@final
@dataclass(frozen=True, slots=True)
class CallsEntry:
    """It calls an entry."""

    entry: int


@final
@dataclass(frozen=True, slots=True)
class Chooses:
    """It chooses a value, as the type has it, or the number of a row."""

    name: str
    value: int


Done = CallsEntry | Chooses


def done_on(flow: Flow, walk: Walk) -> list[list[Done]]:
    """What is done on each stretch of a walk."""
    return [list(_done(flow, number, at)) for number, at in zip(walk.stretches, _all_values(flow, walk), strict=True)]


def _all_values(flow: Flow, walk: Walk) -> Iterator[Mapping[Term, int]]:
    """The values along a walk, those of slots too that decide nothing but whether something is asked."""
    whole = flow.whole or flow
    held: list[int] = []
    for number, values in zip(walk.stretches, walk.values, strict=True):
        stretch = whole.stretches[number]
        slots = whole.rests[stretch.source].slots
        at = Zeroes(values)
        at.update((slot.term, value) for slot, value in zip(slots, held, strict=True))
        yield at
        held = evaluated(stretch.after, at)


def _done(flow: Flow, number: int, at: Mapping[Term, int]) -> Iterator[Done]:
    stretch = flow.stretches[number]
    if stretch.entry is not None:
        yield CallsEntry(stretch.entry)
    for chosen in stretch.chosen:
        # What was left behind a pointer without anybody having said what: no exact run has a value for that.
        is_asked = chosen.source is not Source.WRITTEN or chosen.function
        if is_asked and evaluated([chosen.when], at)[0]:
            yield Chooses(chosen.name, value_of(evaluated([chosen.term], at)[0], chosen.type))


def value_of(bits: int, type: Scalar) -> int:
    """What a row of bits is as a value of a type."""
    whole = representation(type)
    return signed(bits, whole.bits) if whole.signed else bits
