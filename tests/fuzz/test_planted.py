"""Undefined behaviour is found where gcc's sanitizers find it: same program, same line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Failing
from stateglass.frontend import read_program
from stateglass.values import Concrete
from tests.fuzz.planted import CONTEXTS, FAULTS, Planted, plant, sanitizer_lines
from tests.generator.gcc import gcc_available

WHOLE = len(FAULTS) * len(CONTEXTS)
BATCH = len(FAULTS)


def found(planted: Planted, folder: Path) -> Failing:
    path = folder / "ours.c"
    path.write_text(planted.text)
    machine = Machine(read_program((str(path),)).program, Concrete())
    pause = machine.start("main", [])
    assert isinstance(pause, Failing), f"{planted.kind} was not found: {pause}\n{planted.text}"
    return pause


@pytest.mark.parametrize("first", range(0, WHOLE, BATCH))
def test_every_planted_error_is_found_with_its_kind_and_on_the_line_that_the_sanitizers_name(
    first: int, tmp_path: Path
) -> None:
    programs = {seed: plant(seed) for seed in range(first, first + BATCH)}
    ours = {seed: found(planted, tmp_path) for seed, planted in programs.items()}
    kinds = {seed: ours[seed].kind for seed in programs if ours[seed].kind != programs[seed].kind}
    assert kinds == {}, [programs[seed].text for seed in kinds]
    if not gcc_available():
        pytest.skip("gcc is not installed: the kinds are right, there is no sanitizer to compare the lines with")
    compared = 0
    for seed, theirs in sanitizer_lines(programs, tmp_path).items():
        if theirs is not None:  # they do not look everywhere: gcc lets `a--` pass
            line, text = ours[seed].span.line, programs[seed].text
            # Of an expression on two lines, gcc sometimes names the first where the second is meant.
            split = text.splitlines()[theirs - 1].endswith("+")
            assert line == theirs or (split and line == theirs + 1), f"seed {seed}\n{text}"
            compared += 1
    assert compared > BATCH // 2
