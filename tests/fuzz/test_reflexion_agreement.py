"""On generated functions a reflexion model says what brute force says; `make fuzz` tries thousands."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.rooms import ROOT
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
    [Limits(unroll=1, condition_seconds=0), Limits(solver_seconds=0.001, condition_seconds=0)],
    ids=["unrolled once", "no time"],
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


def test_brute_force_counts_nested_states_as_they_are_documented() -> None:
    states = (
        StateClaim("On", Words("on", HERE)),
        StateClaim("Low", Words("low", HERE), "On"),
        StateClaim("High", Words("high", HERE), "On"),
        StateClaim("Off", Words("!on", HERE)),
    )
    claims = (
        TransitionClaim("On", "Off", Words("p", HERE)),  # possible in High and in On itself
        TransitionClaim("Low", "High", Words("q", HERE)),  # in no call
        TransitionClaim("On", "error", Words("r", HERE)),  # possible nowhere
        TransitionClaim("High", "High", Words("s", HERE)),
    )
    calls = [
        Call("On", "Off", frozenset({"%transition.0"})),
        Call("High", "High", frozenset({"%transition.0", "%transition.3"})),
        Call("High", "Off", frozenset({"%transition.0"})),
        Call("Low", "On", frozenset()),
    ]
    outer = expected(Hypothesis("M", "f", states=states, transitions=claims), calls)
    assert outer == {
        ("On", "Off"): (Result.CONVERGENCE,),
        ("High", "Off"): (Result.PARTIAL,),
        ("High", "High"): (Result.CONVERGENCE,),
        ("Low", "High"): (Result.ABSENCE,),
        ("Low", "On"): (Result.DIVERGENCE,),
        ("On", "error"): (Result.ABSENCE,),
    }
    inner = expected(Hypothesis("M", "f", states=states, transitions=claims, inner_first=True), calls)
    assert inner == {**outer, ("High", "Off"): (Result.CONVERGENCE,)}


def test_the_script_explains_itself() -> None:
    command = [sys.executable, "-m", "tests.fuzz.reflexion_agreement", "--help"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "--cases" in ran.stdout
