"""Proposed abstraction maps: golden cases, and laws on generated programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.frontend import read_program
from stateglass.program import Program
from stateglass.system import guess_system
from stateglass.system.maps import resolve_abstractions
from stateglass.system.maps.reading_abstractions import parse_abstraction_map
from stateglass.system.proposing import Proposal, propose_abstractions
from tests.cases import TARGET, Case, load_cases
from tests.generator.program import generate, generate_wide

CASES = load_cases("abstraction")


def read_case(case: Case, folder: Path) -> Program:
    """The program of a case: the block `c`, blocks that are called like a file, or files of an example."""
    example = case.get("example")
    files = [str(ROOT / "examples" / name) for name in example.split()] if example is not None else []
    files += [str(folder / name) for name in case.write_files(folder)]
    return read_program(tuple(files), target=TARGET).program


def proposed(program: Program, *functions: str) -> Proposal:
    found = guess_system(program, functions, None, None, {})
    return propose_abstractions(program, (*found.functions, *([found.init] if found.init is not None else [])))


def check_laws(proposal: Proposal, program: Program) -> None:
    """A proposal is a map that reads back, and that names only what there is, and that once."""
    map, warnings = parse_abstraction_map(str(proposal), "x.am")
    assert not warnings
    assert map == proposal.map
    resolve_abstractions(map, program)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cases(case: Case, tmp_path: Path, update_cases: bool) -> None:
    program = read_case(case, tmp_path)
    proposal = proposed(program, *(case.get("options") or "").split())
    check_laws(proposal, program)
    case.check("abstraction", str(proposal), update_cases)


@pytest.mark.parametrize("wide", [False, True], ids=["core", "wide"])
def test_generated_programs(wide: bool, tmp_path: Path) -> None:
    lines = 0
    for seed in range(5000, 5008):
        files = (generate_wide if wide else generate)(seed, 15).files
        folder = tmp_path / str(seed)
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        program = read_program(tuple(str(folder / n) for n in files if n.endswith(".c")), target=TARGET).program
        proposal = proposed(program)
        check_laws(proposal, program)
        assert str(propose_abstractions(program, proposal.functions)) == str(proposal)
        lines += len(proposal.rows)
    assert lines > 100, "the programs have no variables: the laws were not tried"
