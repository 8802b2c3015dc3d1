"""Beginnings of runs that violate a claim: no shorter one does, as all that may follow shows."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stateglass.answers.checking import check_claims
from stateglass.check.ltl import decide_ltl
from stateglass.evidence import Path, Verdict
from stateglass.logic import temporal as t
from stateglass.logic.claims import Claim, Language
from stateglass.logic.notation import formula_text
from stateglass.logic.reading import read_claim
from stateglass.model import Model, ModelBuilder, Proposition, Sort
from tests.check.ltl import worlds
from tests.relate.random_models import built

Walk = tuple[tuple[int, ...], tuple[str, ...]]  # states and the labels between them


@pytest.mark.parametrize("seed", range(2))
def test_no_shorter_run_violates_whatever_follows(seed: int) -> None:
    chance = random.Random(seed)
    seen = {"shortest": 0, "none": 0}
    for _ in range(40):
        model = worlds.random_model(chance)
        formula = worlds.random_formula(chance, chance.randint(1, 4))
        claim = Claim(formula_text(formula), Language.LTL, formula)
        answer = check_claims(model, [claim]).checked[0].answer
        if answer.verdict is not Verdict.VIOLATED:
            continue
        assert isinstance(answer.evidence, Path)
        finite = answer.evidence.loop_start is None and not answer.evidence.ends
        length = len(answer.evidence.steps)
        shortest = shortest_bad(formula, model, min(length, 3))
        if finite and length <= 3:
            assert shortest == length, claim.text
            seen["shortest"] += 1
        else:
            assert shortest in (None, length), claim.text
            seen["none"] += 1
    assert min(seen.values()) > 2


def test_one_step_is_not_two_events() -> None:
    model = built([(0, "a", 1), (0, "b", 1), (1, "tau", 1)], 2, values=[0, 1])
    evidence = check_claims(model, [read_claim("(a | [p == 1]) & ([p == 2] R b)")]).checked[0].answer.evidence
    assert isinstance(evidence, Path)
    assert evidence.steps == ()


def shortest_bad(formula: t.Formula, model: Model, most: int) -> int | None:
    """How many steps some run takes until nothing that may follow satisfies the formula; None: more than `most`."""
    walks: list[Walk] = [((model.initial,), ())]
    for length in range(most + 1):
        if any(is_bad(formula, model, walk) for walk in walks):
            return length
        walks = [
            ((*states, int(model.targets[i])), (*labels, model.labels[model.actions[i]]))
            for states, labels in walks
            for i in range(int(model.first[states[-1]]), int(model.first[states[-1] + 1]))
        ]
    return None


def is_bad(formula: t.Formula, model: Model, walk: Walk) -> bool:
    """By the engine itself, which other tests hold against the meaning of formulas, on all that may follow."""
    models = (ended(model, walk), going_on(model, walk))
    verdicts = [decide_ltl(t.Not(formula), (), after, title="").verdict for after in models]
    return Verdict.VIOLATED not in verdicts


def ended(model: Model, walk: Walk) -> Model:
    return _built(model, walk, [], [])


def going_on(model: Model, walk: Walk) -> Model:
    """Behind the walk come all labels and values, for ever or until it ends."""
    values = [(x, y) for x in (0, 1) for y in (0, 1)]
    last = len(walk[0]) - 1
    live = range(last + 1, last + 5)
    rows = [(s, label, u) for s in (last, *live) for label in worlds.LABELS for u in (*live, *(u + 4 for u in live))]
    return _built(model, walk, rows, [*values, *values])


def _built(model: Model, walk: Walk, rows: list[tuple[int, str, int]], values: list[tuple[int, int]]) -> Model:
    builder = ModelBuilder()
    for number, label in enumerate(walk[1]):
        builder.add(number, label, number + 1)
    for row in rows:
        builder.add(*row)
    for label in worlds.LABELS:  # out of reach, so that every name is known
        builder.add(len(walk[0]) + len(values), label, len(walk[0]) + len(values))
    columns = [
        Proposition(p.name, Sort.INT, np.array([*p.values[list(walk[0])], *(v[k] for v in values), 0]))
        for k, p in enumerate(model.propositions)
    ]
    return builder.build(len(walk[0]) + len(values) + 1, propositions=columns)
