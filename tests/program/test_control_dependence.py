"""Control dependence on random graphs, held against its definition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.program.dependence.graphs import (
    Ended,
    control_dependence,
    post_dominators,
    reached,
    with_end,
)

Graph = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to three ways out of each node; some nodes are ends, some are not reached, some loops are never left."""
    count = draw(st.integers(1, 9))
    node = st.integers(0, count - 1)
    return [draw(st.lists(node, max_size=3, unique=True)) for _ in range(count)]


def reaches(
    successors: tuple[tuple[int, ...], ...] | Graph, start: int, target: int, without: int | None = None
) -> bool:
    """Whether there is a way from one node to another that avoids a third."""
    seen: set[int] = set()
    todo = [start] if start != without else []
    while todo:
        node = todo.pop()
        if node == target:
            return True
        if node not in seen:
            seen.add(node)
            todo += [s for s in successors[node] if s != without]
    return False


def passes(graph: Ended, start: int, node: int) -> bool:
    """Whether every way from `start` to the end goes through `node`."""
    return not reaches(graph.successors, start, graph.end, without=node)


@settings(max_examples=400)
@given(graphs())
def test_every_node_that_is_reached_leads_to_the_end(graph: Graph) -> None:
    ended = with_end(graph)
    for node in reached(ended.successors, 0):
        assert reaches(ended.successors, node, ended.end)


@settings(max_examples=400)
@given(graphs())
def test_an_end_is_added_only_where_there_was_none(graph: Graph) -> None:
    ended = with_end(graph)
    ends = [n for n in range(len(graph)) if not graph[n]]
    stuck = {n for n in reached(graph, 0) if not any(reaches(graph, n, end) for end in ends)}
    loops = ended.successors[ended.given : ended.end]
    assert {head for head, _ in loops} <= stuck
    assert bool(loops) == bool(stuck)
    for node in range(len(graph)):
        heads = {number: head for number, (head, _) in enumerate(loops, ended.given)}
        assert [heads.get(s, s) for s in ended.successors[node]] == (graph[node] or [ended.end])


@settings(max_examples=400)
@given(graphs())
def test_post_dominators_are_what_every_way_passes(graph: Graph) -> None:
    ended = with_end(graph)
    nearest = post_dominators(ended)
    for node in reached(ended.successors, 0):
        expected = {m for m in range(ended.end + 1) if m != node and passes(ended, node, m)}
        found = set()
        runner = nearest[node]
        while runner != -1:
            found.add(runner)
            runner = nearest[runner]
        assert found == expected


@settings(max_examples=400)
@given(graphs())
def test_control_dependence_is_as_defined(graph: Graph) -> None:
    ended = with_end(graph)
    found = control_dependence(ended)
    there = reached(ended.successors, 0)
    for node in there:
        for decision in there:
            always = [passes(ended, s, node) for s in ended.successors[decision]]
            expected = any(always) and (node == decision or not passes(ended, decision, node)) and not all(always)
            assert (decision in found[node]) == expected, (node, decision)


def test_what_a_loop_that_is_never_left_contains_depends_on_what_leads_to_it() -> None:
    # 0 decides between 1 (a loop of 1, 2 and 3, in which 1 decides) and 4, an end.
    ended = with_end([[1, 4], [2, 3], [1], [1], []])
    found = control_dependence(ended)
    loop = ended.given
    assert set(found[loop]) == {0, loop}
    assert set(found[1]) == {loop}
    assert set(found[2]) == {1}
    assert set(found[4]) == {0}


def test_long_graphs_need_no_deep_recursion() -> None:
    count = 20_000
    ended = with_end([[n + 1] if n % 2 else [n + 1, min(n + 3, count - 1)] for n in range(count - 1)] + [[]])
    assert len(control_dependence(ended)) == count + 1
