"""Programs that use the C++ library in many ways do what they do with g++ and its own headers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.library.cplusplus.running import compiler_available, ours, theirs
from tests.library.cplusplus.sequences import program

PROGRAMS: Final = sorted(Path(__file__).with_name("programs").glob("*.cpp"))
SEQUENCES: Final = 60
needs_compiler = pytest.mark.skipif(not compiler_available(), reason="g++ is not installed: nothing to compare with")


@needs_compiler
@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_programs_agree_with_the_compiler(file: Path, tmp_path: Path) -> None:
    assert ours(file) == theirs(file, tmp_path)


@needs_compiler
@pytest.mark.parametrize("seed", [1, 2])
def test_random_sequences_agree_with_the_compiler(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "sequences.cpp"
    file.write_text(program(seed, SEQUENCES), encoding="utf-8")
    assert ours(file) == theirs(file, tmp_path)
