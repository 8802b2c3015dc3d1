"""Why a branching formula holds or fails in the initial state: a run, or a graph of several.

What some run shows (an `E` that holds, an `A` that fails) is shown by a shortest one; where it ends, or on the way,
there may be more to be shown. If one run after the other is enough, together they are one path; else they make a graph
(Clarke, Jha, Lu, Veith: Tree-like counterexamples in model checking, 2002). What all runs have to do with (an `A` that
holds, an `E` that fails) is said, not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, assert_never, final

import numpy as np

from stateglass.check.ctl import Evaluation, operands_first
from stateglass.check.duties import Duty, Further, GraphOf, Place, Shown, Where, is_of_runs, words_of
from stateglass.check.runs import Run, Runs, path_of
from stateglass.evidence import Graph, Path
from stateglass.logic.temporal import (
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Happens,
    Holds,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Quantified,
    Release,
    Turns,
    Until,
    WeakUntil,
    parts,
)
from stateglass.model.model import Flags

MOST_RUNS: Final = 24
"""A graph of more runs than this is no help to anybody: what is left is said, not shown."""


@final
@dataclass(frozen=True, slots=True)
class Story:
    """Evidence, and what is to be said of the place where it ends."""

    evidence: Path | Graph | None
    words: str = ""


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """A run that shows something: through positions where some hold or fail, to where others do, or for ever."""

    through: tuple[tuple[Formula, bool], ...]
    goal: tuple[tuple[Formula, bool], ...] | None
    for_ever: bool
    within: int | None


@final
class Why:
    """Explains an evaluated formula. Unless `sure`, what may hold or fail is enough, as in an abstraction."""

    def __init__(self, evaluation: Evaluation, *, sure: bool, avoiding: frozenset[int] = frozenset()) -> None:
        self._evaluation = evaluation
        self._positions = evaluation.positions
        self._sure = sure
        allowed = self._positions.existing(sure=sure)
        avoided = np.zeros(self._positions.states, dtype=np.bool_)
        avoided[list(avoiding)] = True
        avoided[evaluation.model.initial] = False
        if avoided.any():
            allowed = allowed & ~avoided[self._positions.sources] & ~avoided[self._positions.targets]
        self._runs = Runs(self._positions, allowed, evaluation.fair)
        self._allowed = allowed
        self._plain: dict[int, bool] = {}
        for node in operands_first(evaluation.formula):
            inside = all(self._plain[id(part)] for part in parts(node))
            self._plain[id(node)] = inside and not isinstance(node, Quantified)

    def story(self, holds: bool) -> Story:
        """Why the formula as a whole holds, or fails."""
        formula, start = self._evaluation.formula, self._evaluation.model.initial
        fixed = self._evaluation.is_fixed(formula)
        place = Place(start)
        if fixed:
            if holds:
                return Story(None)
            taken = [
                p for p in self._runs.leaving(start).tolist() if self._shows(formula, fixed, False, Place(start, p))
            ]
            if not taken:
                return Story(None)
            place = Place(start, taken[0])
        duty = Duty(formula, fixed, holds, place)
        duties = list(self._leaves(duty))
        shown, said = self._all_shown(duties)
        if not shown and any(is_of_runs(d) for d in said):
            return Story(None)
        path = self._as_path(duty, shown, said)
        return path if path is not None else Story(self._as_graph(duty, shown, said))

    def _all_shown(self, duties: list[Duty]) -> tuple[list[Shown], list[Duty]]:
        """The runs that some duties need, with all that they need in turn; and what can only be said."""
        roots: list[Shown] = []
        said: list[Duty] = []
        work: list[tuple[Duty, Shown | None, Where]] = [(duty, None, Where(0, False)) for duty in duties]
        count = 0
        while work:
            duty, parent, at = work.pop(0)
            found = self._shown(duty) if is_of_runs(duty) and count < MOST_RUNS else None
            if found is None:
                (said if parent is None else parent.said).append(duty)
                continue
            count += 1
            shown, further = found
            if parent is None:
                roots.append(shown)
            else:
                parent.more.append((at, shown))
            work += ((more, shown, where) for more, where in further)
        return roots, said

    def _shown(self, duty: Duty) -> tuple[Shown, Further] | None:
        """A run for one duty, and what remains to be shown after so many of its positions."""
        formula = duty.formula
        assert isinstance(formula, Quantified)
        path, holds = formula.path, duty.holds
        operands = self._evaluation.operands(formula)
        match path:
            case Next():
                return self._one_step(duty, *operands[0])
            case Eventually() | Always() | Until() | WeakUntil() | Release():
                return self._searched(duty, _search(path, holds))
            case _:
                place = duty.place
                if place.position is None:
                    where = self._flags(*operands[0], holds)
                    fitting = [p for p in self._runs.leaving(place.state).tolist() if where[p]]
                    if not fitting:
                        return None
                    place = Place(place.state, fitting[0])
                more = [(d, Where(0, True)) for d in self._leaves(Duty(*operands[0], holds, place))]
                assert place.position is not None
                return Shown(duty, Run((place.position,))), more

    def _one_step(self, duty: Duty, inner: Formula, fixed: bool) -> tuple[Shown, Further] | None:
        place = duty.place
        first = [place.position] if place.position is not None else self._runs.leaving(place.state).tolist()
        for position in first:
            state = int(self._positions.targets[position])
            after = self._place_with(inner, fixed, duty.holds, state)
            if self._allowed[position] and after is not None:
                further = [(d, Where(1, True)) for d in self._leaves(Duty(inner, fixed, duty.holds, after))]
                taken = (position,) if after.position is None else (position, after.position)
                return Shown(duty, Run(taken)), further
        return None

    def _place_with(self, inner: Formula, fixed: bool, holds: bool, state: int) -> Place | None:
        """A place in a state at which a formula is shown."""
        if not fixed:
            return Place(state) if self._shows(inner, fixed, holds, Place(state)) else None
        for position in self._runs.leaving(state).tolist():
            if self._shows(inner, fixed, holds, Place(state, position)):
                return Place(state, position)
        return None

    def _searched(self, duty: Duty, search: _Search) -> tuple[Shown, Further] | None:
        through = self._conjunction(search.through)
        found = self._to_goal(duty.place, search, through) if search.goal is not None else None
        run, last = found if found is not None else (None, None)
        if run is None and search.for_ever:
            run = self._endless(duty.place, search, through)
        if run is None:
            return None
        further: Further = []
        for number, position in enumerate(run.positions):
            if last is not None and number == len(run.positions) - 1 and last.position == position:
                continue
            place = Place(int(self._positions.sources[position]), position)
            for inner, holds in search.through:
                duties = self._leaves(self._duty(inner, holds, place))
                further += [(d, Where(number, False)) for d in duties if is_of_runs(d)]
        if last is not None:
            at = len(run.positions) - (last.position is not None)
            for inner, holds in search.goal or ():
                further += [(d, Where(at, True)) for d in self._leaves(self._duty(inner, holds, last))]
        return Shown(duty, run), further

    def _duty(self, inner: Formula, holds: bool, place: Place) -> Duty:
        fixed = self._evaluation.is_fixed(inner)
        return Duty(inner, fixed, holds, place if fixed else Place(place.state))

    def _to_goal(self, place: Place, search: _Search, through: Flags) -> tuple[Run, Place] | None:
        """A shortest run to the goal, and the place there; its own step is part of the run if the goal is about it."""
        assert search.goal is not None
        by_position = any(self._evaluation.is_fixed(inner) for inner, _ in search.goal)
        here = self._conjunction(search.goal)
        states: Flags = np.zeros(self._positions.states, dtype=np.bool_)
        if by_position:
            states[self._positions.sources[here & self._allowed]] = True
        else:
            states[:] = True
            for inner, holds in search.goal:
                states &= self._flags(inner, False, holds)
        before: tuple[int, ...] = ()
        start = place.state
        if place.position is not None:
            if here[place.position]:
                return (Run((place.position,)), place) if by_position else (Run(()), place)
            if not through[place.position] or search.within == 0:
                return None
            before, start = (place.position,), int(self._positions.targets[place.position])
        run = self._runs.to_goal(start, through, states)
        if run is None:
            return None
        positions = before + run.positions
        if search.within is not None and len(positions) > search.within:
            return None
        state = int(self._positions.targets[positions[-1]]) if positions else start
        if not by_position:
            return Run(positions), Place(state)
        last = next(p for p in self._runs.leaving(state).tolist() if here[p])
        return Run((*positions, last)), Place(state, last)

    def _endless(self, place: Place, search: _Search, through: Flags) -> Run | None:
        before: tuple[int, ...] = ()
        start = place.state
        if place.position is not None:
            if not through[place.position] or not self._allowed[place.position]:
                return None
            before, start = (place.position,), int(self._positions.targets[place.position])
        run = self._runs.for_ever(start, through)
        if run is not None:
            assert run.loop is not None
            return Run(before + run.positions, len(before) + run.loop)
        if search.within is None:
            return None
        # So many steps may be taken without the goal; the state after them is the last that counts.
        rest = self._runs.lasting(start, through, search.within + 1 - len(before))
        return None if rest is None else Run(before + rest.positions)

    def _conjunction(self, formulas: tuple[tuple[Formula, bool], ...]) -> Flags:
        flags: Flags = np.ones(self._positions.count, dtype=np.bool_)
        for inner, holds in formulas:
            fixed = self._evaluation.is_fixed(inner)
            flags &= self._positions.on_all_sides(self._flags(inner, fixed, holds), fixed)
        return flags

    def _flags(self, formula: Formula, fixed: bool, holds: bool) -> Flags:
        """Where a formula is shown to hold or fail: for states, or for positions if it mentions an event."""
        value = self._evaluation.value(formula, fixed)
        truth = value.truth if holds else value.truth.negated()
        flags = truth.must if self._sure else truth.may
        return self._positions.on_all_sides(flags, False) if fixed and not value.by_position else flags

    def _shows(self, formula: Formula, fixed: bool, holds: bool, place: Place) -> bool:
        where = place.position if fixed else place.state
        assert where is not None
        return bool(self._flags(formula, fixed, holds)[where])

    def _leaves(self, duty: Duty) -> Iterator[Duty]:
        """The quantified formulas whose truth makes that of a Boolean combination; what a state shows is left out."""
        work = [duty]
        while work:
            top = work.pop()
            if self._plain[id(top.formula)]:
                continue
            match top.formula:
                case Quantified():
                    yield top
                case Not(inner):
                    work.append(Duty(inner, top.fixed, not top.holds, top.place))
                case And(left, right) | Or(left, right):
                    both = isinstance(top.formula, And) is top.holds
                    sides = [Duty(part, top.fixed, top.holds, top.place) for part in (left, right)]
                    work += sides if both else [self._easier(sides)]
                case Implies(left, right):
                    sides = [
                        Duty(left, top.fixed, not top.holds, top.place),
                        Duty(right, top.fixed, top.holds, top.place),
                    ]
                    work += [self._easier(sides)] if top.holds else sides
                case Iff(left, right):
                    first = self._shows(left, top.fixed, True, top.place)
                    work.append(Duty(left, top.fixed, first, top.place))
                    work.append(Duty(right, top.fixed, first is top.holds, top.place))
                case Constant() | Holds() | Happens() | Turns():
                    pass
                case Next() | Eventually() | Always() | Until() | WeakUntil() | Release():
                    raise AssertionError("a temporal operator without a quantifier")
                case _:
                    assert_never(top.formula)

    def _easier(self, sides: list[Duty]) -> Duty:
        """Of two duties of which one is enough, one that the state itself shows, else the first that can be shown."""
        fitting = [s for s in sides if self._shows(s.formula, s.fixed, s.holds, s.place)] or sides
        return min(fitting, key=lambda s: not self._plain[id(s.formula)])

    def _as_graph(self, duty: Duty, roots: list[Shown], said: list[Duty]) -> Graph:
        flags = cache(self._flags)

        def is_shown(duty: Duty) -> bool:
            place = duty.place
            where = place.position if duty.fixed else place.state
            return bool(flags(duty.formula, duty.fixed, duty.holds)[where])

        return GraphOf(self._evaluation.model, is_shown).of(duty, roots, said)

    def _as_path(self, duty: Duty, roots: list[Shown], said: list[Duty]) -> Story | None:
        """One run after the other as one path; None if several runs start at one place."""
        start = duty.place.state
        # A step that is fixed is told even if nothing more is to be shown after it.
        owed: tuple[int, ...] = () if duty.place.position is None else (duty.place.position,)
        words = words_of(said, at_start=True)
        if len(roots) > 1 or (roots and any(is_of_runs(d) for d in said)):
            return None
        at: Shown | None = roots[0] if roots else None
        positions: tuple[int, ...] = ()
        loop: int | None = None
        while at is not None:
            if len(at.more) > 1 or any(is_of_runs(d) for d in at.said):
                return None
            own = at.run.positions
            if own and owed:
                if own[:1] != owed:
                    return None  # from the same state another step is taken
                owed = ()
            loop = None if at.run.loop is None else len(positions) + at.run.loop
            where, follower = at.more[0] if at.more else (None, None)
            if where is not None:
                if not where.is_end:
                    return None
                own, owed = own[: where.at], own[where.at :] or owed
            positions += own
            if at.said and follower is not None:
                return None
            if at.said:
                words = f"{words} {words_of(at.said, at_start=False)}".strip()
            at = follower
        return Story(path_of(self._positions, start, Run(positions + owed, loop)), words)


def _search(path: Eventually | Always | Until | WeakUntil | Release, holds: bool) -> _Search:
    """What a run has to be like that shows a path formula to hold, or to fail."""
    match path:
        case Eventually(inner, within):
            if holds:
                return _Search((), ((inner, True),), False, within)
            return _Search(((inner, False),), None, True, within)
        case Always(inner, within):
            if holds:
                return _Search(((inner, True),), None, True, within)
            return _Search((), ((inner, False),), False, within)
        case Until(left, right, within):
            if holds:
                return _Search(((left, True),), ((right, True),), False, within)
            return _Search(((right, False),), ((left, False), (right, False)), True, within)
        case WeakUntil(left, right):
            if holds:
                return _Search(((left, True),), ((right, True),), True, None)
            return _Search(((right, False),), ((left, False), (right, False)), False, None)
        case Release(left, right):
            if holds:
                return _Search(((right, True),), ((left, True), (right, True)), True, None)
            return _Search(((left, False),), ((right, False),), False, None)
        case _:
            assert_never(path)
