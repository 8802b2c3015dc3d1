"""Calls of generated C++ classes do, as the subject of a model, what they do when g++ compiles them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.fuzz.subject_agreement import compare_batch
from tests.generator.cplusplus.batches import Extent, generate_batch
from tests.generator.cplusplus.program import LIBRARY_FEATURES
from tests.generator.gcc import gxx_available

FIRST_SEED: Final = 9860
CLASSES: Final = 5
PARTS: Final = 2
EXTENT: Final = Extent(sequences=8, calls=5, size=10)
SEQUENCES: Final = CLASSES * EXTENT.sequences
needs_compiler = pytest.mark.skipif(not gxx_available(), reason=f"g++ is not installed: {SEQUENCES} runs not compared")


def seeds_of(part: int) -> range:
    return range(FIRST_SEED + part * CLASSES, FIRST_SEED + (part + 1) * CLASSES)


@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_calls_do_what_gxx_says(part: int, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    seeds = seeds_of(part)
    outcomes = compare_batch(generate_batch(seeds, EXTENT), tmp_path)
    assert len(outcomes) == SEQUENCES
    wrong = [o for o in outcomes if o.difference or o.refused]
    note = f"agreement with g++: {SEQUENCES} sequences of calls, seeds {seeds.start} to {seeds.stop - 1}"
    record_property("note", f"{note}, {len(wrong)} disagreements")
    assert wrong == []


@needs_compiler
def test_a_difference_is_found(tmp_path: Path) -> None:
    batch = generate_batch([FIRST_SEED], Extent(1, 3, 10))
    changed = replace(batch, driver=batch.driver.replace(batch.looked[0].sequences[0].making.text, "call(other)"))
    (found,) = compare_batch(changed, tmp_path)
    assert "g++ has call(other)" in found.difference


def test_a_class_does_not_depend_on_those_beside_it() -> None:
    both, alone = generate_batch([7, 8], EXTENT), generate_batch([8], EXTENT)
    assert both.looked[1] == alone.looked[0]
    assert generate_batch([8], EXTENT) == alone


def test_all_that_is_generated_occurs() -> None:
    features = generate_batch((seed for part in range(PARTS) for seed in seeds_of(part)), EXTENT).features
    assert features >= LIBRARY_FEATURES
