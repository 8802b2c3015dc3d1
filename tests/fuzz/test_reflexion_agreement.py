"""On generated functions a reflexion model says what brute force says; `make fuzz` tries thousands."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from stateglass.evidence import Result
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim
from stateglass.reflexion.reflecting import Limits
from stateglass.source import Words
from tests.fuzz.reflexion_agreement import Call, differences, expected, limits_of, overclaimed
from tests.fuzz.reflexion_cases import HERE, make_case

FIRST_SEED = 100_000
CASES = 40
PARTS = 2


@pytest.mark.parametrize("part", range(PARTS))
def test_reflexion_models_are_what_all_calls_show(part: int, tmp_path: Path) -> None:
    first = FIRST_SEED + part * (CASES // PARTS)
    found: dict[int, list[str]] = {}
    seen: Counter[str] = Counter()
    for seed in range(first, first + CASES // PARTS):
        wrong, results = differences(make_case(seed), tmp_path / str(seed), limits_of(seed))
        seen += results
        if wrong:
            found[seed] = wrong
    assert found == {}
    assert {r.value for r in Result if r is not Result.INCONCLUSIVE} <= set(seen)
    assert seen["exact conditions"]


@pytest.mark.parametrize(
    "limits",
    [Limits(unroll=1, questions=0), Limits(effort=1, questions=0), Limits(seconds=0.001, questions=0)],
    ids=["unrolled once", "no effort", "no time"],
)
def test_what_is_not_decided_is_said_and_the_rest_is_right(limits: Limits, tmp_path: Path) -> None:
    found: dict[int, list[str]] = {}
    for seed in range(FIRST_SEED, FIRST_SEED + CASES // PARTS):
        wrong, _ = overclaimed(make_case(seed), tmp_path / str(seed), limits)
        if wrong:
            found[seed] = wrong
    assert found == {}


def test_brute_force_counts_as_the_definitions_say() -> None:
    states = (StateClaim("A", Words("a", HERE)), StateClaim("B", Words("!a", HERE)))
    claims = (
        TransitionClaim("A", "B", Words("p", HERE)),
        TransitionClaim("B", "A", Words("q", HERE)),
        TransitionClaim("B", "B"),
        TransitionClaim("B", "error"),
    )
    hypothesis = Hypothesis("M", "f", states=states, transitions=claims)
    calls = [
        Call("A", "B", frozenset({"%transition.0"})),
        Call("A", "A", frozenset({"%transition.0"})),
        Call("A", "B", frozenset()),
        Call("B", "A", frozenset({"%transition.1"})),
        Call("B", "B", frozenset()),
    ]
    assert expected(hypothesis, calls) == {
        ("A", "B"): (Result.PARTIAL, Result.DIVERGENCE),
        ("A", "A"): (Result.DIVERGENCE,),
        ("B", "A"): (Result.CONVERGENCE,),
        ("B", "B"): (Result.CONVERGENCE,),
        ("B", "error"): (Result.ABSENCE,),
    }
