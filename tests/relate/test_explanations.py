"""Reasons of differences on models that are not tiny: confirmed, in time, and small enough to be read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import final

import pytest

from stateglass.model import Model
from stateglass.model.model import Ints
from stateglass.operations.comparing import Comparison, compare_models
from stateglass.reduce import Equivalence, silent
from stateglass.relate import RELATIONS, Patience, Unrelated, compare, rounds
from stateglass.relate.arena import quotient, side_by_side
from tests.relate.ladders import alternating, ladder
from tests.relate.oracles import ORACLES, Plain
from tests.relate.random_models import built, random_pair

BISIMULATIONS = ["strong", "branching", "dpbranching", "weak", "dpweak"]


def random_model(chance: random.Random, states: int, more: int) -> Model:
    rows = [(s, chance.choice(["tau", "a", "b"]), chance.randrange(states)) for s in range(states) for _ in range(3)]
    rows += [(chance.randrange(states), chance.choice("ab"), chance.randrange(states)) for _ in range(more)]
    return built(rows, states)


@pytest.mark.parametrize("by", BISIMULATIONS)
def test_every_difference_of_larger_models_has_a_confirmed_formula(by: str) -> None:
    explained = 0
    for seed in range(6):
        a, b = (random_model(random.Random(seed), 60, more) for more in (0, 1))
        found = compare_models(a, b, by)
        if found.related is False:
            assert found.claim is not None, found.without_claim
            explained += 1
    assert explained >= 2


@pytest.mark.parametrize("by", ["branching", "dpbranching"])
def test_ladders_are_explained(by: str) -> None:
    found = compare_models(ladder(60), ladder(60, back=30), by)
    assert (found.related, found.trace) == (False, None)
    assert found.claim is not None, found.without_claim


@pytest.mark.parametrize("by", BISIMULATIONS)
def test_formulas_with_many_turns_are_found(by: str) -> None:
    silence = by != "strong"
    small = alternating(2, silence=silence)
    assert not ORACLES[by](*map(Plain.of, small))
    a, b = alternating(12, silence=silence)
    found = compare_models(a, b, by)
    assert (found.related, found.trace) == (False, None)
    assert found.claim is not None, found.without_claim
    assert compare_models(a, a, by).related is True


@pytest.mark.parametrize("by", ORACLES)
def test_what_large_models_need_agrees_with_the_definition_on_small_ones(
    monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """Weak steps as lists rather than bits, truth where it is asked for, traces before weak bisimulation."""
    monkeypatch.setattr("stateglass.relate.rounds.MOST_IN_BITS", 0)
    monkeypatch.setattr("stateglass.relate.observations.FEW", 0)
    monkeypatch.setattr("stateglass.model.adjacency._PATIENCE", 0)
    monkeypatch.setitem(compare.__globals__, "LARGE", 0)
    chance = random.Random(f"large {by}")
    unrelated = 0
    for _ in range(120):
        a, b = random_pair(chance, ends=True)
        found = compare_models(a, b, by)
        assert found.related is ORACLES[by](Plain.of(a), Plain.of(b)), (a, b)
        if found.related is False:
            unrelated += 1
            assert found.claim is not None, (a, b, found)
    assert unrelated > 10


def test_both_ways_of_finding_rounds_come_to_the_same_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(9)
    seen = 0
    for _ in range(150):
        a, b = random_pair(chance, ends=True)
        for divergence in (False, True):
            arena = quotient(*side_by_side(a, b), Equivalence.DPWEAK if divergence else Equivalence.WEAK, silent)
            if arena is None:
                continue
            seen += 1
            found = []
            for most in (0, 100):
                monkeypatch.setattr(rounds, "MOST_IN_BITS", most)
                found.append(rounds.weak_rounds(arena, divergence, 10_000, silent))
            assert [_partition(h) for h in found[0].history] == [_partition(h) for h in found[1].history]
    assert seen > 50


def _partition(classes: Ints) -> set[frozenset[int]]:
    found: dict[int, set[int]] = {}
    for state, kind in enumerate(classes.tolist()):
        found.setdefault(kind, set()).add(state)
    return {frozenset(states) for states in found.values()}


def ticks(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


CHOICE = built([(0, "tau", 1), (1, "a", 2), (2, "b", 3), (2, "c", 3)], 4)
CHOSEN = built([(0, "tau", 1), (1, "a", 2), (1, "a", 3), (2, "b", 4), (3, "c", 4)], 5)


@pytest.mark.parametrize("by", [*BISIMULATIONS, "simulation", "weaksimulation"])
def test_a_verdict_does_not_wait_for_its_reasons(by: str) -> None:
    a, b = alternating(12, silence=by != "strong") if by in BISIMULATIONS else (CHOICE, CHOSEN)
    clock = ticks(1.0)
    answer = compare(a, b, RELATIONS[by], progress=silent, patience=Patience(silent, 0.5, lambda: next(clock)))
    assert isinstance(answer, Unrelated)
    assert answer.claims == ()
    assert answer.without_formula == "none was found within 0.5 s (--explain)"
    assert not answer.interrupted


@final
class Interrupting:
    """Progress during which somebody presses Ctrl-C, once, when some phase begins."""

    def __init__(self, phase: str) -> None:
        self.phase = phase

    def __call__(self, phase: str, /, **counts: int) -> None:
        if phase == self.phase:
            self.phase = ""
            raise KeyboardInterrupt


@pytest.mark.parametrize("phase", ["explaining", "evaluating a formula", "comparing traces"])
@pytest.mark.parametrize("by", BISIMULATIONS)
def test_an_interrupted_search_for_reasons_leaves_the_verdict(by: str, phase: str) -> None:
    a, b = alternating(12, silence=by != "strong")
    found: Comparison = compare_models(a, b, by, progress=Interrupting(phase))
    assert (found.related, found.interrupted, found.claim) == (False, True, None)
    assert "interrupted" in found.without_claim


def test_before_the_verdict_an_interruption_is_one() -> None:
    a, b = alternating(12)
    with pytest.raises(KeyboardInterrupt):
        compare_models(a, b, "strong", progress=Interrupting("comparing"))
    with pytest.raises(KeyboardInterrupt):
        compare_models(a, b, "traceinclusion", progress=Interrupting("comparing traces"))
