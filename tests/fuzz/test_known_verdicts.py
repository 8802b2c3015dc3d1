"""Random programs with known verdicts are what they claim to be, and no engine is wrong about some of them."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.handed_programs import SHAPES
from tests.fuzz.known_programs import Known, known
from tests.fuzz.known_verdicts import compare_seed
from tests.generator.gcc import gcc_available

SEEDS = range(5001, 5005)
ASSERTED = (700004, 700005)
COMPILED = range(1, 13)


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed")
@pytest.mark.parametrize("seed", [seed for seed in COMPILED if not known(seed).holds])
def test_the_inputs_break_a_wrong_program(seed: int, tmp_path: Path) -> None:
    program = known(seed)
    assert "Assertion" in run(program, program.inputs, tmp_path)
    # The last two: the step that is wrong, and the one in which that is noticed.
    assert run(program, program.inputs[:-2], tmp_path) == ""


def test_no_engine_is_wrong(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in SEEDS:
        seen, wrong = compare_seed(seed, ("bmc", "integers"), 5.0, tmp_path)
        assert wrong == []
        total += seen
    assert total["bmc violated"] + total["integers holds"] > 0


def test_no_engine_is_wrong_about_what_programs_of_all_of_c_assert(tmp_path: Path) -> None:
    total: Counter[str] = Counter()
    for seed in ASSERTED:
        seen, wrong = compare_seed(seed, ("bmc", "integers", "predicate"), 5.0, tmp_path, "asserted")
        assert wrong == []
        total += seen
    assert total["bmc violated"] > 0
    assert total["bmc holds"] > 0


def test_no_engine_is_wrong_about_what_is_handed_in_and_out(tmp_path: Path) -> None:
    for seed in range(1, 2 * len(SHAPES) + 1):
        seen, wrong = compare_seed(seed, ("bmc", "integers"), 5.0, tmp_path, "handed")
        assert wrong == []
        assert any(name.endswith("violated" if seed % 2 else "holds") for name in seen), f"seed {seed}: {seen}"


def run(program: Known, inputs: tuple[int, ...], folder: Path) -> str:
    """What the compiled program says on standard error."""
    calls = "void step(unsigned); int main(void) { for (;;) step(input()); }" if program.function == "step" else ""
    values = ", ".join(f"{value}u" for value in (*inputs, 0))
    stub = f"""#include <stdlib.h>
static const unsigned values[] = {{{values}}};
unsigned input(void)
{{
    static unsigned next;
    if (next == {len(inputs)})
        exit(0);
    return values[next++];
}}
{calls}
"""
    (folder / "program.c").write_text(program.text, encoding="utf-8")
    (folder / "stub.c").write_text(stub, encoding="utf-8")
    words = ["gcc", "-w", "-fsanitize=undefined", "program.c", "stub.c", "-o", "program"]
    subprocess.run(words, check=True, timeout=60, cwd=folder)
    done = subprocess.run([str(folder / "program")], capture_output=True, text=True, timeout=20, check=False)
    return done.stderr
