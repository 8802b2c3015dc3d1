"""What cells hold while a function runs for all inputs at once, and how the contents of several ways become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from typing import Final, final

from stateglass.explore.cells.contents import FOREIGN_READ, LENT_READ
from stateglass.explore.merging.trail import BEGINNING, Origin
from stateglass.smt import Term, Terms
from stateglass.values import FaultKind


@final
@unique
class NotKnown(Enum):
    """Why nothing is known of a cell that is there: what it holds depends on code that is not."""

    FOREIGN = FOREIGN_READ
    LENT = LENT_READ


Reason = FaultKind | NotKnown
"""What reading a cell without a value is: an error, or the end of what is known."""


@final
@dataclass(frozen=True, slots=True)
class Absent:
    """A cell without a value: never written, or of a variable that is not alive, or known to others only."""

    kind: Reason


@final
@dataclass(frozen=True, slots=True)
class Partly:
    """A value on some ways, nothing on others; or one of which not all bits were written."""

    value: Term
    absent: tuple[tuple[Reason, Term], ...]
    unwritten: Term | None = None  # ones where no bit was written


UNWRITTEN: Final = Absent(FaultKind.UNINITIALISED)
OVER: Final = Absent(FaultKind.DANGLING)
BEYOND: Final = Absent(FaultKind.BOUNDS)
FOREIGN: Final = Absent(NotKnown.FOREIGN)
LENT: Final = Absent(NotKnown.LENT)
Content = Term | Absent | Partly
Cells = dict[int, Content]
Guard = tuple[Term, ...]
"""All of these hold on a way."""
MOST_GROUPED: Final = 8
"""If a cell holds more than so many different things on ways that meet, it is chosen as the ways part."""


_Fork = dict[Term, "_Fork"]
"""Guards that begin alike, by how they go on."""


@final
class Way:
    """A way through the code: under which conditions it is gone, and what the cells hold on it."""

    __slots__ = ("cells", "guard", "origin")

    def __init__(self, guard: Guard, cells: Cells, origin: Origin = BEGINNING) -> None:
        self.guard = guard
        self.cells = cells
        self.origin = origin


@final
class Meeting:
    """Makes one way of several.

    A guard lists the conditions on a way in their order, so that ways which part late begin alike. What all begin with
    is kept as it is, and only the rest decides between them: conditions do not grow with what came before.
    """

    def __init__(
        self,
        terms: Terms,
        before: Callable[[int], Content],
        width: Callable[[int], int],
        ways: Sequence[Way],
        keep_time: Callable[[], None] = lambda: None,
    ) -> None:
        """`before` is what a cell holds that a way has not written, `width` how many bits it has.

        `keep_time` raises if time is over: thousands of ways take long.
        """
        self._terms = terms
        self._keep_time = keep_time
        self._before = before
        self._width = width
        self._ways = ways
        shortest = min(len(w.guard) for w in ways)
        common, first = 0, ways[0].guard
        while common < shortest and all(w.guard[common] is first[common] for w in ways):
            common += 1
        self._common = first[:common]
        self._own = [w.guard[common:] for w in ways]
        self._known: dict[tuple[int, ...], Term] = {}

    def merged(self) -> Way:
        """The way behind the place where they meet."""
        ways = self._ways
        if len(ways) == 1:
            return ways[0]
        one = self._one_of(tuple(range(len(ways))))
        guard = self._common if one is self._terms.true else (*self._common, one)
        written = dict.fromkeys(number for way in ways for number in way.cells)
        merged = {n: self.chosen([self._content(w.cells, n) for w in ways], self._width(n)) for n in written}
        return Way(guard, merged, tuple(one for way in ways for one in way.origin))

    def chosen(self, contents: Sequence[Content], width: int) -> Content:
        """One content of those on the ways; exactly one way is gone, so that the last need not be asked for."""
        first = contents[0]
        if all(c is first for c in contents):
            return first
        grouped: dict[Content, list[int]] = {}
        for number, content in enumerate(contents):
            grouped.setdefault(content, []).append(number)
        if len(grouped) == 1:
            return first
        if len(grouped) > MOST_GROUPED and self._forks is not None:
            return self._by_forks(*self._forks, contents, width)
        return one_of(self._terms, [(self._one_of(tuple(n)), c) for c, n in grouped.items()], width)

    def _by_forks(
        self, forks: list[dict[Term, int]], ends: dict[int, int], contents: Sequence[Content], width: int
    ) -> Content:
        """As the ways part: conditions that several begin with are asked for once, so that a loop with an exit in each
        round makes as many choices as it has rounds."""
        terms = self._terms
        found: dict[int, Content] = {}
        gone: dict[int, Term] = {}  # that the way behind a fork is one of those that there are
        for number in reversed(range(len(forks))):
            if number in ends:
                found[number], gone[number] = contents[ends[number]], terms.true
                continue
            fork = forks[number]
            whole = {following: terms.both(condition, gone[following]) for condition, following in fork.items()}
            gone[number] = terms.either(*whole.values())
            # Of opposites one holds; of others several may, and then what follows tells which way is gone.
            apart = len(fork) == 2 and terms.negation(next(iter(fork))) in fork
            cases = [(c if apart else whole[following], found[following]) for c, following in fork.items()]
            first = cases[0][1]
            same = all(content is first for _, content in cases)
            found[number] = first if same else one_of(terms, cases, width)
        return found[0]

    @cached_property
    def _forks(self) -> tuple[list[dict[Term, int]], dict[int, int]] | None:
        """Where the ways part, and by which conditions; where each of them ends. None if one goes on where another
        ends."""
        forks: list[dict[Term, int]] = [{}]
        ends: dict[int, int] = {}
        for number, guard in enumerate(self._own):
            at = 0
            for condition in guard:
                following = forks[at].get(condition)
                if following is None:
                    following = forks[at][condition] = len(forks)
                    forks.append({})
                at = following
            ends[at] = number
        is_tree = len(ends) == len(self._own) and not any(forks[end] for end in ends)
        return (forks, ends) if is_tree else None

    def _one_of(self, numbers: tuple[int, ...]) -> Term:
        """That one of these ways is gone, if one of all is."""
        known = self._known.get(numbers)
        if known is None:
            self._keep_time()
            known = self._known[numbers] = any_of(self._terms, [self._own[n] for n in numbers])
        return known

    def _content(self, cells: Mapping[int, Content], number: int) -> Content:
        found = cells.get(number)
        return self._before(number) if found is None else found


def one_of(terms: Terms, cases: Sequence[tuple[Term, Content]], width: int) -> Content:
    """The content for which the condition holds; one does, so that that of the last value need not be asked for."""
    absent: list[tuple[Reason, Term]] = []
    values: list[tuple[Term, Term, Term]] = []
    complete = terms.constant(0, width)
    for condition, content in cases:
        match content:
            case Absent(kind):
                absent.append((kind, condition))
            case Partly(value, missing, unwritten):
                values.append((condition, value, complete if unwritten is None else unwritten))
                absent += [(kind, terms.both(condition, when)) for kind, when in missing]
            case _:
                values.append((condition, content, complete))
    _, result, unwritten = values[-1] if values else (terms.true, complete, complete)
    for condition, value, holes in reversed(values[:-1]):
        result = terms.choose(condition, value, result)
        unwritten = terms.choose(condition, holes, unwritten)
    if unwritten is complete and not absent:
        return result
    return Partly(result, tuple(absent), None if unwritten is complete else unwritten)


def any_of(terms: Terms, guards: Sequence[Guard]) -> Term:
    """One of some guards, put together where they begin alike: `a, b` and `a, !b` are `a`."""
    root: _Fork = {}
    forks, ends = [root], set[int]()
    for guard in guards:
        at = root
        for condition in guard:
            following = at.get(condition)
            if following is None:
                following = at[condition] = {}
                forks.append(following)
            at = following
        ends.add(id(at))
    found: dict[int, Term] = {}
    for fork in reversed(forks):  # each stands behind the one that leads to it
        # A guard that ends here holds however others go on.
        ways = (terms.both(condition, found[id(following)]) for condition, following in fork.items())
        found[id(fork)] = terms.true if id(fork) in ends else terms.either(*ways)
    return found[id(root)]
