"""Undefined behaviour is found where gcc's sanitizers find it: same program, same line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Failing
from stateglass.frontend import read_program
from stateglass.values import Concrete
from tests.fuzz.planted import CONTEXTS, FAULTS, Planted, plant, sanitizer_line
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


@pytest.mark.parametrize("seed", range(WHOLE))
def test_every_planted_error_is_found_with_its_kind(seed: int, tmp_path: Path) -> None:
    planted = plant(seed)
    assert found(planted, tmp_path).kind == planted.kind, planted.text


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed: no sanitizer to compare with")
@pytest.mark.parametrize("first", range(0, WHOLE, BATCH))
def test_it_is_found_on_the_line_that_the_sanitizers_name(first: int, tmp_path: Path) -> None:
    compared = 0
    for seed in range(first, min(first + BATCH, WHOLE)):
        planted = plant(seed)
        theirs = sanitizer_line(planted, tmp_path)
        if theirs is not None:  # they do not look everywhere: gcc lets `a--` pass
            ours = found(planted, tmp_path).span.line
            # Of an expression on two lines, gcc sometimes names the first where the second is meant.
            split = planted.text.splitlines()[theirs - 1].endswith("+")
            assert ours == theirs or (split and ours == theirs + 1), f"seed {seed}\n{planted.text}"
            compared += 1
    assert compared > BATCH // 2
