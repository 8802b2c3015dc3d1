"""On generated functions a reflexion model says what brute force says; `make fuzz` tries thousands."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.evidence import Result
from stateglass.frontend import read_program
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim, probes_of
from stateglass.reflexion.reflecting import Limits
from stateglass.source import Words
from tests.fuzz.reflexion_agreement import Call, Reference, differences, expected, limits_of, overclaimed
from tests.fuzz.reflexion_cases import HERE, Case, Scalar, make_case

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
    results_seen = {word for key in seen for word in key.split(" + ")}  # an edge may have two
    assert {r.value for r in Result if r is not Result.INCONCLUSIVE} <= results_seen
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


def test_generated_functions_have_what_c_has() -> None:
    bodies = [
        case.code[case.code.index("void f(") :] for case in map(make_case, range(FIRST_SEED, FIRST_SEED + 10 * CASES))
    ]
    wanted = ("*t = ", "*t ", "t == &", "h();", "n->v", "n->next", "far", "limit", "port", "get()", "fill(&", "touch()")
    assert [text for text in wanted if sum(text in body for body in bodies) < 5] == []


def test_brute_force_tries_all_that_comes_from_outside(tmp_path: Path) -> None:
    code = (
        "static volatile _Bool port; _Bool get(void); void fill(_Bool *p); static _Bool a, b;\n"
        "void f(void) { if (port && get()) fill(&a); b = b || port; }\n"
    )
    states = (StateClaim("A", Words("a && !b", HERE)), StateClaim("B", Words("a && b", HERE)))
    variables = tuple(Scalar(name, name, (0, 1), ("0", "1")) for name in "ab")
    case = Case(code, Hypothesis("M", "f", states=states), variables, ())
    (tmp_path / "code.c").write_text(code, encoding="utf-8")
    program = read_program((str(tmp_path / "code.c"),), probes=probes_of(case.hypothesis)).program
    calls = Reference(program, case, Limits()).calls([])
    assert not isinstance(calls, str)
    assert Counter((c.source, c.target) for c in calls if c.source != "other") == {
        ("A", "A"): 3,  # port is 0; get() is 0; fill() leaves it: and the last read of port is 0
        ("A", "B"): 3,
        ("A", "other"): 2,
        ("B", "B"): 3,
        ("B", "other"): 1,
    }
    wrong, _ = differences(case, tmp_path)
    assert wrong == []
