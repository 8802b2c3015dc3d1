"""Requirements in English mean what their patterns and scopes say, on runs in which states and events take turns."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from stateglass.logic.instants import is_event
from stateglass.logic.pattern_formulas import requirement_formula
from stateglass.logic.patterns import (
    Absence,
    After,
    AfterUntil,
    Before,
    Behaviour,
    Between,
    Bounded,
    Existence,
    Globally,
    Precedence,
    Requirement,
    Response,
    Scope,
    Universality,
)
from stateglass.logic.predicates import Named
from stateglass.logic.temporal import And, Formula, Happens, Holds, Not, Or
from tests.logic.lassos import Lasso, truth

LOOPS: Final = 8
STATES: Final = ("p", "q", "r")
EVENTS: Final = ("a", "b", "c")

Things = tuple[Formula, Formula, Formula, Formula, Formula]
BEHAVIOURS: Final[dict[str, Callable[[Things], Behaviour]]] = {
    "absence": lambda t: Absence(t[0]),
    "universality": lambda t: Universality(t[0]),
    "existence": lambda t: Existence(t[0]),
    "never or once": lambda t: Bounded(t[0], 1),
    "at most twice": lambda t: Bounded(t[0], 2),
    "precedence": lambda t: Precedence((t[0],), (t[1],)),
    "response": lambda t: Response((t[0],), (t[1],)),
    "two causes precede": lambda t: Precedence((t[0], t[1]), (t[2],)),
    "two effects are preceded": lambda t: Precedence((t[0],), (t[1], t[2])),
    "two causes are answered": lambda t: Response((t[0], t[1]), (t[2],)),
    "two effects answer": lambda t: Response((t[0],), (t[1], t[2])),
}
SCOPES: Final[dict[str, Callable[[Things], Scope]]] = {
    "globally": lambda _: Globally(),
    "before": lambda t: Before(t[3]),
    "after": lambda t: After(t[3]),
    "between": lambda t: Between(t[3], t[4]),
    "after until": lambda t: AfterUntil(t[3], t[4]),
}


def a_thing(rng: random.Random) -> Formula:
    state, event = Holds(Named(rng.choice(STATES))), Happens(rng.choice(EVENTS))
    kind = rng.randrange(10)
    if kind < 4:
        return state
    return event if kind < 8 else And(state, event) if kind == 8 else Or(Not(state), event)


def a_lasso(rng: random.Random) -> Lasso:
    size = rng.randint(1, 8)
    positions = [
        (frozenset(p for p in STATES if rng.random() < 0.4), rng.choice((*EVENTS, "tau"))) for _ in range(size)
    ]
    if rng.random() < 0.2:
        # The last state of a run that ends stays, without events.
        positions[-1] = (positions[-1][0], "")
        return Lasso(tuple(positions), size - 1)
    return Lasso(tuple(positions), rng.randrange(size))


class Run:
    """A run as instants, states at even numbers and events at odd ones, as far as matters."""

    def __init__(self, lasso: Lasso) -> None:
        self._long = Lasso(lasso.unrolled(LOOPS), 0)
        self.end = 2 * len(self._long.positions)
        self.soon = self.end - 4 * (len(lasso.positions) - lasso.loop)
        self._known: dict[int, list[bool]] = {}

    def at(self, thing: Formula, instant: int) -> bool:
        if id(thing) not in self._known:
            self._known[id(thing)] = truth(thing, self._long)
        return instant % 2 == is_event(thing) and self._known[id(thing)][instant // 2]

    def times(self, thing: Formula, start: int, end: int) -> list[int]:
        return [i for i in range(start, end) if self.at(thing, i)]

    def parts(self, scope: Scope) -> Iterator[tuple[int, int]]:
        """Where the scope is: from an instant up to another one."""
        match scope:
            case Globally():
                yield 0, self.end
            case Before():
                for end in self.times(scope.end, 0, self.end)[:1]:
                    yield 0, end
            case After():
                for start in self.times(scope.start, 0, self.end)[:1]:
                    yield start, self.end
            case Between() | AfterUntil():
                # Those that start late look like those a loop or two before.
                for start in self.times(scope.start, 0, self.soon):
                    ends = self.times(scope.end, start, self.end)
                    if ends and ends[0] > start:
                        yield start, ends[0]
                    elif not ends and isinstance(scope, AfterUntil):
                        yield start, self.end

    def keeps(self, behaviour: Behaviour, start: int, end: int) -> bool:
        infinite = end == self.end
        asked = min(end, self.soon) if infinite else end
        match behaviour:
            case Absence():
                return not self.times(behaviour.thing, start, end)
            case Universality():
                kind = is_event(behaviour.thing)
                return all(self.at(behaviour.thing, i) for i in range(start, end) if i % 2 == kind)
            case Existence():
                return bool(self.times(behaviour.thing, start, end))
            case Bounded():
                times = self.times(behaviour.thing, start, end)
                again = [i for i in times if is_event(behaviour.thing) or i - 2 not in times]
                return len(again) <= behaviour.most
            case Precedence(cause=(cause,), effect=(effect,)):
                return all(self.times(cause, start, i + 1) for i in self.times(effect, start, end))
            case Precedence(cause=(one, two), effect=(effect,)):
                return all(
                    any(i < k and j <= k for i, j in self.chains(one, two, start, end))
                    for k in self.times(effect, start, end)[:1]
                )
            case Precedence(cause=(cause,), effect=(one, two)):
                return all(self.times(cause, start, i + 1) for i, _ in self.chains(one, two, start, end))
            case Response(cause=(cause,), effect=(effect,)):
                return all(self.times(effect, i, end) for i in self.times(cause, start, asked))
            case Response(cause=(cause,), effect=(one, two)):
                return all(list(self.chains(one, two, i, end)) for i in self.times(cause, start, asked))
            case Response(cause=(one, two), effect=(effect,)):
                chains = list(self.chains(one, two, start, end))
                return all(
                    any(i == first and self.times(effect, j, end) for i, j in chains)
                    for first in {i for i, _ in chains if i < asked}
                )
            case _:
                raise AssertionError("no such pattern")

    def chains(self, one: Formula, two: Formula, start: int, end: int) -> Iterator[tuple[int, int]]:
        for i in self.times(one, start, end):
            for j in self.times(two, i + is_event(one), end):
                yield i, j


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_formulas_mean_what_patterns_say(behaviour: str, scope: str) -> None:
    rng = random.Random(f"{behaviour} {scope}")
    seen = set[bool]()
    for _ in range(400):
        things: Things = (a_thing(rng), a_thing(rng), a_thing(rng), a_thing(rng), a_thing(rng))
        requirement = Requirement(BEHAVIOURS[behaviour](things), SCOPES[scope](things))
        formula, lasso = requirement_formula(requirement), a_lasso(rng)
        run = Run(lasso)
        expected = all(run.keeps(requirement.behaviour, *part) for part in run.parts(requirement.scope))
        assert truth(formula, lasso)[0] == expected, (things, lasso)
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_silent_steps_that_change_nothing_do_not_count(behaviour: str, scope: str) -> None:
    rng = random.Random(f"silent {behaviour} {scope}")
    for _ in range(80):
        things: Things = (a_thing(rng), a_thing(rng), a_thing(rng), a_thing(rng), a_thing(rng))
        if behaviour == "universality" and is_event(things[0]):
            continue
        if any(isinstance(thing, Or) for thing in things):
            # At a silent step one may say of the state what is not said of the step that follows.
            continue
        formula = requirement_formula(Requirement(BEHAVIOURS[behaviour](things), SCOPES[scope](things)))
        lasso = a_lasso(rng)
        place = rng.randrange(len(lasso.positions))
        seen, _ = lasso.positions[place]
        longer = Lasso(
            (*lasso.positions[:place], (seen, "tau"), *lasso.positions[place:]), lasso.loop + (lasso.loop > place)
        )
        assert truth(formula, lasso)[0] == truth(formula, longer)[0], (things, lasso, place)
