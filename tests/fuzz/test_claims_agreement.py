"""What `check` says of random claims is what independent evaluators say; `make fuzz` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.claims_agreement import COMPARISONS

SEEDS = {"linear": 12, "branching": 14, "english": 6, "code": 3}
EXPECTED = {
    "linear": {"ltl holds", "ltl violated", "ltl vacuous", "ltl inconclusive"},
    "branching": {"ctl holds", "ctl violated", "ctl inconclusive", "mu holds", "mu violated", "mu inconclusive"},
    "english": {"english holds", "english violated", "english vacuous"},
    "code": {"code holds", "code violated"},
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_verdicts_agree(name: str, tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in range(7000, 7000 + SEEDS[name]):
        folder = tmp_path / str(seed)
        folder.mkdir()
        seen, wrong = COMPARISONS[name](seed, folder)
        total += seen
        assert wrong == []
    assert EXPECTED[name] <= total.keys()
