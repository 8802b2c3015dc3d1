"""Programs that use the library give the same run on our machine as when gcc compiles them with the system's."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.fuzz.agreement import first_difference, read, run_machine
from tests.generator.gcc import gcc_available, run_with_gcc

PROGRAMS: Final = sorted(Path(__file__).with_name("programs").glob("*.c"))


@pytest.mark.skipif(not gcc_available(), reason=f"gcc is not installed: {len(PROGRAMS)} programs are not compared")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_with_the_library_do_what_gcc_says(path: Path, tmp_path: Path) -> None:
    files = {path.name: path.read_text(encoding="utf-8")}
    program = read(files, tmp_path)
    if unknown := [name for name in program.declarations if name.startswith("__stateglass_")]:
        pytest.skip(f"the machine does not know {', '.join(unknown)}")
    assert first_difference("gcc", run_with_gcc(files, tmp_path), "machine", run_machine(program)) == ""
