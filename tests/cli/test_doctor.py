"""`doctor` tells what was found on the machine and in the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

pytestmark = pytest.mark.usefixtures("here")


def test_without_files_it_describes_the_machine() -> None:
    ran = stateglass("doctor")
    assert ran.status is Exit.OK
    for word in ("stateglass ", "packages: ", "clang: ", "compiler: ", "target: ", "flags: "):
        assert any(line.startswith(word) for line in ran.out.splitlines())


def test_what_is_not_understood_is_listed_with_its_place(here: Path) -> None:
    (here / "a.c").write_text(
        "int n;\nextern int lost;\nint get(void);\n"
        'void fine(void) { n = get() + lost; }\nvoid odd(void) {\n    __asm__("mrs %0" : "=r"(n));\n}\n'
    )
    ran = stateglass("doctor", "a.c")
    assert ran.status is Exit.INCONCLUSIVE
    assert "a.c: 1 of 2 functions understood in full\n" in ran.out
    assert "  a.c:6:5: inline assembly that has results (in odd)\n" in ran.out
    assert "  get\n" in ran.out
    assert "  lost\n" in ran.out


def test_the_machine_is_described_when_files_cannot_be_read(here: Path) -> None:
    (here / "a.c").write_text('#include "nowhere.h"\n')
    ran = stateglass("doctor", "a.c")
    assert ran.status is Exit.BAD_INPUT
    assert "compiler: " in ran.out
    assert "nowhere.h" in ran.out + ran.err


def test_json(here: Path) -> None:
    (here / "a.c").write_text("_Complex float f;\nvoid odd(void) { f = 1; }\nvoid fine(void) {}\n")
    ran = stateglass("doctor", "a.c", "--flag=-fno-such-thing", "--format", "json")
    answer = json.loads(ran.out)
    assert answer["command"] == "doctor"
    [file] = answer["files"]
    assert (file["name"], file["functions"], file["supported"], file["in_part"]) == ("a.c", 2, 1, ["odd"])
    assert answer["dropped_flags"] == ["-fno-such-thing"]
    assert [(u["function"], u["line"]) for u in answer["unsupported"]] == [("odd", 2)]
    assert answer["target"]["int_bits"] == 32


def test_the_target_that_is_asked_for() -> None:
    answer = json.loads(stateglass("doctor", "--target", "arm-none-eabi", "--format", "json").out)
    assert answer["target"] == {"triple": "arm-none-eabi", "pointer_size": 4, "int_bits": 32, "big_endian": False}
