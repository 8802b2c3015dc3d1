"""Two lifts and their controller in `examples/`: the statements of the paper on behavioural models, in C++ and in C.

After Devereux, Chechik: Automated support for building behavioral models of event-driven systems, 2006.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.cli.exits import Exit
from stateglass.formats import read_model
from stateglass.operations.comparing import compare_models
from stateglass.operations.composing import Transformation, transform_model
from tests.cli.running import stateglass

FOLDER = ROOT / "examples" / "lift"
SOURCES = {
    "C++": "lift.cpp",
    "C": "c/lift.c",
    "C++ with service": "service/lift.cpp",
    "C with service": "c/service/lift.c",
}
PLAIN = ["C++", "C"]
SERVICE = ["C++ with service", "C with service"]
STATEMENTS = {
    "init ~> floor3": "holds",
    "landing3 -> floor3": "holds",
    "landing3 <- floor3": "violated",
    "lift3 -> floor3": "holds",
    "lift3 | landing3 <-> floor3": "holds",
    "call3 <- E1.floor3": "holds",
    "call3 <- E2.floor3": "holds",
    "call3 -> E1.floor3": "violated",
    "call3 -> E2.floor3": "violated",
    "E2.lift3 -> E2.floor3": "holds",
    "landing3 <- assigned3 -> floor3": "holds",
    # Floors change on the way: what the paper writes says nothing about who arrives.
    "while (E1.floor == 2 && E2.floor == 1): landing3 -> E1.floor3": "holds",
    "while (E1.floor == 2 && E2.floor == 1): landing3 -> E2.floor3": "holds",
    "while (E1.nearer): landing3 -> E1.floor3": "holds",
    "while (E1.nearer): landing3 -> E2.floor3": "violated",
    "while (E2.nearer): landing3 -> E2.floor3": "holds",
    "while (E2.nearer): landing3 -> E1.floor3": "violated",
    # Somebody may press the button again while the other lift is on its way.
    "landing3 when (E1.nearer) -> E1.floor3": "violated",
    "landing3 when (E1.nearer && !E2.has_call) -> E1.floor3": "holds",
    "landing3 when (E1.nearer && !E2.has_call) -> E2.floor3": "violated",
}
WITH_SERVICE = {
    "landing3 -> floor3": "violated",
    "landing3 ~> floor3": "holds",
    "while (!(E1.service && E2.service)): landing3 -> floor3": "violated",
    "while (!(E1.service || E2.service)): landing3 -> floor3": "holds",
    "while (!E1.service): landing3 -> floor3": "violated",
    # Calls from inside are served as before.
    "lift3 -> floor3": "holds",
    "E2.lift3 -> E2.floor3": "holds",
    "call3 <- floor3": "holds",
    "landing3 <- floor3": "violated",
    "assigned3 -> floor3": "violated",
    "landing3 when (on_service) ~> floor3": "holds",
    "landing3 when (both_on_service) ~> E1.floor3": "holds",
}
# What is written otherwise, and what is no longer true then.
MISTAKES = [
    ("distance1 < distance2 ?", "distance1 > distance2 ?", "E1_nearer"),
    ("if (lift->motion == DOWN && must_go_down(lift))", "if (must_go_down(lift))", "landing"),
    ("return lift->pressed[floor] ||", "return lift->pressed[floor] &&", "landing"),
    ("return towards1 ? &E1 : &E2", "return &E2", "E1_on_its_way"),
    ("case E2_TO_3: press(&E2, 3)", "case E2_TO_3: press(&E1, 3)", "E2_inside"),
]

Models = Mapping[str, Path]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    folder = tmp_path_factory.mktemp("lift")
    found = {}
    for name, source in SOURCES.items():
        found[name] = folder / f"{source.replace('/', '-')}.sg"
        ran = stateglass("extract", str(FOLDER / source), "-o", str(found[name]))
        assert ran.status is Exit.OK, ran.err
    return found


def story_of(name: str) -> str:
    return str(FOLDER / ("service" if name in SERVICE else "") / "lift.scenarios")


def verdicts(*arguments: str) -> dict[str, str]:
    """Verdicts by name, or by the text of what has none."""
    ran = stateglass("scenario", *arguments, "--format", "json")
    assert ran.out, ran.err
    return {one["name"] or one["text"]: one["verdict"] for one in json.loads(ran.out)["scenarios"]}


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_kept_is_true(name: str, models: Models) -> None:
    ran = stateglass("scenario", str(models[name]), story_of(name))
    assert ran.status is Exit.OK, ran.out
    assert "inconclusive" not in ran.out


@pytest.mark.parametrize("name", SOURCES)
def test_statements(name: str, models: Models) -> None:
    expected = WITH_SERVICE if name in SERVICE else STATEMENTS
    asked = [word for text in expected for word in ("--scenario", text)]
    assert verdicts(str(models[name]), story_of(name), *asked) == expected


@pytest.mark.parametrize(("first", "second"), [PLAIN, SERVICE])
def test_both_languages_do_the_same(first: str, second: str, models: Models) -> None:
    names = Transformation(rename=(r"re:(call|return)\((?:Controller|coin)\.(.*)=\1(\2",))
    cplusplus = transform_model(read_model(str(models[first]), None), names)[0]
    assert compare_models(cplusplus, read_model(str(models[second]), None), "strong").related is True


def test_the_difference_is_that_there_are_keys(models: Models) -> None:
    paths = str(models["C++"]), str(models["C++ with service"])
    ran = stateglass("diff", *paths, "--scenarios", story_of("C++"), "--format", "json")
    assert ran.status is Exit.FINDINGS, ran.err
    found = json.loads(ran.out)
    assert [change["action"] for change in found["added"]] == ["call(Controller.turn_key, *)"]
    assert found["removed"] == found["moved"] == []
    changed = {one["claim"] for one in found["scenarios"] if one["changed"]}
    assert {"landing", "called", "E1_nearer"} <= changed
    assert changed.isdisjoint({"possible", "inside", "E1_called", "E2_called", "E2_inside"})
    declared = str(FOLDER / "service" / "service.expect")
    assert stateglass("diff", *paths, "--expect", declared).status is Exit.OK


def test_service_changes_nothing_while_nobody_turns_a_key(models: Models) -> None:
    without_keys = Transformation(only=("*(Controller.step*", "*(coin.toss*"), reachable=True)
    left = transform_model(read_model(str(models["C++ with service"]), None), without_keys)[0]
    old = read_model(str(models["C++"]), None)
    assert left.states == old.states
    assert compare_models(left, old, "strong").related is True


def calls_of_counterexample(text: str, old: Path, new: Path) -> list[str]:
    """What is called on the run against a scenario on which as few steps as possible are new."""
    asked = ("--scenario", text, "--old", str(old), "--strategy", "avoid-new-transitions", "--format", "json")
    ran = stateglass("scenario", str(new), story_of(SERVICE[0]), *asked)
    assert ran.status is Exit.FINDINGS, ran.err
    (one,) = json.loads(ran.out)["scenarios"]
    actions = [step["action"] for step in one["evidence"]["steps"]]
    # Whoever turns a key does something new; up to the first time, nothing is.
    turns = {number for number, action in enumerate(actions) if "turn_key" in action}
    assert turns <= set(one["new_steps"]) <= set(range(min(turns), len(actions)))
    return [action.replace("Controller.", "") for action in actions if action.startswith("call(")]


@pytest.mark.parametrize(("old", "new"), list(zip(PLAIN, SERVICE, strict=True)))
def test_the_counterexample_with_fewest_new_steps_has_both_lifts_on_service(old: str, new: str, models: Models) -> None:
    paths = models[old], models[new]
    assert calls_of_counterexample("landing3 -> floor3", *paths) == [
        "call(turn_key, KEY_1)",
        "call(turn_key, KEY_2)",
        "call(step, LANDING_3)",
        "call(step, NONE)",
    ]
    # That is one reason, not all: the lift that has the call may be put on service afterwards.
    found = calls_of_counterexample("while (!both_on_service): landing3 -> floor3", *paths)
    assert found.index("call(step, LANDING_3)") < found.index("call(turn_key, KEY_2)")
    assert "call(turn_key, KEY_1)" not in found


def elaborations(model: Path, name: str, scenario: str, pattern: str, *more: str) -> dict[str, str]:
    """What a pattern finds, and what it rejects: verdicts by text."""
    asked = ("--scenario", scenario, "--elaborate", "--pattern", pattern, "--format", "json", *more)
    ran = stateglass("scenario", str(model), story_of(name), *asked)
    assert ran.out, ran.err
    return {one["text"]: one["verdict"] for one in json.loads(ran.out)["elaborations"]}


def test_other_causes_are_found(models: Models) -> None:
    assert elaborations(models["C"], "C", "landing", "cause weakening")["landing3 | lift3 <-> floor3"] == "holds"


def test_what_decides_between_the_lifts_is_found(models: Models) -> None:
    found = elaborations(models["C"], "C", "called", "event splitting")
    assert found["E2.lift3 -> E2.floor3"] == "holds"
    assert found["landing3 when (E1.nearer && !E2.has_call) -> E1.floor3"] == "holds"
    assert found["landing3 when (E1.nearer) -> E1.floor3"] == "violated"


def test_the_exception_is_found_by_words_of_the_model(models: Models) -> None:
    """The words of the old version do not know what service is."""
    found = elaborations(
        models["C with service"], "C", "landing", "exception breaks causation", "--old", str(models["C"])
    )
    assert found["while (!(E1.service || E2.service)): landing3 -> floor3"] == "holds"
    assert found["while (!(E1.service && E2.service)): landing3 -> floor3"] == "violated"


@pytest.mark.parametrize(("right", "wrong", "name"), MISTAKES)
def test_a_mistake_makes_a_difference(right: str, wrong: str, name: str, tmp_path: Path) -> None:
    text = (FOLDER / "c" / "lift.c").read_text(encoding="utf-8")
    assert right in text
    other, model = tmp_path / "lift.c", tmp_path / "lift.sg"
    other.write_text(text.replace(right, wrong), encoding="utf-8")
    project = str(FOLDER / "c" / "stateglass.toml")
    assert stateglass("extract", str(other), "--project", project, "-o", str(model)).status is Exit.OK
    ran = stateglass("scenario", str(model), story_of("C"), "--scenario", name)
    assert ran.status is Exit.FINDINGS


def test_the_buttons_that_the_project_file_leaves_out_do_not_matter(tmp_path: Path) -> None:
    model = str(tmp_path / "lift.sg")
    ran = stateglass("extract", str(FOLDER / "c" / "lift.c"), "--bound", "step.button=0..9", "-o", model)
    assert ran.status is Exit.OK, ran.err
    assert {"call(step, E1_TO_1)", "call(step, E2_TO_2)"} <= set(read_model(model, None).labels)
    asked = [word for text in STATEMENTS for word in ("--scenario", text)]
    assert verdicts(model, story_of("C"), *asked) == STATEMENTS


def test_runs_of_the_code_are_executed_again() -> None:
    ran = stateglass("scenario", str(FOLDER / "lift.cpp"), story_of("C++"), "--format", "json")
    assert ran.status is Exit.OK, ran.err
    found = {one["name"]: one["evidence"] for one in json.loads(ran.out)["scenarios"]}
    shown = {name for name, evidence in found.items() if evidence["steps"]}
    assert {"possible", "only_landing", "E1_comes", "E1_stays_farther"} <= shown
    assert all("reference" in found[name]["confirmed_by"] for name in shown)
