"""Ranges are partitions: of every value exactly one condition holds, and values that differ are told apart."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from stateglass.program import Int
from stateglass.reflexion.partition import Range, against, both, of_bool, of_enum, of_float, of_integer, of_names

SMALL = st.sampled_from([Int(4, True), Int(4, False)])
CONSTANTS = st.integers(-9, 17)
COMPARISONS = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), CONSTANTS)


def holds(condition: str, **values: object) -> bool:
    """The conditions of partitions are so simple that they are Python as well."""
    text = condition.replace("&&", " and ").replace("||", " or ")
    return bool(eval(re.sub(r"!(?!=)", " not ", text), {}, values))


def ranges_for(type: Int, comparisons: list[tuple[str, int]]) -> tuple[Range, ...]:
    edges: dict[int, int] = {}
    points = []
    for operator, constant in comparisons:
        if operator in ("==", "!="):
            points.append(constant)
        else:
            edges.setdefault(constant + (operator in ("<=", ">")), constant)
    return of_integer("x", type, edges, points)


@given(SMALL, st.lists(COMPARISONS, max_size=5))
def test_ranges_are_what_the_comparisons_tell_apart(type: Int, comparisons: list[tuple[str, int]]) -> None:
    ranges = ranges_for(type, comparisons)
    values = range(type.low, type.high + 1)
    outcome = {v: tuple(holds(f"x {o} {c}", x=v) for o, c in comparisons) for v in values}
    if not ranges:
        assert len(set(outcome.values())) == 1
        return
    found = {v: [r for r in ranges if holds(r.condition, x=v)] for v in values}
    assert all(len(fitting) == 1 for fitting in found.values())
    assert {r for fitting in found.values() for r in fitting} == set(ranges), "no range is empty"
    for a in values:
        for b in values:
            assert (outcome[a] == outcome[b]) == (found[a] == found[b])


def test_ranges_read_as_the_code_does() -> None:
    signed, unsigned = Int(32, True), Int(32, False)

    def texts(type: Int, *comparisons: tuple[str, int]) -> list[str]:
        return [r.condition for r in ranges_for(type, list(comparisons))]

    assert texts(signed, (">", 0)) == ["x <= 0", "x > 0"]
    assert texts(signed, ("<", 5)) == ["x < 5", "x >= 5"]
    assert texts(unsigned, (">", 0)) == ["x == 0", "x > 0"]
    assert texts(signed, (">", 0), ("<", 5)) == ["x <= 0", "x > 0 && x < 5", "x >= 5"]
    assert texts(signed, ("==", 0)) == ["x == 0", "x != 0"]
    assert texts(signed, ("==", 1), ("==", 4)) == ["x == 1", "x == 4", "x != 1 && x != 4"]
    assert texts(signed, (">=", 0), ("==", 0)) == ["x < 0", "x == 0", "x > 0"]
    assert texts(signed) == []


def test_other_ranges() -> None:
    assert [r.condition for r in of_bool("b")] == ["!b", "b"]
    assert [r.condition for r in of_names("h", ["idle", "run"])] == ["h == idle", "h == run", "h != idle && h != run"]
    enum = of_enum("s", Int(32, False), [("OFF", 0), ("ON", 1), ("ALSO_ON", 1)], [7])
    assert [r.name for r in enum] == ["OFF", "ON", "s == 7", "s other"]
    assert enum[-1].condition == "s != OFF && s != ON && s != 7"
    assert len(of_enum("s", Int(1, False), [("OFF", 0), ("ON", 1)], [])) == 2


OPERATORS = st.sets(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), min_size=1)


@given(st.dictionaries(st.sampled_from([-1.5, 0.0, 2.0, 3.25]), OPERATORS, min_size=1))
def test_ranges_of_floats_are_a_partition_and_tell_apart_what_comparisons_do(edges: dict[float, set[str]]) -> None:
    ranges = of_float("x", edges, {value: repr(value) for value in edges})
    values = [-2.0, -1.5, -1.0, 0.0, 1.0, 2.0, 3.0, 3.25, 4.0, float("inf"), float("-inf"), float("nan")]
    found = {}
    for value in values:
        [found[repr(value)]] = [r for r in ranges if holds(r.condition, x=value)]
    for a in values:
        for b in values:
            differ = any(holds(f"x {o} {c}", x=a) != holds(f"x {o} {c}", x=b) for c, os in edges.items() for o in os)
            assert not differ or found[repr(a)] != found[repr(b)]


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))
def test_comparisons_with_other_variables(x: int, low: int, high: int) -> None:
    ranges = both(of_integer("x", Int(8, True), {1: 0}, []), against("x", ["low", "high"]))
    assert len(ranges) == 18
    assert sum(holds(r.condition, x=x, low=low, high=high) for r in ranges) == 1
