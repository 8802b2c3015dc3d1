"""Every operator, comparison, conversion and narrowing on all pairs of values of types with few bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from stateglass.program import BOOL, BinaryOperator, Comparison, Int, Scalar, UnaryOperator
from stateglass.values.abstract import Abstraction, Free, MinMax, Mod, Part
from tests.values import soundness
from tests.values.catalogue import abstractions, catalogue, small_types
from tests.values.soundness import SHIFTS, Tried

TYPES = small_types((2, 4))
CONVERTED: list[Scalar] = [*small_types((1, 3, 5)), BOOL]
COUNTS = Int(5, signed=True)  # reaches beyond the widths on both sides


@pytest.fixture
def tried(record_property: Callable[[str, object], None]) -> Iterator[Tried]:
    counter = Tried()
    yield counter
    record_property("tried", counter.count)
    assert counter.count > 0


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("operator", BinaryOperator, ids=lambda o: o.name)
@pytest.mark.usefixtures("way")
def test_results_contain_what_every_pair_gives(operator: BinaryOperator, type: Int, tried: Tried) -> None:
    assert list(soundness.binary(operator, type, catalogue(type), tried)) == []


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("counted", [COUNTS, Int(5, signed=False)], ids=str)
@pytest.mark.parametrize("operator", SHIFTS, ids=lambda o: o.name)
def test_shifts_by_counts_of_another_type(operator: BinaryOperator, counted: Int, type: Int, tried: Tried) -> None:
    assert list(soundness.binary(operator, type, catalogue(type), tried, counted)) == []
    assert list(soundness.faults(operator, type, catalogue(type), tried, counted)) == []


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("operator", UnaryOperator, ids=lambda o: o.name)
@pytest.mark.usefixtures("way")
def test_unary_results_contain_what_every_value_gives(operator: UnaryOperator, type: Int, tried: Tried) -> None:
    assert list(soundness.unary(operator, type, catalogue(type, dense=True), tried)) == []


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("operator", BinaryOperator, ids=lambda o: o.name)
def test_every_fault_is_announced(operator: BinaryOperator, type: Int, tried: Tried) -> None:
    assert list(soundness.faults(operator, type, catalogue(type), tried)) == []


@pytest.mark.parametrize("type", [*TYPES, BOOL], ids=str)
@pytest.mark.parametrize("operator", Comparison, ids=lambda o: o.name)
@pytest.mark.usefixtures("way")
def test_decided_comparisons_hold_for_every_pair(operator: Comparison, type: Scalar, tried: Tried) -> None:
    assert list(soundness.compare(operator, type, catalogue(type), tried)) == []


@pytest.mark.parametrize("source", [*TYPES, *CONVERTED], ids=str)
@pytest.mark.parametrize("target", [*TYPES, *CONVERTED], ids=str)
@pytest.mark.usefixtures("way")
def test_conversions_contain_what_every_value_becomes(source: Scalar, target: Scalar, tried: Tried) -> None:
    assert list(soundness.convert(source, target, catalogue(source), tried)) == []


@pytest.mark.parametrize("source", [Int(4, signed=True), Int(2, signed=False), BOOL], ids=str)
@pytest.mark.parametrize("target", CONVERTED, ids=str)
@pytest.mark.usefixtures("way")
def test_what_a_converted_value_was_before(source: Scalar, target: Scalar, tried: Tried) -> None:
    kept: list[Abstraction] = [Free(), Part((0, 1, 2)), Mod(4), MinMax()]
    values, results = catalogue(source), catalogue(target)
    assert list(soundness.convert_back(source, target, values, results, kept, tried)) == []


@pytest.mark.parametrize("type", [*small_types((3,)), BOOL], ids=str)
@pytest.mark.parametrize("operator", Comparison, ids=lambda o: o.name)
@pytest.mark.usefixtures("way")
def test_narrowing_loses_no_pair_and_grows_nothing(operator: Comparison, type: Scalar, tried: Tried) -> None:
    values = catalogue(type)
    for abstraction in abstractions(type):
        kept = abstraction, Free()
        assert list(soundness.narrowing(operator, type, values, values[::5], kept, tried)) == []
        turned = Part((0, 1, 2)), abstraction
        assert list(soundness.narrowing(operator, type, values[::5], values[::2], turned, tried)) == []
