"""Functions whose name is made by a macro are told by their place when somebody asks for the name in the source."""

from __future__ import annotations

from pathlib import Path

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass


def test_the_place_of_an_interrupt_handler_is_told(tmp_path: Path) -> None:
    file = tmp_path / "led.c"
    file.write_text("#define tick __vector_8\n#define ISR(name) void name(void)\nint n;\nISR(tick) { n = !n; }\n")
    ran = stateglass("extract", str(file), "--function", "tick")
    assert ran.status is Exit.BAD_INPUT
    assert f"`__vector_8` is made by the macro at {file}:4" in ran.err
