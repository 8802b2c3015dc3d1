"""`stateglass scenario`: on models, on code, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import Ran, stateglass
from tests.shapes import check_shape

DOOR = """
enum door { CLOSED, OPEN };
enum door door = CLOSED;
int locked;
void press(void) { if (!locked && door == CLOSED) door = OPEN; }
void shut(void) { door = CLOSED; }
void lock(void) { if (door == CLOSED) locked = 1; }
void unlock(void) { locked = 0; }
"""
STORY = """
event press = call(press)
event opens = rises(door == OPEN)
condition free = !locked
scenario always: press -> opens
scenario because: press <- opens
scenario freely: press when (free && door == CLOSED) -> opens   from always by avoid exception
scenario can: press ~> opens
scenario known: press -> opens   expected violated
"""
CODE = ("door.c", *(word for name in ("press", "shut", "lock", "unlock") for word in ("--function", name)))


@pytest.fixture(autouse=True)
def files(here: Path) -> None:
    Path("door.c").write_text(DOOR, encoding="utf-8")
    Path("door.scenarios").write_text(STORY, encoding="utf-8")


def report(*argv: str, status: Exit = Exit.OK) -> dict[str, Any]:
    ran = stateglass("scenario", *argv, "--format", "json")
    assert ran.status is status, ran.err
    document: dict[str, Any] = json.loads(ran.out)
    check_shape("scenario", document)
    return document


def model() -> str:
    assert stateglass("extract", *CODE, "-o", "door.sg").status is Exit.OK
    return "door.sg"


def verdicts(document: dict[str, Any]) -> dict[str, str]:
    return {told["name"] or told["text"]: told["verdict"] for told in document["scenarios"]}


def test_code_and_its_model_get_the_same_verdicts() -> None:
    of_code = report(*CODE, "door.scenarios", status=Exit.FINDINGS)
    of_model = report(model(), "door.scenarios", status=Exit.FINDINGS)
    expected = {"always": "violated", "because": "holds", "freely": "holds", "can": "holds", "known": "violated"}
    assert verdicts(of_code) == verdicts(of_model) == expected
    runs = [told["evidence"] for told in of_code["scenarios"]]
    assert all(run["confirmed_by"] == ["reference"] for run in runs)
    assert runs[0]["loop_start"] is not None
    assert [step["action"] for step in runs[1]["steps"]] == ["call(press)"]
    freely = of_code["scenarios"][2]
    assert (freely["from"], freely["by"]) == ("always", "avoid exception")
    assert "formulas" not in freely


def test_what_is_expected_is_no_finding() -> None:
    assert report(*CODE, "door.scenarios", "--scenario", "known")["scenarios"][0]["expected"] == "violated"
    Path("door.scenarios").write_text(f"{STORY}scenario hoped: press <- opens expected violated\n", encoding="utf-8")
    ran = stateglass("scenario", *CODE, "door.scenarios", "--scenario", "hoped")
    assert ran.status is Exit.FINDINGS
    assert "hoped: holds, and violated was expected" in ran.out


def test_explaining() -> None:
    told = report(model(), "door.scenarios", "--scenario", "always", "--explain", status=Exit.FINDINGS)["scenarios"][0]
    assert told["formulas"] == ["AG (call(press) => AF rises([door == OPEN]))"]
    assert len(told["obligations"]) == len(told["evidence"]["steps"]) + 1
    ran = stateglass("scenario", "door.sg", "door.scenarios", "--scenario", "always", "--explain")
    assert "In CTL: AG (call(press) => AF rises([door == OPEN]))" in ran.out
    assert "to be shown: EG !rises([door == OPEN])" in ran.out


def test_scenarios_of_the_command_line_need_no_file() -> None:
    told = report(model(), "--scenario", "call(shut) <- falls(door == OPEN)")["scenarios"]
    assert [(one["name"], one["verdict"]) for one in told] == [(None, "holds")]
    ran = stateglass("scenario", "door.sg", "--scenario", "call(shit) <- fals(door == OPEN) |")
    assert ran.status is Exit.BAD_INPUT


def test_unknown_words_are_told_with_suggestions_from_both() -> None:
    Path("odd.scenarios").write_text("event presses = call(press)\npreses -> rises(dor == OPEN)\n", encoding="utf-8")
    for subject in ((model(),), CODE):
        ran = stateglass("scenario", *subject, "odd.scenarios")
        assert ran.status is Exit.BAD_INPUT
        assert "odd.scenarios:2:1: error[unknown-name]: the model has no event `preses`" in ran.err
        assert "did you mean `presses`" in ran.err
        assert "odd.scenarios:2:17: error[unknown-name]: the model has no proposition or enumerator `dor`" in ran.err
        assert "did you mean `door`?" in ran.err


def test_an_event_that_stands_in_the_code_is_known_though_it_never_happens() -> None:
    Path("lamp.c").write_text("void on(void);\nvoid off(int n);\nvoid step(int x) { x > 3 ? off(x) : on(); }\n")
    code = ("lamp.c", "--bound", "step.x=0..3")
    listed = [word for other in ("off, *", "of, *") for word in ("--scenario", f"call({other}) -> call(on)")]
    assert verdicts(report(*code, *listed[:2], status=Exit.FINDINGS)) == {listed[1]: "vacuous"}
    assert stateglass("scenario", *code, *listed).status is Exit.BAD_INPUT


def test_the_project_names_files_of_scenarios() -> None:
    assert stateglass("scenario", "door.c").status is Exit.NOTHING_TO_CHECK
    project = 'schema = 1\n[source]\nfiles = ["door.c"]\n[system.door]\nsubject = ["press", "shut"]\n'
    Path("stateglass.toml").write_text(f'{project}[scenarios]\nfile = "door.scenarios"\n', encoding="utf-8")
    assert verdicts(report(status=Exit.FINDINGS))["because"] == "holds"


def test_fairness_makes_things_happen() -> None:
    story = ("--scenario", "call(press) -> call(shut)")
    assert verdicts(report(model(), *story, status=Exit.FINDINGS)) == {story[1]: "violated"}
    assert verdicts(report("door.sg", *story, "--fair", "call(shut)", status=Exit.FINDINGS)) == {story[1]: "violated"}
    assert verdicts(report("door.sg", *story, "--strongly-fair", "call(shut)")) == {story[1]: "holds"}
    Path("fair.scenarios").write_text("strongly fair call(shut)\ncall(press) -> call(shut)\n", encoding="utf-8")
    assert verdicts(report("door.sg", "fair.scenarios")) == {story[1]: "holds"}


def test_a_strategy_chooses_the_run_and_not_the_verdict() -> None:
    def labels(*strategy: str) -> list[str]:
        told = report(model(), "--scenario", "init ~> return(*)", "--strategy", *strategy)["scenarios"][0]
        assert told["verdict"] == "holds"
        return [step["action"] for step in told["evidence"]["steps"]]

    assert labels("avoid-events={call(press), call(lock), call(shut)}") == ["call(unlock)", "return(unlock)"]
    assert labels("prefer-events=call(lock)", "--greedy") == ["call(lock)", "return(lock)"]
    assert stateglass("scenario", model(), "door.scenarios", "--strategy", "shortes").status is Exit.BAD_INPUT


def test_the_vocabulary_is_listed() -> None:
    text = "event never = press & rises(locked)\nevent any = press | opens | never\n"
    Path("door.scenarios").write_text(STORY + text, encoding="utf-8")
    words = {word["name"]: word for word in report(model(), "door.scenarios", "--vocabulary")["vocabulary"]}
    assert (words["press"]["count"], words["never"]["count"], words["opens"]["used"]) == (3, 0, True)
    assert (words["any"]["parts"], words["any"]["used"]) == (["press", "opens", "never"], False)
    ran = stateglass("scenario", "door.sg", "door.scenarios", "--vocabulary")
    assert ran.out.splitlines()[:3] == [
        "events:",
        "  any = press | opens | never: at 3 steps; no scenario speaks of it",
        "    press = call(press): at 3 steps",
    ]
    assert "door.scenarios:10:7: warning[scenario]: `never` never happens in this model" in ran.err


def test_an_abstraction_says_what_is_true_of_the_code() -> None:
    Path("door.am").write_text('file "door.c" {\n  var door : top;\n  var locked : int;\n}\n', encoding="utf-8")

    def told(text: str) -> Ran:
        return stateglass("scenario", *CODE, "--abstraction", "door.am", "--scenario", text)

    assert told("call(press) ~> rises(locked == 1)").status is not Exit.OK
    assert told("call(lock) <- rises(locked == 1)").out.startswith("call(lock) <- rises(locked == 1): holds")
    refuted = told("call(lock) -> rises(locked == 1)")
    assert refuted.status in (Exit.FINDINGS, Exit.INCONCLUSIVE)


def test_what_rests_on_one_step_is_said() -> None:
    def told(text: str, *options: str) -> dict[str, Any]:
        ran = stateglass("scenario", *CODE, "--scenario", text, "--format", "json", *options)
        one: dict[str, Any] = json.loads(ran.out)["scenarios"][0]
        return one

    text = "rises(door == OPEN) -> call(press)"
    remark = "Where an action and the change that it makes count as two steps (--steps all), it is violated."
    assert told(text)["verdict"] == "holds"
    assert remark in told(text)["explanation"]
    assert told(text, "--steps", "all")["verdict"] == "violated"
    assert "--steps all" not in told("call(press) <- rises(door == OPEN)")["explanation"]


def test_a_partial_model_may_not_decide() -> None:
    ran = stateglass("scenario", *CODE, "door.scenarios", "--scenario", "because", "--max-states", "3")
    assert ran.status is Exit.INCONCLUSIVE
    assert "inconclusive: partial" in ran.out


def test_outputs() -> None:
    report(model(), "door.scenarios", "--scenario", "because", "-o", "page.html", "-o", "run.svg", "-o", "all.json")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<code>because</code>: holds</strong></p><p><code>press &lt;- opens</code>" in page
    check_shape("scenario", json.loads(Path("all.json").read_text(encoding="utf-8")))


def test_tools_see_what_is_expected_as_passed() -> None:
    Path("door.scenarios").write_text(f"{STORY}scenario hoped: press <- opens expected violated\n", encoding="utf-8")
    asked = ("--scenario", "known", "--scenario", "hoped", "--scenario", "can")
    report(model(), "door.scenarios", *asked, "-o", "page.html", status=Exit.FINDINGS)
    assert "<code>hoped</code>: holds, and violated was expected</strong>" in Path("page.html").read_text(
        encoding="utf-8"
    )
    report(model(), "door.scenarios", *asked, "-o", "report.xml", status=Exit.FINDINGS)
    text = Path("report.xml").read_text(encoding="utf-8")
    assert 'tests="3" failures="1"' in text
    assert "Its verdict is `holds`, and violated was expected" in text


def test_what_is_about_code_is_refused_for_models() -> None:
    ran = stateglass("scenario", model(), "door.scenarios", "--function", "press")
    assert ran.status is Exit.BAD_INPUT
    assert "`door.sg` is a model" in ran.err


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("walk -> wait -> arrive -> TRIP | fly -> arrive -> TRIP", ""),
        ("walk -> rest -> arrive -> TRIP | fly -> arrive -> TRIP", "cannot be taken from its step 2 on: no state of"),
        ("walk -> wait -> TRIP | fly -> arrive -> TRIP", "cannot be taken from its step 3 on: "),
    ],
)
def test_where_an_old_witness_ends_is_said(now: str, said: str) -> None:
    Path("old.fsp").write_text("TRIP = (walk -> wait -> arrive -> TRIP).", encoding="utf-8")
    Path("new.fsp").write_text(f"TRIP = ({now}).", encoding="utf-8")
    words = ("new.fsp", "--scenario", "init ~> arrive", "--old", "old.fsp")
    [told] = report(*words, "--strategy", "reuse-old-witness")["scenarios"]
    assert said in told["explanation"]
    assert ("older version" in told["explanation"]) is bool(said)
    [plain] = report(*words)["scenarios"]
    assert "older version" not in plain["explanation"]
