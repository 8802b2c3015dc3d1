"""Cells kept in pieces: numbers are equal where contents are, everything comes back, and little is stored twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stateglass.explore.cells.contents import DEAD, Cells
from stateglass.explore.cells.pieces import FAN, NOTHING, Region, Store, stretches
from stateglass.values.abstract import TOP, Interval
from tests.explore.extracting import explored

CONTENTS = st.sampled_from([0, 1, -1, 300, None, DEAD, TOP, Interval(0, 3)])
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 5000), CONTENTS),
        st.tuples(st.just("fill"), st.integers(0, 5000), st.integers(1, 600)),
        st.tuples(st.just("grow"), st.integers(1, 700), st.none()),
        st.tuples(st.just("look"), st.none(), st.none()),
        st.tuples(st.just("back"), st.integers(0, 100), st.none()),
    ),
    max_size=40,
)


def trimmed(cells: Cells) -> list[Any]:
    """Without what is dead at the end: room for more is no difference."""
    left = list(cells)
    while left and left[-1] is DEAD:
        left.pop()
    return left


@settings(max_examples=150, deadline=None)
@given(CHANGES, st.integers(0, 40))
def test_numbers_are_equal_where_contents_are_and_everything_comes_back(changes: list[Any], size: int) -> None:
    store = Store()
    cells: Cells = [7] * 3 + [DEAD] * size
    region = Region(store, cells, 3)
    looked: list[tuple[int, list[Any]]] = []
    for what, where, value in changes:
        room = len(cells) - 3
        if what == "write" and room:
            cells[3 + where % room] = value
        elif what == "fill" and room:
            begin = 3 + where % room
            cells[begin : begin + value] = [5] * len(cells[begin : begin + value])
        elif what == "grow":
            cells += [DEAD] * where
        elif what == "look":
            looked.append((region.number(), trimmed(cells[3:])))
        elif what == "back" and looked:
            number, before = looked[where % len(looked)]
            region.restore(number)
            assert trimmed(cells[3:]) == before
            assert region.number() == number
    assert cells[:3] == [7] * 3
    for number, contents in looked:
        for other, others in looked:
            assert (number == other) is (contents == others)
    rebuilt: list[Cells] = [[DEAD] * len(cells) for _ in looked]
    for stretch in stretches(store, [number for number, _ in looked], region.height):
        which = np.zeros(len(looked), dtype=np.int64) if stretch.which is None else stretch.which
        for state, place in enumerate(which):
            row = stretch.rows[place]
            rebuilt[state][stretch.first : stretch.first + len(row)] = row
    assert [trimmed(c) for c in rebuilt] == [contents for _, contents in looked]


def test_what_holds_nothing_has_one_number() -> None:
    store = Store()
    assert Region(store, [], 0).number() == NOTHING
    assert Region(store, [DEAD] * 1000, 0).number() == NOTHING


def test_two_regions_share_what_is_equal() -> None:
    store = Store()
    one, other = Region(store, [1, *range(999)], 1), Region(store, [2, *range(999)], 1)
    assert one.number() == other.number()


def rows_after(cells: int, changes: int) -> int:
    """How many rows are stored when a large region is changed cell by cell."""
    store = Store()
    contents: Cells = list(range(cells))
    region = Region(store, contents, 0)
    region.number()
    before = len(store)
    for value in range(changes):
        contents[cells // 2] = -1 - value
        region.number()
    return len(store) - before


def test_a_change_costs_a_row_for_each_level_and_no_more() -> None:
    assert rows_after(FAN, 50) == 50
    assert rows_after(FAN**3, 50) == 150
    assert rows_after(2 * FAN**3, 50) == 200


def test_untouched_memory_is_stored_once(tmp_path: Path) -> None:
    rows = []
    for count in (10, 4000):
        code = (
            f"int get(void); int table[{count}] = {{ {', '.join(map(str, range(count)))} }}; unsigned n;\n"
            "int main(void) { for (;;) if (get()) { n = (n + 1) % 50; table[n % 10] = n; } }"
        )
        found = explored(tmp_path, code, "var n : int; var table : int array;", ("exit => end",), steps="all")
        assert found.model.states > 400
        rows.append(found.rows)
    # The rows of the table itself, and for each change of a row two more on the way to the root.
    assert rows[1] <= 4000 // FAN + 4000 // FAN // FAN + 2 + 3 * rows[0]
