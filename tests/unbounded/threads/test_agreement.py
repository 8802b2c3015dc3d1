"""Abstraction says of random threads what models of all that they can do say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.threads_agreement import disagreements


@pytest.mark.parametrize("seed", [3, 15, 39, 58, 357, 704, 1173])
def test_both_engines_agree(seed: int, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    assert not disagreements(seed, tmp_path, counts)
    assert sum(counts.values()) >= 1
