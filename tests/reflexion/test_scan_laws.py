"""Laws of a scan on generated programs: it ends, says the same twice, and its ranges are conditions that gcc takes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from stateglass.frontend import read_program
from stateglass.program import Pointer, Program
from stateglass.reflexion.candidates import Candidate, scan
from tests.generator.program import generate, generate_wide


def read(seed: int, wide: bool, folder: Path) -> tuple[list[Path], Program]:
    files = (generate_wide if wide else generate)(seed, 25).files
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    paths = [folder / name for name in files if name.endswith(".c")]
    return paths, read_program(tuple(str(p) for p in paths)).program


@pytest.mark.parametrize("wide", [False, True], ids=["C11", "all of C"])
@pytest.mark.parametrize("seed", range(7000, 7004))
def test_laws(seed: int, wide: bool, tmp_path: Path) -> None:
    _, program = read(seed, wide, tmp_path)
    functions = tuple(program.own_functions)
    found = scan(program, functions)
    assert found == scan(program, functions)
    assert [c.effect_size for c in found.candidates] == sorted((c.effect_size for c in found.candidates), reverse=True)
    for function in functions:
        alone = scan(program, [function]).candidates
        together = tuple(c for c in found.candidates if c.function == function)
        assert {c.name for c in alone} <= {c.name for c in together}, "more callers can only add ways to alias"
    for candidate in found.candidates:
        assert candidate.uses
        assert 0 < candidate.effect_size
        conditions = [r.condition for r in candidate.invariants]
        assert len(conditions) == len(set(conditions)) != 1


def in_scope(candidate: Candidate) -> bool:
    """Whether its name is one at the end of the file: no static local, no member behind a parameter, no array."""
    plain = candidate.name.replace(".", "").isidentifier() and not isinstance(candidate.type, Pointer)
    return plain and all("::" not in r.condition and "->" not in r.condition for r in candidate.invariants)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="it needs gcc")
@pytest.mark.parametrize("seed", range(7100, 7103))
def test_of_every_value_exactly_one_condition_holds(seed: int, tmp_path: Path) -> None:
    paths, program = read(seed, False, tmp_path)
    checks: list[str] = []
    for candidate in scan(program, tuple(program.own_functions)).candidates:
        own = program.functions[candidate.function].span.file
        if in_scope(candidate) and candidate.invariants and own == str(paths[0]):
            count = " + ".join(f"!!({r.condition})" for r in candidate.invariants)
            values = "for (long long v = -70000; v < 70000; v += 7)"
            checks.append(f"{values} {{ {candidate.name} = v; if (({count}) != 1) return {len(checks) + 1}; }}")
    if not checks:
        pytest.skip("no candidate of this program has a name at the end of the file")
    body = "\n".join(checks)
    harness = tmp_path / "harness.c"
    text = f'#define main first_\n#include "{paths[0].name}"\n#undef main\nvoid observe(long long v) {{ (void)v; }}\n'
    harness.write_text(f"{text}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    command = ["gcc", "-w", "-o", str(tmp_path / "harness"), str(harness), *map(str, paths[1:])]
    subprocess.run(command, check=True, timeout=60, cwd=tmp_path)
    ran = subprocess.run([tmp_path / "harness"], timeout=60, check=False)
    assert ran.returncode == 0, checks[ran.returncode - 1]
