"""Golden cases of whole runs: what `main` does, by our semantics, by gcc, and as the case says.

A case with a `target` block is for a machine that gcc here does not compile for; its paragraph gives the reasons for
what is expected. All others are expected to do what gcc's run does, and `pytest --update-cases` takes it from there.
A `gcc` block is what the run of a gcc does that does not do what the language demands; the paragraph says why.
A `refused` block gives the words in which we refuse what we cannot run yet, after a beginning that agrees.
"""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Final

import pytest

from stateglass.frontend import read_program
from tests.cases import TARGET, Case, load_cases
from tests.fuzz.agreement import run_machine
from tests.generator.gcc import gcc_available, run_with_gcc

RUN_CASES = load_cases("run")
HOST_CASES = [case for case in RUN_CASES if case.get("target") is None]
GCC_IS_THERE: Final = gcc_available() and platform.machine() == "x86_64"


@pytest.mark.parametrize("case", RUN_CASES, ids=lambda case: case.name)
def test_our_run(case: Case, tmp_path: Path) -> None:
    files = case.write_files(tmp_path)
    target = (case.get("target") or TARGET).strip()
    program = read_program(tuple(str(tmp_path / name) for name in files), target=target).program
    trace = run_machine(program)
    reason = case.get("refused")
    if reason is None:
        case.check("trace", "\n".join(trace), update=False)
        return
    *done, last = trace
    assert done == case.block("trace").splitlines()[: len(done)]
    assert last.startswith(f"not supported: {reason.strip()}"), f"it is not refused so: take the block out\n{last}"


@pytest.mark.skipif(not GCC_IS_THERE, reason=f"no gcc for x86-64: {len(HOST_CASES)} runs are not confirmed")
@pytest.mark.parametrize("case", HOST_CASES, ids=lambda case: case.name)
def test_the_run_that_gcc_confirms(case: Case, tmp_path: Path, update_cases: bool) -> None:
    standard = "-std=gnu++20" if any(name.endswith(".cpp") for name in case.files) else "-std=gnu17"
    trace = run_with_gcc(case.files, tmp_path, ("-O0", standard))
    if case.get("gcc") is None:
        case.check("trace", "\n".join(trace), update_cases)
    elif trace != case.block("trace").splitlines():
        case.check("gcc", "\n".join(trace), update_cases)
