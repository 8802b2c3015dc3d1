"""Numbers that are used as addresses: one that may be a variable's is refused, wherever it stands."""

from pathlib import Path

import pytest

from stateglass.explore.machine import Machine
from stateglass.explore.pauses import Returning, Stuck
from stateglass.frontend import read_program
from stateglass.values import Concrete


@pytest.mark.parametrize("condition", ["p == (int *)5000", "(int *)5000 == p"])
def test_comparison_with_an_address_among_variables(condition: str, tmp_path: Path) -> None:
    file = tmp_path / "code.c"
    file.write_text(f"int x, *p = &x; int f(void) {{ return {condition}; }}")
    pause = Machine(read_program((str(file),)).program, Concrete()).start("f", [])
    assert isinstance(pause, Stuck)
    assert "the fixed address 0x1388 lies where variables are placed here" in str(pause)


@pytest.mark.parametrize("condition", ["p == (int *)0", "(int *)0 == p", "p == (int *)-1", "(int *)-1 == p"])
def test_comparison_with_what_is_no_variable(condition: str, tmp_path: Path) -> None:
    file = tmp_path / "code.c"
    file.write_text(f"int x, *p = &x; int f(void) {{ return {condition}; }}")
    pause = Machine(read_program((str(file),)).program, Concrete()).start("f", [])
    assert isinstance(pause, Returning)
    assert pause.value == 0
