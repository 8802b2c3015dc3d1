"""Flows of generated programs do what the reference says; `python -m tests.fuzz.flow_agreement` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.flow_agreement import compare_seed
from tests.fuzz.unbounded_agreement import compare_seed as compare_engines


@pytest.mark.parametrize("first", [1, 5, 9, 13])
def test_programs_that_are_called_again_and_again(first: int, tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in range(first, first + 4):
        total += compare_seed(seed, "reactive", tmp_path / str(seed))
    assert total["compared"] >= 3
    assert total["events"] + total["events undecided"] >= total["compared"]
    assert total["error"]


def test_programs_that_are_careless_with_pointers(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in range(40, 46):
        total += compare_seed(seed, "risky", tmp_path / str(seed))
    assert total["compared"] == 6
    assert total["error"]


def test_engines_say_what_exploring_finds(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in range(1, 7):
        seen, wrong = compare_engines(seed, "reactive", tmp_path / str(seed), ("bmc", "integers"))
        assert wrong == []
        total += seen
    assert min(total[what] for what in ("holds", "fails", "bmc: decided", "integers: decided"))
