"""Answers to claims in every form: each is what its readers expect."""

from __future__ import annotations

import json
import pathlib
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.evidence import Answer, Path, Reason, Step, Support, Verdict, folded, problem_of, told
from stateglass.model import Assumption, Model, ModelBuilder, Origin
from stateglass.source import Span, Topic
from stateglass.views.claims.cards import Card, ending
from stateglass.views.claims.facts import verdict_facts
from stateglass.views.claims.itf import itf
from stateglass.views.claims.junit import junit
from stateglass.views.claims.mermaid import mermaid
from stateglass.views.claims.page import claims_page
from stateglass.views.claims.sarif import sarif
from stateglass.views.claims.sequence import RowKind, sequence
from stateglass.views.claims.svg import svg
from stateglass.views.claims.text import card_lines
from stateglass.views.claims.writing import OF_A_RUN, write_claims

ACTIONS = (
    "call(step, 3)",
    "call(sensor)",
    "return(sensor, 5)",
    "tau",
    "load(::port, 1)",
    "return(step)",
    "error(bounds)",
)


def line(actions: tuple[str, ...], *, loop: int | None = None) -> tuple[Model, Path]:
    """A model of one run, and the run."""
    builder = ModelBuilder()
    steps = []
    for number, action in enumerate(actions):
        target = number + 1 if loop is None or number + 1 < len(actions) else loop
        builder.add(number, action, target, Span.at("dir/a file.c", number + 1, 2))
        steps.append(Step(number, target, action))
    count = len(actions) + (loop is None)
    origin = Origin(
        subject="step", bounds=(("step.x", "0..3"),), assumptions=(Assumption(Topic.FUNCTION, "sensor", "any <value>"),)
    )
    return builder.build(count, origin=origin), Path(0, tuple(steps), loop)


def card(
    actions: tuple[str, ...] = ACTIONS,
    verdict: Verdict = Verdict.VIOLATED,
    loop: int | None = None,
    title: str = "safe",
) -> Card:
    model, path = line(actions, loop=loop)
    evidence = told(path, model)
    answer = Answer(title, verdict, None, "It goes wrong.", evidence, ("reference",))
    return Card(title, "G(!error)", "It never fails.", answer, model, model, {"files": ["a.c"]})


def check_sarif(report: Any) -> None:
    """The parts of the schema of SARIF 2.1.0 that we use: what must be there, and of which kind."""
    assert report["version"] == "2.1.0"
    for run in report["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        rules = [rule["id"] for rule in driver["rules"]]
        assert len(set(rules)) == len(rules)
        for result in run["results"]:
            assert result["message"]["text"]
            assert rules[result["ruleIndex"]] == result["ruleId"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["kind"] in ("notApplicable", "pass", "fail", "review", "open", "informational")
            # The standard wants this of all that are no failures.
            assert result["kind"] == "fail" or result["level"] == "none"
            assert all(isinstance(v, str) for v in result["partialFingerprints"].values())
            flows = [f for c in result.get("codeFlows", ()) for t in c["threadFlows"] for f in t["locations"]]
            for location in [*result.get("locations", ()), *(flow["location"] for flow in flows)]:
                if "physicalLocation" in location:
                    physical = location["physicalLocation"]
                    assert re.fullmatch(r"[\w./%-]+", physical["artifactLocation"]["uri"])
                    assert physical["region"]["startLine"] >= 1
                    assert physical["region"].get("startColumn", 1) >= 1


def test_sarif_has_the_shape_of_the_standard() -> None:
    holds = card(verdict=Verdict.HOLDS, title="fine")
    unknown = Answer("open", Verdict.INCONCLUSIVE, Reason.PARTIAL)
    report = sarif([card(), holds, Card("open", "G(x)", "", unknown, holds.model, holds.model)])
    check_sarif(report)
    violated, held, undecided = report["runs"][0]["results"]
    assert violated["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "dir/a%20file.c"
    assert [r["kind"] for r in (violated, held, undecided)] == ["fail", "pass", "open"]
    assert undecided["message"]["text"] == "open: inconclusive: partial. The model is partial."


def test_messages_are_sentences() -> None:
    answer = Answer("safe", Verdict.VIOLATED, explanation="This run violates it.", confirmed_by=("reference",))
    [result] = sarif([replace(card(), answer=answer)])["runs"][0]["results"]
    again = "Executed again step by step by the reference semantics."
    assert result["message"]["text"] == f"safe: violated. This run violates it. {again}"


def test_each_claim_with_a_run_has_its_steps_on_the_page() -> None:
    holds = Card("fine", "G(x)", "", Answer("fine", Verdict.HOLDS), card().model, card().model)
    text = claims_page([holds, card(("first",), title="one"), card(("second",), title="two")], {}, "Claims")
    assert [re.findall(r'<section id="(steps[^"]*)"><h2>Steps of <code>(\w+)<', text)] == [
        [("steps", "one"), ("steps-2", "two")]
    ]
    assert re.findall(r'<a href="#(steps[^"]*)">Its run', text) == ["steps", "steps-2"]
    assert text.count('data-arrow="arrow1"') == 1
    assert "<td><code>second</code>" in text


def test_runs_that_a_file_has_no_room_for_are_told(tmp_path: pathlib.Path) -> None:
    cards = [card(title="one"), card(title="two"), card(verdict=Verdict.HOLDS, title="fine")]
    for kind in OF_A_RUN:
        output = str(tmp_path / f"run{kind}")
        said = write_claims(cards, {}, output, "Claims")
        assert "has the first of 2 runs, that of `one`; .html and .json have all of them" in said
        assert not write_claims(cards[1:], {}, output, "Claims")


def test_fingerprints_do_not_depend_on_lines() -> None:
    def print_of(shown: Card) -> str:
        text: str = sarif([shown])["runs"][0]["results"][0]["partialFingerprints"]["stateglassRun/v1"]
        return text

    one = card()
    assert isinstance(one.answer.evidence, Path)
    moved = Path(0, tuple(Step(s.source, s.target, s.action) for s in one.answer.evidence.steps))
    answer = Answer("safe", Verdict.VIOLATED, None, "It goes wrong.", moved, ("reference",))
    assert print_of(one) == print_of(Card("safe", "G(!error)", "", answer, one.model, one.model))
    assert print_of(one) != print_of(card(ACTIONS[1:]))


def test_facts_have_the_keys_that_others_rely_on() -> None:
    facts = verdict_facts(card())
    assert {"claim", "verdict", "reason", "evidence", "assumptions"} <= facts.keys()
    evidence = facts["evidence"]
    assert evidence is not None
    assert {"steps", "loop_start", "confirmed_by", "bounds", "assumptions"} <= evidence.keys()
    assert evidence["steps"][0] == {
        "action": "call(step, 3)",
        "changes": {},
        "state": 1,
        "file": "dir/a file.c",
        "line": 1,
    }
    assert evidence["confirmed_by"] == ["reference"]
    json.dumps(facts)


def test_what_holds_says_what_it_rests_on() -> None:
    model, _ = line(ACTIONS)
    answer = Answer("safe", Verdict.HOLDS, None, "It holds.", Support(7, (Span.at("a.c", 3), Span.at("a.c", 3))))
    shown = Card("safe", "G(x)", "", answer, model, model)
    evidence = verdict_facts(shown)["evidence"]
    assert evidence is not None
    assert (evidence["steps"], evidence["states"], evidence["lines"]) == ([], 7, [{"file": "a.c", "line": 3}])
    assert "  It rests on 7 states, at a.c:3." in list(card_lines(shown, 80))


def test_junit_is_xml_with_a_case_for_each_claim() -> None:
    unknown = Answer("open", Verdict.INCONCLUSIVE, Reason.PARTIAL)
    violated, holds = card(title="a <b> \x01 & c"), card(verdict=Verdict.HOLDS)
    suite = ET.fromstring(junit([violated, holds, Card("open", "G(x)", "", unknown, holds.model, holds.model)]))[0]
    assert {k: suite.get(k) for k in ("tests", "failures", "errors")} == {"tests": "3", "failures": "1", "errors": "1"}
    assert [[child.tag for child in case] for case in suite] == [["failure"], [], ["error"]]
    assert suite[0].get("name") == "a <b> \ufffd & c"


def test_itf_has_a_state_for_each_step() -> None:
    shown = card()
    assert shown.path is not None
    trace = itf(shown, shown.path)
    assert len(trace["states"]) == len(ACTIONS) + 1
    assert [s["action"] for s in trace["states"]] == ["", *ACTIONS]
    assert all(set(s) == {"#meta", *trace["vars"]} for s in trace["states"])
    assert "loop" not in trace
    lasso = card(("call(step, 1)", "return(step)", "call(step, 2)"), loop=1)
    assert lasso.path is not None
    trace = itf(lasso, lasso.path)
    assert (len(trace["states"]), trace["loop"]) == (3, 1)


def test_lanes_and_directions() -> None:
    _, path = line(ACTIONS)
    diagram = sequence(path, "step")
    assert diagram.lanes == ("environment", "step", "sensor")
    assert [(m.source, m.target, m.kind) for m in diagram.messages] == [
        (0, 1, RowKind.CALL),
        (1, 2, RowKind.CALL),
        (2, 1, RowKind.RETURN),
        (0, 1, RowKind.CALL),
        (1, 0, RowKind.RETURN),
        (1, 1, RowKind.ALARM),
    ]


def test_clients_and_parts_of_an_object_have_lanes_and_call_it() -> None:
    called = ["call(ui.Hoist.drive)", "call(motor.start)", "call(Hoist.arrived)", "load(motor.angle, 3)"]
    called += ["return(Hoist.arrived)", "return(motor.start)", "motor.halt", "return(ui.Hoist.drive, true)"]
    called += ["call(Hoist.arrived)", "throw(Hoist.arrived, Lost)"]
    diagram = sequence(Path(0, tuple(Step(i, i + 1, label) for i, label in enumerate(called))), "Hoist")
    assert diagram.lanes == ("environment", "ui", "Hoist", "motor")
    assert [(m.source, m.target) for m in diagram.messages] == [
        (1, 2),
        (2, 3),
        (3, 2),
        (2, 3),
        (2, 3),
        (3, 2),
        (3, 3),
        (2, 1),
        (0, 2),
        (2, 0),
    ]


def test_texts_that_stand_over_other_lanes_have_a_rim() -> None:
    called = ["call(ui.Hoist.drive)", "call(motor.start)", "return(motor.start)", "call(Hoist.arrived)"]
    drawn = svg(sequence(Path(0, tuple(Step(i, i + 1, label) for i, label in enumerate(called))), "Hoist"), "run")
    with_rim = [line for line in drawn.split("<text")[1:] if 'paint-order="stroke"' in line]
    assert len(with_rim) == 1  # from the environment to the hoist, over the lane of the client
    assert "call(Hoist.arrived)" in with_rim[0]


def test_every_action_that_a_claim_takes_for_an_error_is_an_alarm() -> None:
    steps = tuple(Step(i, i + 1, label) for i, label in enumerate(["reach_error", "call(reach_error)", "error(null)"]))
    assert {message.kind for message in sequence(Path(0, steps), "step").messages} == {RowKind.ALARM}


def test_without_a_subject_calls_within_calls_go_outside() -> None:
    _, path = line(("call(a)", "call(b)", "return(b)", "return(a)", "call(c)"))
    assert sequence(path, "").lanes == ("environment", "model", "b")


def test_a_lasso_is_a_loop_in_the_diagram() -> None:
    _, path = line(("call(step, 1)", "return(step)", "call(step, 2)"), loop=1)
    text = mermaid(sequence(path, "step"), "safe; really")
    assert text.splitlines()[0] == "sequenceDiagram"
    assert "accTitle: safe#59; really" in text
    assert text.index("loop for ever") < text.index("return(step)")
    assert text.endswith("  end\n")
    assert "for ever" in svg(sequence(path, "step"), "safe")
    assert ending(path) == "steps 2 to 3 can be repeated for ever"


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6), st.text(max_size=20))
def test_any_label_can_be_drawn_and_written(actions: list[str], title: str) -> None:
    model, path = line(tuple(actions))
    diagram = sequence(path, title)
    ET.fromstring(svg(diagram, title))
    drawn = mermaid(diagram, title)
    assert len(drawn.splitlines()) >= 2 + len(diagram.lanes)
    answer = Answer(title, Verdict.VIOLATED, None, title, told(path, model), ("model",))
    shown = Card(title, title, title, answer, model, model)
    ET.fromstring(junit([shown]))
    check_sarif(sarif([shown]))
    json.dumps(verdict_facts(shown))
    assert "<script>alert" not in claims_page([shown], {}, title)
    assert all(len(row) <= 80 for row in card_lines(shown, 80))


def test_silent_steps_are_folded() -> None:
    _, path = line(("tau", "tau", "a", "tau", "b", "tau"))
    assert [(number, silent) for number, _, silent in folded(path)] == [(3, 2), (5, 1), (6, 0)]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda p: Path(1, p.steps), "starts in state 1"),
        (lambda p: Path(0, p.steps[1:]), "does not start where"),
        (lambda p: Path(0, (Step(0, 2, p.steps[0].action), *p.steps[1:])), "has no transition"),
        (lambda p: Path(0, (Step(0, 1, "other"), *p.steps[1:])), "has no transition"),
        (lambda p: Path(0, p.steps, 0), "does not end where it begins"),
        (lambda p: Path(0, p.steps, len(p.steps)), "has no steps"),
        (lambda p: Path(0, p.steps[:2], None, True), "can be left"),
    ],
)
def test_what_is_no_run_is_noticed(change: Any, problem: str) -> None:
    model, path = line(ACTIONS)
    assert not problem_of(path, model)
    assert problem in problem_of(change(path), model)


def test_what_nobody_would_read_is_cut_and_counted() -> None:
    long = replace(card(), meaning="It never fails, " * 5000)
    lines = list(card_lines(long, 80))
    assert len(lines) < 60
    assert "80,000 characters; --format json has all of" in " ".join(line.strip() for line in lines)
    assert verdict_facts(long)["meaning"] == long.meaning
    assert len(claims_page([long], {}, "Claims")) < len(claims_page([card()], {}, "Claims")) + 3000
