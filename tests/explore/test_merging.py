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


OPERANDS = [
    "x = 1 / k;",
    "if (1 / k) x = 1;",
    "switch (1 / k) { case 1: x = 1; }",
    "return 1 / k;",
    "exit(1 / k);",
    "x = g(1 / k, 2);",
    "x = (k > 2 ? g : 0)(1 / k, 2);",
    "x = t[1 / k](3 / (k - 1), 2);",
    "s = u[1 / k];",
    "u[1 / k] = s;",
    "memcpy(&s, &u[1 / k], 4);",
    "memcpy(&u[1 / k], &s, 4);",
    "memcpy(&s, u, 1 / k & 7);",
    "free(malloc(1 / k));",
    "free(k ? 0 : &t[1 / k]);",
    "char a[1 / k + 2]; x = sizeof a;",
    "outside(1 / k);",
    "x = ((struct s *)((char *)u + (k & 1)))->a[1 / (k - 3)];",  # what is wrong with the pointer shows first
]


@pytest.mark.parametrize("statement", OPERANDS)
def test_every_operand_is_evaluated_and_in_the_same_order(statement: str, tmp_path: Path) -> None:
    file = tmp_path / "code.c"
    file.write_text(
        "#include <stdlib.h>\n#include <string.h>\nstruct s { int a[2]; } s, u[2]; void outside(int v);"
        "int g(int v, int w) { return v + w; } int h(int v, int w) { return v - w; } int (*t[])(int, int) = {g, h};"
        f"int f(int k) {{ int x = 0; {statement} return x; }}"
    )
    merged = run_merged(read_program((str(file),)).program, "f")
    assert compare(merged, VALUATIONS, seed=1)["fault"]
    assert "division" in {e.what for e in merged.outcome.events}
