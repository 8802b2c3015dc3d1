"""`stateglass assembly`: answers, what scripts rely on, and mistakes."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Final

import pytest

from scripts.rooms import ROOT
from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

STORE: Final = ROOT / "examples" / "store" / "store.ccl"


@pytest.fixture
def store(here: Path) -> str:
    shutil.copy(STORE, here / "store.ccl")
    return "store.ccl"


def test_what_scripts_rely_on(store: str) -> None:
    ran = stateglass("assembly", store, "--format", "json")
    assert ran.status is Exit.FINDINGS
    verdicts = {one["claim"]: one["verdict"] for one in json.loads(ran.out)["verdicts"]}
    expected = ("holds", "holds", "violated", "holds", "violated", "violated")
    assert verdicts == {
        **{f"store.S.Claim{number}": verdict for number, verdict in enumerate(expected, 1)},
        "store.no-deadlock": "holds",
    }


def test_a_design_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(STORE.read_bytes())))
    ran = stateglass("assembly", "-", "--claim", "G([data <= 5])")
    assert ran.status is Exit.OK
    assert "G([data <= 5]): holds" in ran.out


def test_results_go_back_to_files_only() -> None:
    ran = stateglass("assembly", "-", "--write-back", "out.ccl")
    assert ran.status is Exit.BAD_INPUT
    assert "standard input" in ran.err


def test_all_that_is_wrong_is_said_at_once(here: Path) -> None:
    text = STORE.read_text(encoding="utf-8")
    wrong = text.replace("^incr()", "^inkr()").replace("[data <= max]", "[data <= most]")
    (here / "wrong.ccl").write_text(wrong, encoding="utf-8")
    ran = stateglass("assembly", "wrong.ccl")
    assert ran.status is Exit.BAD_INPUT
    assert "`inkr`" in ran.err
    assert "`incr`" in ran.err
    assert "most" in ran.err
    assert "Traceback" not in ran.err
