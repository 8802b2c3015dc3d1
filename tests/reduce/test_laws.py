"""Laws that every reduction keeps, on random models."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from stateglass.model import Model, ModelBuilder
from stateglass.reduce import UNREACHABLE, Equivalence, partition, reduce, small
from tests.formats.strategies import assert_same_graph
from tests.reduce.models import model_of, models, union

BISIMULATIONS = [e for e in Equivalence if e not in (Equivalence.TRACE, Equivalence.WEAKTRACE)]
KEEPS: tuple[tuple[str, ...], ...] = ((), ("level",))
# Each tells apart all that the next one does.
HIERARCHIES = [
    [Equivalence.STRONG, Equivalence.DPBRANCHING, Equivalence.BRANCHING, Equivalence.WEAK],
    [Equivalence.PEEPHOLE, Equivalence.DPBRANCHING, Equivalence.DPWEAK, Equivalence.WEAK],
]


@pytest.mark.parametrize("equivalence", Equivalence)
@given(model=models())
def test_reducing_twice_is_reducing_once(equivalence: Equivalence, model: Model) -> None:
    for keep in KEEPS:
        once = reduce(model, equivalence, keep).model
        twice = reduce(once, equivalence, keep).model
        assert_same_graph(once, twice)


@pytest.mark.parametrize("equivalence", BISIMULATIONS)
@given(model=models())
def test_the_quotient_is_equivalent(equivalence: Equivalence, model: Model) -> None:
    for keep in KEEPS:
        whole, one, other = union(model, reduce(model, equivalence, keep).model)
        # Peephole is no equivalence of its own; what it keeps is this one.
        by = Equivalence.DPBRANCHING if equivalence is Equivalence.PEEPHOLE else equivalence
        classes = partition(whole, by, keep)
        assert classes[one] == classes[other]


@pytest.mark.parametrize("order", HIERARCHIES)
@given(model=models())
def test_finer_equivalences_have_finer_classes(order: list[Equivalence], model: Model) -> None:
    for keep in KEEPS:
        found = [partition(model, equivalence, keep).tolist() for equivalence in order]
        for finer, coarser in pairwise(found):
            assert len(set(zip(finer, coarser, strict=True))) == len(set(finer))


@given(model=models())
def test_weakly_bisimilar_models_have_the_same_weak_traces(model: Model) -> None:
    through_weak = reduce(reduce(model, Equivalence.WEAK).model, Equivalence.WEAKTRACE).model
    at_once = reduce(model, Equivalence.WEAKTRACE).model
    whole, one, other = union(_only_level_zero(through_weak), _only_level_zero(at_once))
    classes = partition(whole, Equivalence.STRONG)
    assert classes[one] == classes[other]


@pytest.mark.parametrize("equivalence", [Equivalence.TRACE, Equivalence.WEAKTRACE])
@given(model=models())
def test_trace_models_are_deterministic_but_for_what_tells_states_apart(equivalence: Equivalence, model: Model) -> None:
    reduced = reduce(model, equivalence).model
    rows = list(zip(reduced.sources.tolist(), reduced.actions.tolist(), reduced.targets.tolist(), strict=True))
    looks = [(s, a, reduced.is_terminal(t), reduced.is_unexplored(t)) for s, a, t in rows]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("equivalence", BISIMULATIONS)
@given(model=models())
def test_classes_and_members_belong_together(equivalence: Equivalence, model: Model) -> None:
    reduction = reduce(model, equivalence, ("level",))
    reduced, classes = reduction.model, reduction.classes
    assert classes is not None
    assert len(reduction.members) == reduced.states
    for state, members in enumerate(reduction.members):
        assert len(members) > 0
        assert (classes[members] == state).all()
        for member in members.tolist():
            assert model.is_terminal(member) == reduced.is_terminal(state)
            assert model.is_unexplored(member) == reduced.is_unexplored(state)
            assert model.valuation(member) == reduced.valuation(state)
    reachable = _reachable(model)
    for state in range(model.states):
        # What cannot be reached may still be equivalent to something that can.
        assert classes[state] != UNREACHABLE or state not in reachable
    assert reduced.partial == model.partial
    assert reduced.origin.relation is model.origin.relation
    assert len(reduced.origin.history) == 1


@pytest.mark.parametrize("equivalence", BISIMULATIONS)
def test_loops_agree_on_middling_models(equivalence: Equivalence, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(12):
        model = _middling(seed)
        found = {}
        for engine, work, rounds in (("plain", 10**9, 12), ("compiled", 0, 12), ("deep", 0, 1)):
            with monkeypatch.context() as patch:
                patch.setattr(small, "MOST_WORK", work)
                patch.setattr(small, "MOST_PLAIN", work)
                patch.setattr("stateglass.reduce.large.FULL_ROUNDS", rounds)
                found[engine] = partition(model, equivalence).tolist()
        assert found["compiled"] == found["plain"], seed
        assert found["deep"] == found["plain"], seed


@settings(max_examples=30)
@given(model=models(most_states=8))
def test_nothing_is_dropped_silently(model: Model) -> None:
    reduction = reduce(model, Equivalence.WEAK)
    names = {p.name for p in reduction.model.propositions}
    assert names | set(reduction.dropped) == {p.name for p in model.propositions}
    assert names.isdisjoint(reduction.dropped)


def _middling(seed: int) -> Model:
    """Layers of silent and visible steps, deep enough for many rounds."""
    dice = np.random.default_rng(seed)
    states = int(dice.integers(50, 400))
    near = int(dice.choice([3, 10, states]))
    count = int(states * dice.choice([1.0, 1.5, 2.5]))
    sources = dice.integers(0, states, count)
    targets = np.minimum(sources + dice.integers(0, near, count), states - 1)
    labels = dice.choice(["tau", "tau", "a", "b"], count)
    builder = ModelBuilder()
    for source, label, target in zip(sources.tolist(), labels.tolist(), targets.tolist(), strict=True):
        builder.add(source, label, target)
    return builder.build(states)


def _reachable(model: Model) -> set[int]:
    rows = list(zip(model.sources.tolist(), model.targets.tolist(), strict=True))
    seen = {model.initial}
    while fresh := {t for s, t in rows if s in seen} - seen:
        seen |= fresh
    return seen


def _only_level_zero(model: Model) -> Model:
    rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
    marks = [np.flatnonzero(x).tolist() if x is not None else [] for x in (model.terminal, model.unexplored)]
    return model_of([(s, model.labels[a], t) for s, a, t in rows], model.states, model.initial, *marks)
