"""Golden cases of `reflect`: files, options, and all that the command says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cases import Case, load_cases
from tests.cli.running import stateglass
from tests.markdown import blocks

CASES = load_cases("reflect")
# Sizes and signs are part of what is expected, so the machine the tests run on must not matter.
TARGET = "x86_64-linux-gnu"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reflect(case: Case, here: Path, update_cases: bool) -> None:
    for block in blocks(case.text):
        if "." in block.tag:
            (here / block.tag).write_text(block.body, encoding="utf-8")
    options = shlex.split(case.get("options") or "m.machine")
    ran = stateglass("reflect", *options, "--target", TARGET, environ={"COLUMNS": "80"})
    assert all(len(line) <= 80 for line in ran.out.splitlines()), "a line is too long"
    report = ran.err if ran.status is Exit.OK else f"{ran.err}# exit {int(ran.status)}\n"
    case.check("reflect", ran.out, update_cases)
    case.check("report", report, update_cases)
