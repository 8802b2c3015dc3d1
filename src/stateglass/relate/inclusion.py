"""Inclusion of traces and of failures, with a shortest counterexample.

Breadth first over pairs of a state on the left and the set of states that the right can be in after the same actions.
A pair is left out if one with the same state and a smaller set was seen: what the larger set cannot do, the smaller
cannot either (De Wulf, Doyen, Henzinger and Raskin, Antichains: a new algorithm for checking universality of finite
automata, 2006). There can be exponentially many sets; the search ends when it has looked at `most` steps and states.
What the right never does, wherever it gets, needs no sets: if there is such a thing, the search is only for less of it.

A trace shows actions, and after each of them what is seen of the state itself: together a letter. Failures are those of
the stable-failures model (Roscoe, Understanding concurrent systems, 2010, chapter 11): after a trace, a state without a
silent step refuses every action that it has no transition for. Divergence is no observation.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, final

from stateglass.relate.arena import Arena
from stateglass.relate.novelty import QUIET, letters_of, novelties, way_to
from stateglass.relate.saturation import MORE, TooMany
from stateglass.work import Progress


@final
@dataclass(frozen=True, slots=True)
class Missing:
    """What the left can do and the right cannot: letters in their order, and a refusal after them if it is not None.

    Without letters and refusal, it is what is seen of the first state.
    """

    letters: tuple[tuple[int, int], ...]  # a label and a colour
    refused: tuple[int, ...] | None = None


def missing(
    arena: Arena,
    left: int,
    right: int,
    *,
    weak: bool,
    failures: bool = False,
    certain: bool,
    most: int,
    progress: Progress,
) -> Missing | None:
    """An observation of the left that the right does not have, a shortest one unless that takes long; None if there is
    none.

    With `certain`, only observations count that stay missing whatever is found in open states.
    """
    if arena.colours[left] != arena.colours[right]:
        return Missing(())
    search = _Search(arena, weak, failures, certain, most, progress)
    fresh = novelties(arena, search.letters, left, right, certain=certain)
    if not fresh.any():
        return search.run(left, right)
    return search.run_for_less(left, right, way_to(arena, search.letters, left, fresh))


MOST_WORK_FOR_LESS: Final = 1_000_000
"""Steps and states that are looked at for a shorter observation than one that is known."""
_REPORT_EVERY: Final = 10_000


@final
@dataclass(frozen=True, slots=True)
class _Node:
    """A pair that was reached, and from where."""

    state: int
    group: int
    length: int
    parent: int
    letter: int


@final
class _Search:
    """One search; sets of states are numbered."""

    def __init__(self, arena: Arena, weak: bool, failures: bool, certain: bool, most: int, progress: Progress) -> None:
        self._arena = arena
        self.letters = letters_of(arena, weak=weak)
        self._failures = failures
        self._certain = certain
        self._most = most
        self._progress = progress
        self._report_at = 0
        # By number of the set: its states, and what each letter leads to.
        self._groups: list[frozenset[int]] = []
        self._number: dict[frozenset[int], int] = {}
        self._after: list[dict[int, int] | None] = []
        self._nodes: list[_Node] = []
        # By state of the left: the minimal sets that it was met with, an antichain.
        self._smallest: dict[int, list[int]] = {}
        self._best: tuple[int, Missing] | None = None
        self._known_moves: dict[int, list[tuple[int, int]]] = {}
        self._known_offers: dict[int, list[frozenset[int]]] = {}
        self._work = 0

    def run_for_less(self, left: int, right: int, way: tuple[int, ...]) -> Missing | None:
        """A shortest observation, or the way that is known to be one if that takes too much work."""
        # As if it were longer by one: of those that are as short, the first in the order of the search is given.
        self._best = len(way) + 1, Missing(tuple(divmod(letter, self._arena.colour_count) for letter in way))
        self._most = min(self._most, MOST_WORK_FOR_LESS)
        with suppress(TooMany):
            return self.run(left, right)
        return self._best[1]

    def run(self, left: int, right: int) -> Missing | None:
        self._nodes.append(_Node(left, self._group({right}), 0, -1, QUIET))
        waiting = deque([0])
        while waiting:
            index = waiting.popleft()
            node = self._nodes[index]
            if self._best is not None and node.length >= self._best[0]:
                break
            if self._is_covered(node):
                continue
            if self._certain and self._has_open(node.group):
                # The right may turn out to do anything from here on.
                continue
            self._look_for_refusal(index)
            after = self._steps(node.group)
            for letter, target in self._moves(node.state):
                if letter == QUIET:
                    # A silent step adds nothing to the trace: it comes before all longer ones.
                    waiting.appendleft(self._add(target, node.group, node.length, index, QUIET))
                elif letter in after:
                    waiting.append(self._add(target, after[letter], node.length + 1, index, letter))
                else:
                    self._found(index, (letter,))
        return None if self._best is None else self._best[1]

    def _add(self, state: int, group: int, length: int, parent: int, letter: int) -> int:
        self._nodes.append(_Node(state, group, length, parent, letter))
        return len(self._nodes) - 1

    def _is_covered(self, node: _Node) -> bool:
        seen = self._smallest.setdefault(node.state, [])
        group = self._groups[node.group]
        if node.group in seen:
            return True
        self._spend(1 + len(seen) * len(group))
        if any(self._groups[other] <= group for other in seen):
            return True
        seen[:] = [other for other in seen if not group <= self._groups[other]]
        seen.append(node.group)
        return False

    def _look_for_refusal(self, index: int) -> None:
        """Whether the left refuses something here that no stable state of the right refuses."""
        node = self._nodes[index]
        if not self._failures or (self._certain and self._arena.open_states[node.state]):
            return
        offered = self._offered(node.state)
        if offered is None:
            return
        others = self._all_offered(node.group)
        if all(other - offered for other in others):
            self._found(index, (), _hitting([other - offered for other in others]))

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work >= self._report_at:
            self._report_at = self._work + _REPORT_EVERY
            self._progress("comparing traces", steps=self._work, sets=len(self._groups))
        if self._work > self._most:
            raise TooMany(f"more than {self._most:,} steps and states in sets of states", MORE)

    def _moves(self, state: int) -> list[tuple[int, int]]:
        known = self._known_moves.get(state)
        if known is None:
            chosen = slice(int(self._arena.first[state]), int(self._arena.first[state + 1]))
            known = list(zip(self.letters[chosen].tolist(), self._arena.targets[chosen].tolist(), strict=True))
            self._known_moves[state] = known
        self._spend(1 + len(known))
        return known

    def _all_offered(self, group: int) -> list[frozenset[int]]:
        """What the stable states of a set do not refuse."""
        if group not in self._known_offers:
            found = {more for state in self._groups[group] if (more := self._offered(state)) is not None}
            self._known_offers[group] = sorted(found, key=sorted)
        self._spend(len(self._known_offers[group]))
        return self._known_offers[group]

    def _offered(self, state: int) -> frozenset[int] | None:
        """What a stable state does not refuse; None for one with a silent step."""
        letters = {letter for letter, _ in self._moves(state)}
        return None if QUIET in letters else frozenset(letter // self._arena.colour_count for letter in letters)

    def _found(self, index: int, last: tuple[int, ...], refused: tuple[int, ...] | None = None) -> None:
        length = self._nodes[index].length + len(last)
        if self._best is None or length < self._best[0]:
            letters = [divmod(letter, self._arena.colour_count) for letter in (*self._trace(index), *last)]
            self._best = (length, Missing(tuple(letters), refused))

    def _trace(self, index: int) -> tuple[int, ...]:
        letters = []
        while index >= 0:
            node = self._nodes[index]
            if node.letter != QUIET:
                letters.append(node.letter)
            index = node.parent
        return tuple(reversed(letters))

    def _has_open(self, group: int) -> bool:
        return any(self._arena.open_states[state] for state in self._groups[group])

    def _group(self, states: set[int]) -> int:
        """The number of a set, after silent steps were added to it."""
        work = list(states)
        while work:
            for letter, target in self._moves(work.pop()):
                if letter == QUIET and target not in states:
                    states.add(target)
                    work.append(target)
        group = frozenset(states)
        number = self._number.setdefault(group, len(self._groups))
        if number == len(self._groups):
            self._groups.append(group)
            self._after.append(None)
        return number

    def _steps(self, group: int) -> dict[int, int]:
        """The set after each letter."""
        known = self._after[group]
        if known is None:
            targets: dict[int, set[int]] = {}
            for state in self._groups[group]:
                for letter, target in self._moves(state):
                    if letter != QUIET:
                        targets.setdefault(letter, set()).add(target)
            known = self._after[group] = {letter: self._group(states) for letter, states in targets.items()}
        return known


def _hitting(sets: list[frozenset[int]]) -> tuple[int, ...]:
    """A small set that has something of each of these, by the greedy rule: the smallest is NP-hard to find."""
    left, chosen = list(sets), []
    while left:
        every = [label for each in left for label in each]
        label = min(set(every), key=lambda x: (-every.count(x), x))
        chosen.append(label)
        left = [each for each in left if label not in each]
    for label in list(chosen):
        rest = [x for x in chosen if x != label]
        if all(each & set(rest) for each in sets):
            chosen = rest
    return tuple(sorted(chosen))
