"""What commands print for scripts has the published shape: one line for each way to ask each command."""

from __future__ import annotations

import json
import shutil
from enum import Enum
from pathlib import Path
from typing import get_type_hints

import pytest

from scripts.rooms import ROOT
from stateglass.cli import frame
from stateglass.cli.table import COMMANDS
from stateglass.evidence import Result
from stateglass.evidence import Verdict as ClaimVerdict
from stateglass.model import Relation
from stateglass.operations.comparing import Side
from stateglass.reports import SHAPES, reflexion, relating, shared
from stateglass.reports import claims as claim_reports
from stateglass.source import Severity
from tests.cli.running import stateglass
from tests.shapes import check_shape

LINES = {
    "abstraction": ["recogniser/recogniser.c"],
    "assembly": ["store/store.ccl"],
    "assembly against code": ["store/shelf.ccl", "--against", "store/shelf_wrong.c"],
    "assembly of a project": ["--project", "store/stateglass.toml"],
    "assembly of several designs": ["--project", "several.toml"],
    "check": ["door_lock/lock.c", "--claim", "no-error", "--claim", "ctl: AG EF [failures == 0]", "-o", "more.json"],
    "check without bounds": ["retry/retry.c", "--engine", "spacer"],
    "check with predicates": ["retry/retry.c", "--engine", "predicate", "--predicate", "main::under_way <= 8"],
    "check with a graph": ["log.sg", "--claim", "ctl: AF(AG [used == 0])"],
    "check of threads": ["--project", "threads/philosophers/stateglass.toml", "--system", "table"],
    "check of threads without bounds": ["--project", "threads/link/stateglass.toml"],
    "check on a model": ["log.sg", "--claim", "no-error"],
    "compare": ["log.sg", "log.sg", "--by", "strong"],
    "compare different ones": ["log.sg", "smaller.sg", "--by", "failures"],
    "compose": ["log.sg", "log.sg"],
    "config": ["show", "event_log/log.c"],
    "convert": ["log.sg", "log.fsm"],
    "demo": ["--output", "tour"],
    "diff": [
        "counter/counter.c",
        "further.c",
        "--function",
        "up",
        "--function",
        "down",
        "--expect",
        "e",
        "-o",
        "d.html",
    ],
    "diff of code": [
        "counter/counter.c",
        "further.c",
        "--function",
        "up",
        "--function",
        "down",
        "--scenario",
        "call(up) -> call(down)",
    ],
    "diff of models": ["log.sg", "smaller.sg", "--claim", "no-error"],
    "doctor": ["event_log/log.c"],
    "doctor of code that lacks a header": ["link_keeper/keeper.c", "link_keeper/link.c"],
    "draw": ["log.sg", "-o", "log.svg"],
    "extract": ["thermostat/thermostat.c"],
    "info": ["log.sg"],
    "info of a path": ["log.sg", "--path", "error(*)"],
    "info of no path": ["log.aut", "--path", "re:nowhere|call.log_clear."],
    "init": ["timer/timer.c", "--function", "process_20ms", "-o", "new.toml"],
    "monitor": ["log.sg", "run.log"],
    "reduce": ["log.sg", "--by", "weak", "--classes", "classes.json"],
    "reflect": ["timer/timer.machine", "--suggest"],
    "reflect several machines": ["--project", "several.toml"],
    "reflect with an absence": ["saturating_counter/monitor.machine"],
    "replay": ["claims.json"],
    "scan": ["timer/timer.c"],
    "scenario": ["log.sg", "--scenario", "init ~> call(log_clear)", "--scenario", "call(log_clear) -> ?", "--explain"],
    "scenario of code": ["door_lock/lock.c", "door_lock/lock.scenarios", "--project", "door_lock/stateglass.toml"],
    "scenario with elaborations": ["log.sg", "log.scenarios", "--elaborate", "--stories"],
    "scenario with its words": ["log.sg", "log.scenarios", "--vocabulary"],
    "specify": ["gate/gate.cpp", "--class", "GateController", "-o", "gate.mcrl2"],
    "transform": ["log.sg", "--hide", "return(*)"],
}

SEVERAL = """
schema = 1
[design.right]
file = "store/shelf.ccl"
code = ["store/shelf.c"]
[design.wrong]
file = "store/shelf.ccl"
code = ["store/shelf_wrong.c"]
[design.gone]
file = "gone.ccl"
code = ["store/shelf.c"]
[hypothesis.timer]
file = "timer/timer.machine"
[hypothesis.gone]
file = "gone.machine"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
    further = (folder / "counter" / "counter.c").read_text().replace("HIGH 2", "HIGH 3")
    (folder / "further.c").write_text(further)
    (folder / "e").write_text("claim no-error may become violated\n")
    words = "event clear = call(log_clear)\nevent cleared = return(log_clear)\nscenario back: clear -> cleared\n"
    (folder / "log.scenarios").write_text(words)
    (folder / "several.toml").write_text(SEVERAL)
    (folder / "run.log").write_text("call(log_clear)\nnonsense\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        stateglass("extract", "event_log/log.c", "-o", "log.sg")
        stateglass("reduce", "log.sg", "--by", "weak", "-o", "smaller.sg")
        stateglass("convert", "log.sg", "log.aut")
        stateglass("check", "event_log/log.c", "--claim", "no-error", "-o", "claims.json")
    return folder


@pytest.mark.parametrize("line", LINES)
def test_what_is_printed_has_the_published_shape(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    command = line.split()[0]
    ran = stateglass(command, *LINES[line], "--format", "json")
    document = json.loads(ran.out)
    if command == "replay" and "there is no C compiler" in ran.err:
        pytest.skip("there is no compiler: what `replay` prints is not looked at")
    assert "errors" not in document or command == "doctor", ran.err
    check_shape(command, document)


def test_every_command_has_a_shape_and_a_line_above() -> None:
    names = {entry.name for entry in COMMANDS}
    assert set(SHAPES) == names
    assert {line.split()[0] for line in LINES} == names


@pytest.mark.parametrize("command", sorted(SHAPES))
def test_a_failure_has_the_published_shape(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    ran = stateglass(command, "--no-such-option", "--format", "json")
    check_shape(command, json.loads(ran.out))
    assert json.loads(ran.out)["errors"]


def test_the_tests_notice_what_is_not_published() -> None:
    report = {"output": "a", "system": "b", "functions": []}
    frame.document("init", report)
    for wrong in ({**report, "more": 1}, {"output": "a", "system": "b"}, {**report, "functions": [1]}):
        with pytest.raises(AssertionError):
            frame.document("init", wrong)


@pytest.mark.parametrize(
    ("published", "known"),
    [
        (shared.Relation, Relation),
        (get_type_hints(shared.ErrorReport, include_extras=True)["severity"], Severity),
        (reflexion.Result, Result),
        (claim_reports.Verdict, ClaimVerdict),
    ],
)
def test_published_choices_are_all_there_are(published: object, known: type[Enum]) -> None:
    (choices,) = (remark for remark in published.__metadata__ if isinstance(remark, shared.OneOf))  # type: ignore[attr-defined]
    assert set(choices.choices) == {member.value for member in known}


def test_published_sides_are_all_there_are() -> None:
    (choices,) = relating.Side.__metadata__  # type: ignore[attr-defined]
    assert set(choices.choices) == {side.name.lower() for side in Side}
