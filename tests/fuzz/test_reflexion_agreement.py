"""On generated functions a reflexion model says what brute force says; `make fuzz` tries thousands."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import cbmc
from scripts.rooms import ROOT
from stateglass.evidence import Condition, Result
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.reflexion.hypothesis import Hypothesis, StateClaim, TransitionClaim, probes_of
from stateglass.reflexion.reflecting import Limits, reflect
from stateglass.source import Words
from tests.fuzz import reflexion_cbmc
from tests.fuzz.reflexion_agreement import LIMITS, differences, limits_of, overclaimed
from tests.fuzz.reflexion_cases import Case, make_case
from tests.fuzz.reflexion_definitions import expected
from tests.fuzz.reflexion_hypotheses import HERE
from tests.fuzz.reflexion_reference import Call, Reference
from tests.fuzz.reflexion_scalars import Scalar

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
        case.code[case.code.index("void f(") :] for case in map(make_case, range(FIRST_SEED, FIRST_SEED + 20 * CASES))
    ]
    wanted = ["*t = ", "*t ", "t == &", "h();", "n->v", "n->next", "far", "limit", "touch()", "row[", "bump()", "goto"]
    wanted += ["port0", "port1", "get0()", "get1()", "fill0(&", "wide.v", "struct rec r", "struct rec *s", "s->w"]
    wanted += ["r.in.u", "changed(", "set(s", "saved", "static ", "half(", "down(", "<<= ", ".half[", "do {", "assert("]
    assert [text for text in wanted if sum(text in body for body in bodies) < 5] == []


def test_generated_hypotheses_have_what_the_notation_has() -> None:
    made = [make_case(seed).hypothesis for seed in range(FIRST_SEED, FIRST_SEED + 20 * CASES)]
    assert sum(bool(h.lets) for h in made) > 50
    assert sum(h.start is not None for h in made) > 20
    assert sum(any(t.priority for t in h.transitions) for h in made) > 100
    assert sum(any(s.parent for s in h.states) for h in made) > 100


def _ports() -> Case:
    code = (
        "static volatile _Bool port0; _Bool get0(void); void fill0(_Bool *p); static _Bool a, b;\n"
        "void f(void) { if (port0 && get0()) fill0(&a); b = b || port0; }\n"
    )
    states = (StateClaim("A", Words("a && !b", HERE)), StateClaim("B", Words("a && b", HERE)))
    variables = tuple(Scalar(name, name, (0, 1), ("0", "1")) for name in "ab")
    return Case(code, Hypothesis("M", "f", states=states), variables, (), flat=code)


def _calls(case: Case, folder: Path) -> tuple[Program, list[Call]]:
    (folder / "code.c").write_text(case.code, encoding="utf-8")
    program = read_program((str(folder / "code.c"),), probes=probes_of(case.hypothesis)).program
    calls = Reference(program, case, LIMITS).calls([])
    assert not isinstance(calls, str)
    return program, calls


def test_brute_force_tries_all_that_comes_from_outside(tmp_path: Path) -> None:
    case = _ports()
    _, calls = _calls(case, tmp_path)
    assert Counter((c.source, c.target) for c in calls if c.source != "other") == {
        ("A", "A"): 3,  # port is 0; get() is 0; fill() leaves it: and the last read of port is 0
        ("A", "B"): 3,
        ("A", "other"): 2,
        ("B", "B"): 3,
        ("B", "other"): 1,
    }
    wrong, seen = differences(case, tmp_path)
    assert wrong == []
    assert seen["conditions over inputs"] == 8  # of all edges


with_cbmc = pytest.mark.skipif(not cbmc.is_there(), reason="cbmc is not on the PATH")


@with_cbmc
def test_cbmc_says_the_same(tmp_path: Path) -> None:
    found: dict[int, list[str]] = {}
    seen: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + 8):
        wrong, results = differences(make_case(seed), tmp_path / str(seed), limits_of(seed), with_cbmc=True)
        seen += results
        if wrong:
            found[seed] = wrong
    assert found == {}
    assert seen["states with cbmc"]
    assert seen["conditions with cbmc"]


@with_cbmc
def test_what_cbmc_contradicts_is_found(tmp_path: Path) -> None:
    code = "static _Bool a, b;\nvoid f(void) { if (b) a = 1; }\n"
    states = (StateClaim("A", Words("a", HERE)), StateClaim("B", Words("!a", HERE)))
    variables = tuple(Scalar(name, name, (0, 1), ("0", "1")) for name in "ab")
    case = Case(code, Hypothesis("M", "f", states=states), variables, (), flat=code)
    program, calls = _calls(case, tmp_path)
    model = reflect(program, case.hypothesis, LIMITS)
    assert reflexion_cbmc.differences(case, model, calls, tmp_path, LIMITS)[0] == []
    fewer = [c for c in calls if (c.source, c.target) != ("B", "A")]
    more = [*calls, Call("A", "exit", frozenset())]
    wide = replace(model, edges=tuple(replace(e, condition=Condition("always", exact=True)) for e in model.edges))
    assert reflexion_cbmc.differences(case, model, fewer, tmp_path, LIMITS)[0] == ["B -> A is only found by cbmc"]
    assert reflexion_cbmc.differences(case, model, more, tmp_path, LIMITS)[0] == ["A -> exit is not found by cbmc"]
    assert reflexion_cbmc.differences(case, wide, calls, tmp_path, LIMITS)[0] == [
        "B -> A when always is too wide for cbmc",
        "B -> B when always is too wide for cbmc",
    ]
