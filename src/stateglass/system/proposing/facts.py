"""What the code does with each scalar: what it is compared with, what is assigned to it, what it is used for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from stateglass.program import Comparison
from stateglass.program.names import is_nameless
from stateglass.system.proposing.objects import RESULT, Key

MOST_CUTS: Final = 256
"""More constants than these are not gathered for one variable."""
MOST_ROUNDS: Final = 64


@final
@dataclass(slots=True)
class Facts:
    """About one scalar; reasons are kept in the order in which they were found."""

    cuts: dict[int, None] = field(default_factory=dict)  # where intervals begin
    edges: dict[int, int] = field(default_factory=dict)  # those of them that an order draws, with the constant compared
    points: dict[int, None] = field(default_factory=dict)  # values that are told from all others
    truth: bool = False  # it is asked whether it is 0
    reasons: dict[str, None] = field(default_factory=dict)
    assigned: dict[int, None] = field(default_factory=dict)
    anything: bool = False  # it is also assigned what is not known
    counts: bool = False  # it is assigned itself, changed
    truths: bool = False  # it is assigned what is true or false
    moves: bool = False  # a pointer that is computed
    flags: bool = False  # bits are set and cleared
    moduli: dict[int, None] = field(default_factory=dict)
    reduced: dict[int, None] = field(default_factory=dict)  # it is assigned a remainder of these
    indexes: dict[int, None] = field(default_factory=dict)  # arrays of so many elements
    followed: bool = False  # a pointer that is used
    compared: bool = False  # with something that is no constant

    @property
    def decides(self) -> bool:
        return bool(self.cuts or self.moduli or self.indexes)

    def cut(self, points: list[int], reason: str) -> None:
        if len(self.cuts) < MOST_CUTS:
            self.cuts |= dict.fromkeys(points)
            self.reasons[reason] = None

    def distinguish(self, other: Facts, offset: int = 0) -> None:
        """Tells apart what another scalar tells apart, which is this one plus an offset."""
        if len(self.edges) + len(self.points) < MOST_CUTS:
            self.edges = {p - offset: c - offset for p, c in other.edges.items()} | self.edges
            self.points |= {p - offset: None for p in other.points}
            self.truth |= other.truth and not offset
            if other.truth and offset:
                self.points[-offset] = None


@final
class Ledger:
    """The facts about all scalars, and how values go from one to the other."""

    def __init__(self) -> None:
        self._facts: dict[Key, Facts] = {}
        self.copies: dict[tuple[Key, Key, int], None] = {}  # to, from, and what is added on the way
        self.compared: dict[tuple[Key, Key], None] = {}
        self.related: dict[tuple[Key, Key], None] = {}  # those that are compared as they are, with nothing added

    def of(self, key: Key) -> Facts:
        return self._facts.setdefault(key, Facts())

    def compare(self, key: Key, operator: Comparison, constant: int) -> None:
        points = {
            Comparison.EQUAL: [constant, constant + 1],
            Comparison.UNEQUAL: [constant, constant + 1],
            Comparison.LESS: [constant],
            Comparison.GREATER_EQUAL: [constant],
            Comparison.LESS_EQUAL: [constant + 1],
            Comparison.GREATER: [constant + 1],
        }
        self.of(key).cut(points[operator], f"{operator.value} {constant}")
        if operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            self.of(key).points[constant] = None
        else:
            self.of(key).edges.setdefault(points[operator][0], constant)

    def copy(self, target: Key, source: Key, offset: int = 0) -> None:
        if target == source:
            self.of(target).counts |= bool(offset)
        else:
            self.copies[target, source, offset] = None

    def settle(self) -> None:
        """Lets facts travel along copies until nothing changes.

        Values that are assigned go with a copy, from the source to the target. Constants that decide go against it:
        what the code tells apart in the target it tells apart in the source.
        """
        self._spread()
        self._across_comparisons()
        self._spread()
        # A sum is looked through once: around a loop the constants would never end.
        for target, source, offset in self.copies:
            if (source, target, 0) in self.copies and offset:
                self.of(target).counts = True
            elif offset:
                self.of(source).distinguish(self.of(target), offset)
                if self.of(target).cuts:
                    points = [c - offset for c in self.of(target).cuts]
                    self.of(source).cut(points, f"decides on {_name(target)}")
                self.of(target).anything = True
        self._spread()

    def _spread(self) -> None:
        plain = [(target, source) for target, source, offset in self.copies if not offset]
        for _ in range(MOST_ROUNDS):
            changed = False
            for target, source in plain:
                changed |= self._forward(self.of(source), self.of(target))
                changed |= self._backward(self.of(target), self.of(source), target)
            if not changed:
                return

    def _forward(self, source: Facts, target: Facts) -> bool:
        before = len(target.assigned), target.anything, target.truths, target.moves, len(target.reduced)
        if len(target.assigned) < MOST_CUTS:
            target.assigned |= source.assigned
        target.truths |= source.truths
        target.moves |= source.moves
        target.reduced |= source.reduced
        target.anything |= source.anything or source.counts or source.flags
        return before != (len(target.assigned), target.anything, target.truths, target.moves, len(target.reduced))

    def _backward(self, target: Facts, source: Facts, key: Key) -> bool:
        before = _heard(source)
        source.distinguish(target)
        new = [c for c in target.cuts if c not in source.cuts]
        if new:
            reasons = list(target.reasons) if is_nameless(key.variable.name) else [f"decides on {_name(key)}"]
            for reason in reasons:
                source.cut(new, reason)
        source.moduli |= target.moduli
        source.indexes |= target.indexes
        source.followed |= target.followed
        return before != _heard(source)

    def _across_comparisons(self) -> None:
        """Cuts each of two variables that are compared at the constants that the other one is ever assigned."""
        for pair in self.compared:
            for one, other in (pair, pair[::-1]):
                facts = self.of(other)
                if facts.assigned and not (facts.anything or facts.counts or facts.flags):
                    points = [p for c in facts.assigned for p in (c, c + 1)]
                    self.of(one).cut(points, f"compared with {_name(other)}")


def _heard(facts: Facts) -> tuple[int | bool, ...]:
    """The sizes of the facts that may grow when constants travel against copies."""
    told = len(facts.edges), len(facts.points), facts.truth
    return (len(facts.cuts), len(facts.moduli), len(facts.indexes), facts.followed, *told)


def _name(key: Key) -> str:
    variable = key.variable
    return f"{variable.function}()" if variable.name == RESULT else f"{variable.name}{key.pattern}"
