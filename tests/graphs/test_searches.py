"""What is found in graphs, as lists, as arrays and compiled, against what the words mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.graphs import arrays, lists

Edges = list[tuple[int, int, bool]]  # from, to, whether it is used


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    nodes = draw(st.integers(1, 8))
    node = st.integers(0, nodes - 1)
    return nodes, sorted(draw(st.lists(st.tuples(node, node, st.booleans()), max_size=20)), key=lambda edge: edge[0])


def columns(nodes: int, edges: Edges) -> tuple[arrays.Longs, arrays.Ints, arrays.Flags]:
    first = np.searchsorted([source for source, _, _ in edges], np.arange(nodes + 1))
    targets = np.array([target for _, target, _ in edges], dtype=np.int32)
    return first, targets, np.array([used for _, _, used in edges], dtype=np.bool_)


def both_ways() -> Iterator[None]:
    """Once as lists, and once compiled."""
    for most in (arrays.MOST_PLAIN, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(arrays, "MOST_PLAIN", most)
            yield


def distances(nodes: int, edges: Edges, start: int) -> dict[int, int]:
    """How many used edges each node is away, at least."""
    found = {start: 0}
    for steps in range(1, nodes + 1):
        near = {target for source, target, used in edges if used and found.get(source) == steps - 1}
        found |= {target: steps for target in near if target not in found}
    return found


def reaches(nodes: int, edges: Edges) -> list[set[int]]:
    return [set(distances(nodes, edges, start)) for start in range(nodes)]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_components_are_what_reaches_each_other_and_edges_lead_to_lower_ones(graph: tuple[int, Edges]) -> None:
    nodes, edges = graph
    reach = reaches(nodes, edges)
    answers = []
    for _ in both_ways():
        component, count = arrays.components(*columns(nodes, edges))
        assert sorted(set(component.tolist())) == list(range(count))
        for a in range(nodes):
            for b in range(nodes):
                assert (component[a] == component[b]) == (b in reach[a] and a in reach[b])
                assert b not in reach[a] or component[b] <= component[a]
        answers.append(component.tolist())
    assert answers[0] == answers[1]


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data())
def test_components_from_starts_are_those_of_what_they_reach(graph: tuple[int, Edges], data: st.DataObject) -> None:
    nodes, edges = graph
    successors = [[t for s, t, used in edges if used and s == node] for node in range(nodes)]
    starts = data.draw(st.lists(st.integers(0, nodes - 1)))
    component = lists.components(successors, starts)
    reach = reaches(nodes, edges)
    met = {node for start in starts for node in reach[start]}
    assert {node for node in range(nodes) if component[node] != lists.NOT_MET} == met
    groups = lists.members(component)
    assert sorted(node for group in groups for node in group) == sorted(met)
    assert all(reach[a] == reach[b] for group in groups for a in group for b in group)
    assert all(component[node] == number for number, group in enumerate(groups) for node in group)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_a_node_lies_on_a_cycle_if_it_reaches_itself_by_a_step(graph: tuple[int, Edges]) -> None:
    nodes, edges = graph
    reach = reaches(nodes, edges)
    expected = [any(used and s == node and node in reach[t] for s, t, used in edges) for node in range(nodes)]
    for _ in both_ways():
        assert arrays.on_cycles(*columns(nodes, edges)).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(graphs(), st.data())
def test_what_is_reached(graph: tuple[int, Edges], data: st.DataObject) -> None:
    nodes, edges = graph
    start = data.draw(st.integers(0, nodes - 1))
    expected = set(distances(nodes, [(s, t, True) for s, t, _ in edges], start))
    first, targets, _ = columns(nodes, edges)
    for _ in both_ways():
        assert set(np.flatnonzero(arrays.reached(first, targets, start)).tolist()) == expected


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_a_way_is_a_shortest_one_and_both_loops_take_the_same(graph: tuple[int, Edges], data: st.DataObject) -> None:
    nodes, edges = graph
    start = data.draw(st.integers(0, nodes - 1))
    wanted = np.array([data.draw(st.booleans()) for _ in edges], dtype=np.bool_)
    away = distances(nodes, edges, start)
    lengths = [away[s] + 1 for (s, _, used), flag in zip(edges, wanted, strict=True) if used and flag and s in away]
    first, targets, used = columns(nodes, edges)
    answers = []
    for _ in both_ways():
        way = arrays.way(first, targets, start, wanted, used).tolist()
        assert len(way) == min(lengths, default=0)
        at = start
        for edge in way:
            assert edges[edge][0] == at
            assert used[edge]
            at = edges[edge][1]
        assert not way or wanted[way[-1]]
        answers.append(way)
    assert answers[0] == answers[1]


def test_long_chains_need_no_recursion() -> None:
    nodes = 200_000
    first = np.arange(nodes + 1)
    targets = (np.arange(nodes) + 1) % nodes
    assert arrays.components(first, targets)[1] == 1
    assert arrays.reached(first, targets, 5).all()
    assert len(arrays.way(first, targets, 1, targets == 0)) == nodes - 1
    successors = [[target] for target in targets.tolist()]
    assert set(lists.components(successors)) == {0}
    assert len(lists.postorder(successors, 0)) == nodes
