"""The order in which blocks are run, on random graphs: ways meet before they go on."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from stateglass.explore.merging.order import Order
from stateglass.program import Block, Branch, Constant, Function, Int, Jump, Return, Void

_ONE = Constant(1, Int(32, signed=True))
MOST_STEPS = 60


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """The successors of each block: none, one or two; the first block is where all begins."""
    count = draw(st.integers(1, 12))
    return draw(st.lists(st.lists(st.integers(0, count - 1), max_size=2).map(tuple), min_size=count, max_size=count))


def _function(edges: list[tuple[int, ...]]) -> Function:
    blocks = []
    for targets in edges:
        match targets:
            case (target,):
                blocks.append(Block((), Jump(target)))
            case (then, other):
                blocks.append(Block((), Branch(_ONE, then, other)))
            case _:
                blocks.append(Block((), Return(None)))
    return Function("f", Void(), (), (), tuple(blocks))


@given(graphs(), st.randoms(use_true_random=False))
def test_every_edge_leads_onwards_or_begins_a_round_of_a_loop_around_it(
    edges: list[tuple[int, ...]], dice: random.Random
) -> None:
    order = Order(_function(edges))
    block, moment = 0, order.first(0)
    for _ in range(MOST_STEPS):
        if not edges[block]:
            break
        target = dice.choice(edges[block])
        following = order.following(block, moment, target)
        assert following > moment
        here, there = order.spots[block], order.spots[target]
        # One round more of one loop that both are in, of which the target is the head; or no round more at all.
        before, after = moment[1::2], following[1::2]
        shared = sum(1 for a, b in zip(here.heads, there.heads, strict=False) if a == b)
        more = [n for n in range(shared) if after[n] != before[n]]
        if more:
            assert len(more) == 1
            assert there.heads[more[0]] == target
            assert after[: more[0]] == before[: more[0]]
            assert after[more[0]] == before[more[0]] + 1
        block, moment = target, following


@given(graphs())
def test_what_can_be_reached_has_a_place_of_its_own(edges: list[tuple[int, ...]]) -> None:
    order = Order(_function(edges))
    seen, stack = {0}, [0]
    while stack:
        for target in edges[stack.pop()]:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    assert set(order.spots) == seen
    assert len({spot.positions for spot in order.spots.values()}) == len(seen)
    for block, spot in order.spots.items():
        assert len(spot.positions) == len(spot.heads) + 1
        # A loop's head is the first of what is in it.
        assert all(order.spots[head].positions <= spot.positions for head in spot.heads), block
