"""What violates claims on generated programs is done by the compiled code; `make fuzz` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.cli.running import BY_THE_CODE
from tests.fuzz.compiled_agreement import KINDS, compare_seed

SEEDS = {"temporal": range(2), "reactive": range(30, 34), "risky": range(7, 10), "handed": range(4)}


@pytest.mark.skipif("replay" not in BY_THE_CODE, reason="there is no compiler: no run is compared")
@pytest.mark.parametrize("kind", KINDS)
def test_compiled_code_does_what_runs_say(kind: str, tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in SEEDS[kind]:
        folder = tmp_path / str(seed)
        folder.mkdir()
        seen, wrong = compare_seed(seed, folder, kind)
        assert wrong == []
        total += seen
    assert total["done by the compiled code"]
