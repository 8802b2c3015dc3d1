"""Some of the random designs of the campaign, the same ones each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz.assemblies_agreement import disagreements
from tests.fuzz.assemblies_mutation import numbers_shown


def test_interpretation_and_simulator_agree(tmp_path: Path) -> None:
    counts = Counter[str]()
    found = [line for seed in range(18) for line in disagreements(seed, tmp_path, counts, most=400)]
    assert not found
    assert sum(number for what, number in counts.items() if "the same" in what) >= 20, counts


def test_they_agree_on_nesting_and_order(tmp_path: Path) -> None:
    counts = Counter[str]()
    found = [line for seed in range(10) for line in disagreements(seed, tmp_path, counts, 150, "nested")]
    assert not found
    assert sum(number for what, number in counts.items() if "the same" in what) >= 10, counts


def test_they_agree_on_odd_wiring_and_odd_words(tmp_path: Path) -> None:
    counts = Counter[str]()
    looks = ("sinks", "values")
    found = [line for seed in range(14) for line in disagreements(seed, tmp_path, counts, 200, "varied", looks)]
    assert not found
    assert sum(number for what, number in counts.items() if "the same" in what) >= 10, counts


def test_one_of_three_ways_is_chosen_at_once(tmp_path: Path) -> None:
    counts = Counter[str]()
    assert not disagreements(1, tmp_path, counts, 1_500, "nested", ("sources",))
    assert counts == {"sources: the same": 1}


def test_mistakes_would_be_shown() -> None:
    found = numbers_shown("nested", 12, 12, most=300)
    assert sum(number > 0 for number in found.values()) >= 8, found
