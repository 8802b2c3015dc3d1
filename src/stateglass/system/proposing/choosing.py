"""From what the code does with a scalar to an abstraction of it, and the reason in words."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import Final, assert_never

from stateglass.program import Bool, Enum, Enumeration, Float, Int, Pointer, Scalar
from stateglass.program.abstractions import Abstraction, Exact, Free, Mod, Part, Top, Truth
from stateglass.system.proposing.facts import Facts

MOST_POINTS: Final = 32
"""A partition of more intervals than these is no help to anybody."""
MOST_REMAINDERS: Final = 64
MOST_SINGLE: Final = 16
"""Up to so many values of an index are kept apart."""
_MOST_WORDS: Final = 6


def choose(type: Scalar, facts: Facts, enum: Enumeration | None, constant: bool) -> tuple[Abstraction, str]:
    """An abstraction that keeps what decisions depend on, and why."""
    match type:
        case Float():
            return Top(), "a floating-point number"
        case Pointer():
            return _pointer(facts)
        case _ if constant:
            return Exact(), "it never changes"
        case Bool():
            return Truth(), "true or false"
        case Enum():
            return _enum(type, facts, enum)
        case Int():
            return _integer(type, facts)
        case _:
            assert_never(type)


def _pointer(facts: Facts) -> tuple[Abstraction, str]:
    if facts.moves or facts.counts:
        return Top(), "a pointer that is computed"
    if facts.anything:
        return Top(), "a pointer from elsewhere"
    return Free(), "a pointer that is followed" if facts.followed else "a pointer"


def _enum(type: Enum, facts: Facts, enum: Enumeration | None) -> tuple[Abstraction, str]:
    members = enum.members if enum is not None else ()
    points = {p for _, value in members for p in (value, value + 1)} | set(facts.cuts)
    abstraction = _part(points, type.representation)
    if abstraction is None:
        return Top(), f"more than {MOST_POINTS} values of {type}"
    return abstraction, _words(f"{type}: ", [name for name, _ in members])


def _integer(type: Int, facts: Facts) -> tuple[Abstraction, str]:
    known = not (facts.anything or facts.counts or facts.flags or facts.reduced)
    if known and _boolean(facts):
        return Truth(), _words("only 0 or 1: ", facts.reasons) if facts.reasons else "only 0 or 1"
    if not facts.decides:
        if known and len(facts.assigned) > 1:
            return _partition(type, facts, [])
        return Top(), "compared only with what is not known" if facts.compared else "no decision depends on it"
    if facts.moduli or (facts.indexes and facts.reduced):
        found = _remainders(type, facts)
        if found is not None:
            return found
    if facts.flags and not (facts.anything or facts.counts):
        return Exact(), "bits that are set and cleared"
    if not facts.cuts and not facts.indexes:
        return Top(), f"modulo more than {MOST_REMAINDERS}"
    return _partition(type, facts, [*_index_points(facts), *_counted(facts)])


def _boolean(facts: Facts) -> bool:
    simple = set(facts.cuts) <= {0, 1, 2} and set(facts.assigned) <= {0, 1} and not facts.moduli and not facts.indexes
    return simple and bool(facts.truths or (facts.cuts and len(facts.assigned) == 2))


def _remainders(type: Int, facts: Facts) -> tuple[Abstraction, str] | None:
    """An abstraction by remainders for what is used modulo something; None if constants, or its range, say more."""
    modulus = lcm(*facts.moduli, *facts.reduced)
    if modulus > MOST_REMAINDERS:
        return None
    shown = [str(m) for m in dict.fromkeys((*facts.moduli, *facts.reduced))]
    bounded = facts.reduced and not (facts.anything or facts.counts or facts.flags)
    if bounded and modulus <= MOST_SINGLE and facts.cuts and all(0 <= a < modulus for a in facts.assigned):
        # It never leaves 0 … modulus - 1, and so each of its values can be told from the others.
        points = {*range(modulus + 1), *facts.cuts}
        abstraction = _part(points, type)
        if abstraction is not None:
            return abstraction, _words("modulo ", shown) + "; " + _words("", facts.reasons)
    if facts.cuts and not facts.reduced:  # the constants say more
        return None
    return Mod(modulus), _words("modulo ", shown)


def _index_points(facts: Facts) -> list[int]:
    points: list[int] = []
    for count in facts.indexes:
        points += list(range(count + 1)) if count <= MOST_SINGLE else [0, count]
    return points


def _counted(facts: Facts) -> list[int]:
    """For a scalar that counts in small steps towards a decision, each value on the way; else none."""
    ends = [*facts.cuts, *facts.assigned]
    if not facts.counts or not facts.cuts or max(ends) - min(ends) > MOST_SINGLE:
        return []
    return list(range(min(ends), max(ends) + 1))


def _partition(type: Int, facts: Facts, more: list[int]) -> tuple[Abstraction, str]:
    said = _words("", facts.reasons)
    if facts.indexes:
        said = "; ".join(w for w in (said, _words("index of ", [f"{n} elements" for n in facts.indexes])) if w)
    assigned = [p for c in facts.assigned for p in (c, c + 1)]
    every = _part({*facts.cuts, *assigned, *more}, type)
    if every is not None:
        values = _words("assigned ", [str(c) for c in sorted(facts.assigned)])
        return every, "; ".join(w for w in (said, values) if w)
    decisive = _part({*facts.cuts, *more}, type)
    if decisive is not None:
        return decisive, said
    fitting = sorted(p for p in facts.cuts if type.low <= p <= type.high)
    if not fitting:
        return Top(), "no value of it decides"
    ends = Part(tuple(sorted({fitting[0], fitting[-1]})))
    return ends, f"more than {MOST_POINTS} constants decide: these are the outermost"


def _part(points: Iterable[int], type: Int) -> Part | None:
    """A partition at those points that are values of the type; None if there are too many, or none."""
    fitting = sorted({p for p in points if type.low <= p <= type.high})
    return Part(tuple(fitting)) if 0 < len(fitting) <= MOST_POINTS else None


def _words(start: str, words: Iterable[str]) -> str:
    listed = list(words)
    if not listed:
        return ""
    return start + ", ".join(listed[:_MOST_WORDS]) + (", …" if len(listed) > _MOST_WORDS else "")
