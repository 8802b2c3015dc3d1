"""The functions of the benchmark have the sizes that they are to have."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.state_functions import ROWS, Row, product_states, state_function
from scripts.rooms import ROOT
from stateglass.frontend import read_program
from stateglass.program import Function, Program, successors
from stateglass.reflexion.candidates import scan
from tests.reflexion.brute_force import explored

STUDY = ROOT / "examples" / "door_alarm" / "door.c"
POOL = sorted({*range(-3, 92), -30000, -200, *range(100, 800, 23), 850, 30000})
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="it needs gcc")


def mccabe(function: Function) -> int:
    edges = sum(len(successors(block.terminator)) for block in function.blocks)
    return edges - len(function.blocks) + 2


def read(row: Row, folder: Path, seed: int = 0) -> tuple[Path, Program]:
    path = folder / f"{row.name}.c"
    path.write_text(state_function(row, seed), encoding="utf-8")
    return path, read_program((str(path),)).program


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_sizes(row: Row, seed: int, tmp_path: Path) -> None:
    path, program = read(row, tmp_path, seed)
    text = path.read_text(encoding="utf-8")
    function = program.functions[row.name.lower()]
    named = [v for v in (*function.parameters, *function.locals) if not v.name.startswith("%")]
    assert len(named) + len(program.variables) == row.variables
    assert text[text.index("void ") :].count("\n") == row.lines
    assert mccabe(function) == row.mccabe
    candidates = [c.name for c in scan(program, [function.name]).candidates]
    assert len(candidates) == len(row.parts)
    assert len(product_states(program, function.name, candidates)) == row.states


def test_a_seed_gives_one_text_and_another_another() -> None:
    assert state_function(ROWS[1]) == state_function(ROWS[1])
    assert state_function(ROWS[1]) != state_function(ROWS[1], 1)


@needs_gcc
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_gcc_has_no_complaints_and_there_are_about_as_many_transitions(row: Row, tmp_path: Path) -> None:
    path, program = read(row, tmp_path)
    command = ["gcc", "-Wall", "-Werror", "-c", "-o", str(tmp_path / "x.o"), str(path)]
    subprocess.run(command, check=True, timeout=60)
    function = row.name.lower()
    names = [c.name for c in scan(program, [function]).candidates]
    special = {n: "random_() % 8" for n in names if n.startswith("mode")}
    special |= {n: "random_() & 1" for n in names if n.startswith(("flag", "delayed"))}
    states = product_states(program, function, names)
    runs = 1200 * row.states
    found = explored(path, program, function, states, POOL, tmp_path, runs, special)
    assert 0.75 <= len(found.transitions) / row.transitions <= 1.25


@needs_gcc
def test_the_function_of_the_user_study(tmp_path: Path) -> None:
    program = read_program((str(STUDY),)).program
    assert 70 <= STUDY.read_text(encoding="utf-8").count("\n") <= 90
    names = [c.name for c in scan(program, ["door_10ms"]).candidates]
    assert sorted(names) == ["alarm", "battery", "delay", "key_before", "locked", "tries"]
    states = product_states(program, "door_10ms", ["locked", "alarm"])
    assert len(states) == 4
    special = dict.fromkeys(("locked", "alarm", "key_before", "key", "open"), "random_() & 1")
    special |= {"battery": "random_() & 1 ? any_() : 12000", "voltage": "random_() & 1 ? any_() : 12000"}
    special |= {"tries": "random_() & 3", "code": "random_() & 1 ? 4711 : 3", "delay": "(random_() & 3) - 1"}
    found = explored(STUDY, program, "door_10ms", states, POOL, tmp_path, special=special)
    assert len(found.transitions) == 11, sorted(found.transitions)
