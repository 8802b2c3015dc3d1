"""On generated programs the reference semantics and gcc agree; `make fuzz` tries thousands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.agreement import EXPLORED_EVERY, compare_seed, first_difference
from tests.generator.gcc import gcc_available

FIRST_SEED = 1000
PROGRAMS = 60
PARTS = 3
SIZE = 15
SHARE = PROGRAMS // PARTS


@pytest.mark.skipif(not gcc_available(), reason=f"gcc is not installed: {SHARE} programs are not compared")
@pytest.mark.parametrize("wide", [False, True], ids=["core", "wide"])
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_programs_do_what_gcc_says(
    part: int, wide: bool, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seeds = range(FIRST_SEED + part * SHARE, FIRST_SEED + (part + 1) * SHARE)
    found = {}
    for seed in seeds:
        difference = compare_seed(seed, tmp_path / str(seed), SIZE, wide=wide)
        if difference is not None:
            found[seed] = difference.what
    explored = sum(seed % EXPLORED_EVERY == 0 for seed in seeds)
    record_property(
        "note",
        f"agreement with gcc: {SHARE} {'wide' if wide else 'core'} programs, seeds {seeds.start} to {seeds.stop - 1},"
        f" {explored} of them explored, {len(found)} disagreements",
    )
    assert found == {}


def test_a_difference_is_found_where_it_is() -> None:
    assert first_difference("a", ["x", "y"], "b", ["x", "y"]) == ""
    assert first_difference("a", ["x", "y"], "b", ["x", "z"]) == "action 2: a has y, b has z"
    assert first_difference("a", ["x"], "b", ["x", "z"]) == "action 2: a has the end, b has z"
