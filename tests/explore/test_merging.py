"""One run for all inputs says of each valuation what the reference semantics do with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from stateglass.frontend import read_program
from stateglass.program import Program
from tests.explore.merged import compare, run_merged

VALUATIONS = 40
COMMON, *PARTS = Path(__file__).with_name("functions.c").read_text(encoding="utf-8").split("\n//// ")
FUNCTIONS = {name: code for name, _, code in (part.partition("\n") for part in PARTS)}

UNSEEN = {
    "without_bound": "bound",
    "heap": "unsupported",
    "pointer_from_outside": "unsupported",
    "fixed_addresses": "unsupported",
}
"""Functions in which some runs are not followed, and why."""


@cache
def _program(name: str) -> Program:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "code.c"
        file.write_text(COMMON + FUNCTIONS[name] + "\n", encoding="utf-8")
        return read_program((str(file),)).program


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_run_for_all_inputs_is_the_reference_for_each(name: str) -> None:
    merged = run_merged(_program(name), "f")
    seen = compare(merged, VALUATIONS, seed=1)
    reasons = {e.what for e in merged.outcome.events if e.kind.value in ("bound", "unsupported")}
    assert {k for k in seen if k not in ("returned", "fault", "exit", "dropped")} == (
        {UNSEEN[name]} if name in UNSEEN else set()
    ), (seen, reasons)
    assert name in UNSEEN or seen["returned"]
