"""Golden cases of designs: what is read from a text, and all that is said about one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.assemblies.ccl import print_design, read_design
from stateglass.assemblies.validation import warnings_of
from stateglass.source import InputError, render_diagnostics
from tests.cases import Case, load_cases

CASES = load_cases("design")
WIDTH = 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_design(case: Case, here: Path, update_cases: bool) -> None:
    text = case.block("ccl")
    file = f"{case.name}.ccl"
    (here / file).write_text(text, encoding="utf-8")
    try:
        design = read_design(text, file)
    except InputError as error:
        case.check("errors", render_diagnostics(error.diagnostics, WIDTH), update_cases)
        return
    case.check("design", print_design(design), update_cases)
    case.check("warnings", render_diagnostics(warnings_of(design), WIDTH) or "none", update_cases)
