"""Witnesses of random questions on random models: each shows what it should, and none is shorter."""

from __future__ import annotations

import random

from stateglass.scenarios.witnesses import witness
from stateglass.scenarios.witnesses.obligations import objection
from tests.check.branching import mentions_event
from tests.check.test_ctl import random_model
from tests.scenarios.runs import random_linear, reply_on, shortest


def test_shortest_is_shortest() -> None:
    chance = random.Random(1)
    shown = 0
    for _ in range(1500):
        model = random_model(chance, chance.randint(1, 4))
        formula = random_linear(chance, chance.randint(0, 3))
        if mentions_event(formula):
            continue
        reply = reply_on(formula, model)
        found = witness(reply)
        length = shortest(formula, model, 5)
        if found is None:
            assert length is None, formula
            continue
        assert reply.has_run
        assert objection(found, formula, model) == ""
        assert found.is_certain
        assert found.costs[-1] == len(found.run.positions)
        assert length == found.costs[-1] if found.costs[-1] <= 5 else length is None
        shown += 1
    assert shown > 300
