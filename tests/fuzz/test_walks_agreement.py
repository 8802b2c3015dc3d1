"""Walks to errors of generated programs are runs of the reference semantics; `make fuzz` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.walks_agreement import KINDS, follow_seed

SEEDS = {"reactive": (3, 7, 11), "bounded": (5, 9), "risky": (1, 2, 3)}


@pytest.mark.parametrize("kind", KINDS)
def test_walks_of_generated_programs(tmp_path: Path, kind: str) -> None:
    total: Counter[str] = Counter()
    for seed in SEEDS[kind]:
        seen, wrong = follow_seed(seed, kind, tmp_path / str(seed))
        assert wrong == []
        total += seen
    assert total["executed"] > 0
