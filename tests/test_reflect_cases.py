"""Golden cases of `reflect`: files, options, and all that the command says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cases import TARGET, Case, load_cases
from tests.cli.running import stateglass

CASES = load_cases("reflect")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reflect(case: Case, here: Path, update_cases: bool) -> None:
    case.write_files(here)
    options = shlex.split(case.get("options") or "m.machine")
    ran = stateglass("reflect", *options, "--target", TARGET, environ={"COLUMNS": "80"})
    assert all(len(line) <= 80 for line in ran.out.splitlines()), "a line is too long"
    case.check("reflect", ran.out, update_cases)
    case.check("report", ran.report, update_cases)
