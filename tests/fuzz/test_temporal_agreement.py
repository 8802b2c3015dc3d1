"""Linear claims on generated reactive programs are decided as by exploring all states; `make fuzz` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz.temporal_agreement import compare_seed

SEEDS = range(8)
OPEN_SEEDS = range(40, 44)


def test_claims_on_generated_programs(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in SEEDS:
        seen, wrong = compare_seed(seed, tmp_path / str(seed), claims=3)
        assert wrong == []
        total += seen
    assert total["holds"]
    assert total["violated"]
    assert total["holds"] + total["violated"] + total["vacuous"] > sum(total.values()) / 2


def test_claims_for_all_inputs(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in OPEN_SEEDS:
        seen, wrong = compare_seed(seed, tmp_path / str(seed), claims=3, is_open=True)
        assert wrong == []
        total += seen
    assert total["holds"] + total["vacuous"]
    assert total["violated"]
