"""On generated C++ programs the reference semantics and g++ agree; `make fuzz` tries thousands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.cplusplus_agreement import compare_seed
from tests.generator.cplusplus import CPLUSPLUS_FEATURES, generate_cplusplus
from tests.generator.gcc import gxx_available

FIRST_SEED = 5000
PROGRAMS = 24
PARTS = 2
SIZE = 10
SHARE = PROGRAMS // PARTS


@pytest.mark.skipif(not gxx_available(), reason=f"g++ is not installed: {SHARE} programs are not compared")
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_programs_do_what_gxx_says(
    part: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seeds = range(FIRST_SEED + part * SHARE, FIRST_SEED + (part + 1) * SHARE)
    found = {}
    for seed in seeds:
        difference = compare_seed(seed, tmp_path / str(seed), SIZE)
        if difference is not None:
            found[seed] = difference.what
    note = f"agreement with g++: {SHARE} programs, seeds {seeds.start} to {seeds.stop - 1}, {len(found)} disagreements"
    record_property("note", note)
    assert found == {}


def test_a_seed_gives_one_program() -> None:
    assert generate_cplusplus(7, SIZE) == generate_cplusplus(7, SIZE)
    assert generate_cplusplus(7, SIZE) != generate_cplusplus(8, SIZE)


def test_all_that_is_generated_occurs() -> None:
    features = [generate_cplusplus(seed, SIZE).features for seed in range(200)]
    assert frozenset().union(*features) == CPLUSPLUS_FEATURES
