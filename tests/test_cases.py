"""The golden cases of each stage: C to a program, and C with options to a model."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from stateglass.explore import Exploration, explore
from stateglass.frontend import read_program
from stateglass.model import TAU, Model
from stateglass.pipeline import assemble, read, settings
from stateglass.program.printer import print_program
from tests.cases import Case, load_cases
from tests.cli.running import stateglass
from tests.markdown import blocks

PROGRAM_CASES = load_cases("program")
MODEL_CASES = load_cases("model")
WIDTH = 160
# Sizes and signs are part of what is expected, so the machine the tests run on must not matter.
TARGET = "x86_64-linux-gnu"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, so that files go by short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_sources(case: Case, folder: Path) -> list[str]:
    """The C files of a case: the block `c` as `NAME.c`, and blocks that are called like a file."""
    names = []
    for block in blocks(case.text):
        name = f"{case.name}.c" if block.tag == "c" else block.tag
        if os.path.splitext(name)[1] in (".c", ".h"):
            (folder / name).write_text(block.body, encoding="utf-8")
            names += [name] if name.endswith(".c") else []
    return names


@pytest.mark.parametrize("case", PROGRAM_CASES, ids=lambda case: case.name)
def test_program(case: Case, here: Path, update_cases: bool) -> None:
    files = write_sources(case, here)
    options = (case.get("options") or "").split()
    program = read_program(tuple(files), target=TARGET).program
    case.check("program", print_program(program, spans="spans" in options), update_cases)


def extract(case: Case, folder: Path, *more: str) -> tuple[list[str], Exit, str, str]:
    argv = ["extract", *write_sources(case, folder), "--target", TARGET, *shlex.split(case.get("options") or ""), *more]
    ran = stateglass(*argv, environ={"COLUMNS": str(WIDTH)})
    return argv, ran.status, ran.out, ran.err


@pytest.mark.parametrize("case", MODEL_CASES, ids=lambda case: case.name)
def test_model(case: Case, here: Path, update_cases: bool) -> None:
    _, status, out, err = extract(case, here)
    assert "…" not in out, "the table is cut: make the case smaller"
    report = err if status is Exit.OK else f"{err}# exit {int(status)}\n"
    case.check("model", out, update_cases)
    case.check("report", report, update_cases)
