"""Searches in graphs, layer by layer and node by node, against plain loops."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stateglass.graphs import adjacency
from stateglass.graphs.adjacency import Adjacency

Edges = list[tuple[int, int]]


def random_graph(chance: random.Random) -> tuple[int, Edges]:
    nodes = chance.randint(1, 30)
    edges = [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(chance.randint(0, 60))]
    if chance.random() < 0.5:
        edges += [(node, node + 1) for node in range(nodes - 1)]
    return nodes, edges


def of(nodes: int, edges: Edges) -> Adjacency:
    columns = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return Adjacency.of(columns[:, 0], columns[:, 1], nodes)


def flags(chance: random.Random, nodes: int, likely: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([chance.random() < likely for _ in range(nodes)])


@pytest.mark.parametrize(("patience", "narrow"), [(64, 24), (0, 24), (2, 1)])
def test_searches_agree_with_plain_loops(monkeypatch: pytest.MonkeyPatch, patience: int, narrow: int) -> None:
    monkeypatch.setattr(adjacency, "_PATIENCE", patience)
    monkeypatch.setattr(adjacency, "_NARROW", narrow)
    chance = random.Random(5)
    for _ in range(400):
        nodes, edges = random_graph(chance)
        graph = of(nodes, edges)
        goal, within, excused = (flags(chance, nodes, likely) for likely in (0.1, 0.8, 0.05))
        reached = set(np.flatnonzero(goal).tolist())
        while more := {b for a, b in edges if a in reached and within[b]} - reached:
            reached |= more
        assert set(np.flatnonzero(graph.reach(goal, within)).tolist()) == reached
        kept = set(np.flatnonzero(within).tolist())
        while stuck := {b for b in kept if not excused[b] and not any(y == b and x in kept for x, y in edges)}:
            kept -= stuck
        assert set(np.flatnonzero(graph.endless(within, excused)).tolist()) == kept


def test_a_long_chain_is_followed_to_its_end() -> None:
    nodes = 100_000
    graph = of(nodes, [(node, node + 1) for node in range(nodes - 1)])
    start = np.zeros(nodes, dtype=np.bool_)
    assert not graph.endless(~start, start).any()
    start[0] = True
    assert graph.reach(start).all()
