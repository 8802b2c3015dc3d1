"""Some of the random designs of the campaign, the same ones each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz.assemblies_agreement import disagreements


def test_interpretation_and_simulator_agree(tmp_path: Path) -> None:
    counts = Counter[str]()
    found = [line for seed in range(18) for line in disagreements(seed, tmp_path, counts, most=400)]
    assert not found
    assert sum(number for what, number in counts.items() if "the same" in what) >= 20, counts
