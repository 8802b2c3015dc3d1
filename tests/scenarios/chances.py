"""Random small models and random scenarios on them."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np

from stateglass.logic.claims import Fairness
from stateglass.logic.predicates import Applied, Named, Number, Operator, Predicate
from stateglass.logic.temporal import Turn
from stateglass.model import Model, ModelBuilder, Origin, Proposition, Sort
from stateglass.scenarios.language import (
    Act,
    After,
    AllOf,
    AnyOf,
    Before,
    Between,
    Change,
    Condition,
    Endpoint,
    Event,
    EventName,
    Link,
    Part,
    Relation,
    Scenario,
    Scope,
    Start,
    Vocabulary,
    When,
)

LABELS = ("a", "b", "c")
RELATIONS = tuple(Relation)


def random_model(chance: random.Random, states: int = 3, transitions: int = 5, *, open_states: bool = False) -> Model:
    """A model whose states have values of `x` (a truth value) and `y` (a number), and labels from `LABELS`."""
    builder = ModelBuilder()
    for label in LABELS:
        builder.label(label)
    count = chance.randrange(1, states + 1)
    for number in range(chance.randrange(1, transitions + 1)):
        # At first a state that can be reached.
        source = chance.randrange(min(count, number + 1))
        builder.add(source, chance.choice(LABELS), chance.randrange(count))
    values = {"x": 2, "y": 3}
    own = [
        Proposition(name, Sort.INT, np.array([chance.randrange(most) for _ in range(count)], dtype=np.int64))
        for name, most in values.items()
    ]
    unknown = [state for state in range(count) if chance.random() < 0.4] if open_states else []
    origin = Origin(partial=("a part is missing",)) if unknown else Origin()
    return builder.build(count, propositions=own, unexplored=unknown, origin=origin)


def random_predicate(chance: random.Random, depth: int = 1) -> Predicate:
    if depth and chance.random() < 0.4:
        if chance.random() < 0.4:
            return Applied(Operator.NOT, (random_predicate(chance, depth - 1),))
        operator = chance.choice((Operator.AND_ALSO, Operator.OR_ELSE))
        return Applied(operator, (random_predicate(chance, depth - 1), random_predicate(chance, depth - 1)))
    atoms: list[Predicate] = [Named("x"), Named("known")]
    atoms += [Applied(Operator.EQUAL, (Named("y"), Number(value))) for value in range(3)]
    return chance.choice(atoms)


def random_condition(chance: random.Random) -> Condition:
    return Condition(random_predicate(chance))


def random_event(chance: random.Random, depth: int = 2, *, names: bool = True) -> Event:
    if depth and chance.random() < 0.3:
        kind = chance.randrange(4)
        if kind == 0:
            return When(random_event(chance, depth - 1, names=names), random_condition(chance))
        inner = tuple(random_event(chance, depth - 1, names=names) for _ in range(2))
        return AllOf(inner) if kind == 1 else AnyOf(inner)
    kind = chance.randrange(11)
    if kind < 6:
        return Act(chance.choice(LABELS))
    if kind < 7:
        return Start()
    if kind < 8 and names:
        return EventName("word")
    if kind < 9:
        return Change(Turn.CHANGES, Condition(Named(chance.choice(("x", "y", "known")))))
    return Change(chance.choice((Turn.RISES, Turn.FALLS)), random_condition(chance))


def random_vocabulary(chance: random.Random) -> Vocabulary:
    atoms = [Applied(Operator.EQUAL, (Named("y"), Number(value))) for value in range(3)]
    choices: list[Predicate] = [Named("x"), *atoms]
    known = Condition(chance.choice(choices))
    return Vocabulary({"word": random_event(chance, names=False)}, {"known": known})


def random_scope(chance: random.Random, depth: int = 1) -> Scope | None:
    def endpoint() -> Endpoint:
        return random_condition(chance) if chance.random() < 0.4 else random_event(chance, depth)

    kind = chance.randrange(5)
    if kind == 0:
        return After(endpoint())
    if kind == 1:
        return Before(endpoint())
    return Between(endpoint(), endpoint()) if kind == 2 else None


def random_part(chance: random.Random) -> Part:
    # Simple stories more often say something.
    depth = chance.choice((0, 0, 0, 2))
    events = [random_event(chance, depth) for _ in range(chance.choice((2, 2, 2, 3)))]
    links = tuple(Link(cause, chance.choice(RELATIONS), effect) for cause, effect in pairwise(events))
    condition = random_condition(chance) if chance.random() < 0.3 else None
    exception = random_event(chance, depth // 2) if chance.random() < 0.2 else None
    return Part(links, condition, exception, random_scope(chance, depth // 2))


def random_scenario(chance: random.Random) -> Scenario:
    parts = tuple(random_part(chance) for _ in range(chance.choice((1, 1, 1, 2))))
    return Scenario("", parts)


def random_fairness(chance: random.Random) -> tuple[Fairness, ...]:
    return tuple(Fairness(chance.choice(LABELS), chance.random() < 0.5) for _ in range(chance.choice((1, 1, 2))))


def completed(model: Model, chance: random.Random) -> Model:
    """A whole model that a partial one may be a part of: anything may follow where something is missing."""
    builder = ModelBuilder()
    for label in model.labels:
        builder.label(label)
    for source, action, target in _steps(model):
        builder.add(source, model.labels[action], target)
    added = chance.randrange(3)
    count = model.states + added
    assert model.unexplored is not None
    may_leave = [*np.flatnonzero(model.unexplored).tolist(), *range(model.states, count)]
    for _ in range(chance.randrange(4)):
        builder.add(chance.choice(may_leave), chance.choice(LABELS), chance.randrange(count))
    more = {"x": 2, "y": 3}
    own = [
        Proposition(p.name, p.sort, np.append(p.values, [chance.randrange(more[p.name]) for _ in range(added)]))
        for p in model.propositions
    ]
    return builder.build(count, propositions=own)


def narrowed(model: Model, chance: random.Random) -> Model:
    """A model that another one is an abstraction of: it does less, ends nowhere else, takes more silent steps."""
    builder = ModelBuilder()
    for label in model.labels:
        builder.label(label)
    values = {p.name: p.values.tolist() for p in model.propositions}
    count = model.states
    steps = _steps(model)
    chance.shuffle(steps)
    left: set[int] = set()
    for source, action, target in steps:
        if source in left and chance.random() < 0.5:
            continue
        left.add(source)
        if chance.random() < 0.3:
            builder.add(source, "tau", count)
            for column in values.values():
                column.append(column[source])
            source, count = count, count + 1
        builder.add(source, model.labels[action], target)
    own = [Proposition(p.name, p.sort, np.array(values[p.name], dtype=np.int64)) for p in model.propositions]
    return builder.build(count, propositions=own)


def _steps(model: Model) -> list[tuple[int, int, int]]:
    return list(zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True))
