"""Every partition agrees with its definition on thousands of small models, with and without compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from stateglass.model import Model
from stateglass.reduce import Equivalence, partition, reduce, small
from tests.reduce import oracle
from tests.reduce.models import random_model, union
from tests.reduce.oracle import Pair, Steps

ORACLES: dict[Equivalence, Callable[[Steps], set[Pair]]] = {
    Equivalence.STRONG: oracle.strong,
    Equivalence.BRANCHING: lambda steps: oracle.branching(steps, divergence=False),
    Equivalence.DPBRANCHING: lambda steps: oracle.branching(steps, divergence=True),
    Equivalence.WEAK: lambda steps: oracle.weak(steps, divergence=False),
    Equivalence.DPWEAK: lambda steps: oracle.weak(steps, divergence=True),
}
MODELS = 1500
TRACE_MODELS = 400
KEEPS: tuple[tuple[str, ...], ...] = ((), ("level",))


@pytest.fixture(params=["plain", "compiled", "deep"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small models go through compiled loops, too, and through those for deep models from the start."""
    if request.param != "plain":
        monkeypatch.setattr(small, "MOST_WORK", 0)
        monkeypatch.setattr(small, "MOST_PLAIN", 0)
    if request.param == "deep":
        monkeypatch.setattr("stateglass.reduce.large.FULL_ROUNDS", 0)
    return str(request.param)


@contextmanager
def _showing(model: Model, keep: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except AssertionError as error:
        rows = zip(model.sources.tolist(), model.actions.tolist(), model.targets.tolist(), strict=True)
        error.add_note(f"{[(s, model.labels[a], t) for s, a, t in rows]} {model} keep {keep}")
        raise


@pytest.mark.parametrize("equivalence", ORACLES)
def test_partition_is_the_definition(equivalence: Equivalence, engine: str) -> None:
    for seed in range(MODELS):
        model = random_model(seed)
        for keep in KEEPS:
            expected = oracle.classes_of(ORACLES[equivalence](Steps(model, keep)), model.states)
            with _showing(model, keep):
                assert partition(model, equivalence, keep).tolist() == expected


@pytest.mark.parametrize("equivalence", ORACLES)
def test_quotient_is_equivalent_and_least(equivalence: Equivalence, engine: str) -> None:
    for seed in range(MODELS // 3):
        model = random_model(seed)
        for keep in KEEPS:
            reduced = reduce(model, equivalence, keep).model
            whole, one, other = union(model, reduced)
            if not keep and not any(p.name == "level" for p in reduced.propositions):
                assert "level" in reduce(model, equivalence, keep).dropped
            with _showing(model, keep):
                assert (one, other) in ORACLES[equivalence](Steps(whole, keep))
                # No two states of the quotient are equivalent.
                assert oracle.classes_of(ORACLES[equivalence](Steps(reduced, keep)), reduced.states) == [
                    *range(reduced.states)
                ]


@pytest.mark.parametrize("equivalence", [Equivalence.TRACE, Equivalence.WEAKTRACE])
def test_traces_are_kept(equivalence: Equivalence, engine: str) -> None:
    silence = equivalence is Equivalence.WEAKTRACE
    for seed in range(TRACE_MODELS):
        model = random_model(seed, most_states=5)
        for keep in KEEPS:
            reduced = reduce(model, equivalence, keep).model
            length = 6
            with _showing(model, keep):
                assert oracle.traces(Steps(model, keep), model.initial, length, silence=silence) == oracle.traces(
                    Steps(reduced, keep), reduced.initial, length, silence=silence
                )


def test_peephole_is_divergence_preserving_branching_bisimilar(engine: str) -> None:
    for seed in range(MODELS):
        model = random_model(seed)
        reduced = reduce(model, Equivalence.PEEPHOLE).model
        whole, one, other = union(model, reduced)
        with _showing(model, ()):
            assert (one, other) in oracle.branching(Steps(whole), divergence=True)
            steps = Steps(reduced)
            skippable = [
                s
                for s in steps.states
                if len(steps.every[s]) == 1 and steps.silent[s] - {s} and not reduced.is_unexplored(s)
            ]
            assert skippable == []
