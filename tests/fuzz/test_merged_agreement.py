"""Functions of generated programs, run for all inputs at once, do what the reference says; `make fuzz` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz.merged_agreement import compare_risky, compare_seed

SEEDS = range(2000, 2008)
SIZE = 12


def test_functions_of_generated_programs(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    found: dict[int, list[str]] = {}
    for seed in SEEDS:
        seen, wrong = compare_seed(seed, tmp_path / str(seed), SIZE, wide=seed % 2 == 0)
        total += seen
        if wrong:
            found[seed] = wrong
    assert found == {}
    assert total["returned"] > total["bound"] + total["unsupported"]
    assert total["fault"]


def test_functions_that_are_careless_with_pointers(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    # The last two copy from where there is too little to where there is nothing: which is wrong first?
    for seed in (*range(30, 40), 7401319, 7401910):
        seen, wrong = compare_risky(seed, tmp_path / str(seed))
        assert wrong == []
        total += seen
    assert min(total[what] for what in ("fault", "returned", "exit"))
