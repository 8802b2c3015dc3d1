"""Shapes that are hard for refinement: long inert paths that are cut again and again, and bottom states that appear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.families import FAMILIES, comb, ladder
from stateglass.model import Model, Proposition, Sort
from stateglass.model.model import Ints
from stateglass.reduce import Equivalence, partition, reduce, small
from stateglass.reduce import branching as large_branching
from stateglass.reduce.graph import Graph
from stateglass.work import Progress

BRANCHING = [Equivalence.BRANCHING, Equivalence.DPBRANCHING]
KEEPS: tuple[tuple[str, ...], ...] = ((), ("level",))


def _mostly_silent(size: int, seed: int = 0) -> Model:
    dice = np.random.default_rng(seed)
    states = max(size // 2, 1)
    sources, targets = dice.integers(0, states, (2, size))
    # Most steps lead on, so that silent cycles leave something to do.
    ahead = np.minimum(sources + dice.integers(1, 6, size), states - 1)
    targets = np.where(dice.random(size) < 0.97, ahead, targets)
    actions = np.where(dice.random(size) < 0.9, 0, dice.integers(1, 3, size))
    order = np.lexsort((targets, actions, sources))
    rows = np.unique(np.stack([sources[order], actions[order], targets[order]]), axis=1).astype(np.int32)
    return Model(states, 0, rows[0].copy(), rows[1].copy(), rows[2].copy(), ("tau", "a", "b"))


SHAPES: dict[str, Callable[[int], Model]] = {**FAMILIES, "mostly silent": _mostly_silent}


def _coloured(model: Model, seed: int) -> Model:
    """With values that change seldom, and now and then ends and unexplored states."""
    dice = np.random.default_rng(seed)
    levels = (np.arange(model.states) * 3 // model.states) % 2
    ends, unknown = dice.random((2, model.states)) < 0.02
    origin = replace(model.origin, partial=("cut short",))
    level = Proposition("level", Sort.INT, levels.astype(np.int64))
    return replace(model, propositions=(level,), terminal=ends, unexplored=unknown & ~ends, origin=origin)


@pytest.mark.parametrize("equivalence", BRANCHING)
@pytest.mark.parametrize("shape", SHAPES)
def test_refinement_agrees_with_plain_rounds(
    shape: str, equivalence: Equivalence, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = _count_checks(monkeypatch)
    for size in (3, 10, 30, 100, 300, 900):
        plain = SHAPES[shape](size)
        for model in (plain, _coloured(plain, size)):
            for keep in KEEPS[: 1 + len(model.propositions)]:
                monkeypatch.setattr(small, "MOST_WORK", 10**9)
                expected = partition(model, equivalence, keep).tolist()
                monkeypatch.setattr(small, "MOST_WORK", 0)
                for rounds in (0, 2, 5):
                    monkeypatch.setattr("stateglass.reduce.large.FULL_ROUNDS", rounds)
                    assert partition(model, equivalence, keep).tolist() == expected, (size, keep, rounds)
    assert all(tries)


def _count_checks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the exact checks will find: refinement has to be right at once."""
    found: list[bool] = []
    stable = large_branching._stable

    def counted(graph: Graph, blocks: Ints, progress: Progress) -> bool:
        found.append(stable(graph, blocks, progress))
        return found[-1]

    monkeypatch.setattr(large_branching, "_stable", counted)
    return found


@pytest.mark.parametrize("equivalence", BRANCHING)
def test_long_silent_rails_and_teeth(equivalence: Equivalence) -> None:
    rungs = 40_000
    assert len(set(partition(ladder(3 * rungs), equivalence).tolist())) == 2 * rungs + 1
    model = comb(200_000)
    teeth = round(200_000**0.5)
    # The states of a tooth are equivalent, and the last one of the spine is so to its tooth.
    assert len(set(partition(model, equivalence).tolist())) == 3 * teeth - 1


@pytest.mark.parametrize("equivalence", BRANCHING)
def test_refinement_agrees_on_thousands(equivalence: Equivalence, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = _count_checks(monkeypatch)
    monkeypatch.setattr("stateglass.reduce.large.FULL_ROUNDS", 0)
    for seed in range(2_000):
        model = _mostly_silent(2 + seed % 97, seed)
        monkeypatch.setattr(small, "MOST_WORK", 10**9)
        expected = partition(model, equivalence).tolist()
        monkeypatch.setattr(small, "MOST_WORK", 0)
        assert partition(model, equivalence).tolist() == expected, seed
    assert len(tries) > 1_000
    assert all(tries)


def test_weak_traces_of_a_long_rail() -> None:
    # Each set of states that a trace leads to has thousands of states.
    rungs = 4_000
    reduced = reduce(ladder(3 * rungs), Equivalence.WEAKTRACE).model
    assert (reduced.states, reduced.transitions) == (rungs + 2, rungs + 1)
