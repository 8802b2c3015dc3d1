"""`doctor` tells what was found on the machine and in the files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stateglass.cli.exits import Exit
from stateglass.options.nearby import include_folder
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
    assert "without a body, so assumed about: get\n" in ran.out
    assert "declared but defined nowhere, so they start at zero: lost\n" in ran.out


def test_the_machine_is_described_when_files_cannot_be_read(here: Path) -> None:
    (here / "a.c").write_text('#include "nowhere.h"\n')
    ran = stateglass("doctor", "a.c")
    assert ran.status is Exit.BAD_INPUT
    assert "compiler: " in ran.out
    assert "nowhere.h" in ran.out + ran.err


def test_headers_come_before_what_follows_from_them(here: Path) -> None:
    uses = "".join(f"int f{n}(void) {{ return LOST{n}; }}\n" for n in range(9))
    (here / "a.c").write_text(f'#include "first.h"\n{uses}#include "last.h"\n')
    ran = stateglass("doctor", "a.c")
    errors = [line for line in ran.err.splitlines() if "error[" in line]
    assert [e.split(": ")[-1] for e in errors[:2]] == ["'first.h' file not found", "'last.h' file not found"]
    assert ran.err.count("--missing-headers assume") == 1
    assert len(errors) == 5
    assert ran.err.endswith("… 6 more errors (--format json lists all)\n")
    assert len(json.loads(stateglass("doctor", "a.c", "--format", "json").out)["errors"]) == 11


@pytest.mark.parametrize(
    ("header", "folder"),
    [("include/own.h", "include"), ("include/bus/own.h", "include/bus"), ("src/deep/down/own.h", "src/deep/down")],
)
def test_the_folder_of_a_header_that_is_near_is_named(here: Path, header: str, folder: str) -> None:
    for name in ("src", Path(header).parent):
        (here / name).mkdir(parents=True, exist_ok=True)
    (here / "src/a.c").write_text("#include <own.h>\n")
    (here / header).write_text("")
    assert f"  own.h (src/a.c:1:10): there is one for -I {folder}\n" in stateglass("doctor", "src/a.c").out
    named = stateglass("doctor", "src/a.c", "-I", folder)
    assert named.status is Exit.OK
    assert "not found" not in named.out


@pytest.mark.parametrize("template", ["config.h.in", "config.h.cmake", "build/config.h.meson"])
def test_what_the_build_makes_a_header_from_is_named(here: Path, template: str) -> None:
    (here / "a.c").write_text('#include "config.h"\n#include "own.h"\n')
    (here / template).parent.mkdir(exist_ok=True)
    (here / template).write_text("#define VERSION @VERSION@\n")
    said = stateglass("doctor", "a.c").out
    assert f"config.h (a.c:1:10): the build makes it from {template}; a few lines of your own may do" in said
    assert "No model can be made before config.h, own.h are found (-I)" in said


def test_no_folder_is_named_that_is_far_away_or_hidden(here: Path) -> None:
    for name in ("other/include", "program/src", "program/.git"):
        (here / name).mkdir(parents=True)
    for name in ("other/include/own.h", "program/.git/own.h"):
        (here / name).write_text("")
    (here / "program/src/a.c").write_text('#include "own.h"\n#include "../../other/include/gone.h"\n')
    assert include_folder("own.h", str(here / "program/src/a.c")) == "other/include"  # below the current folder
    os.chdir(here / "program")
    assert include_folder("own.h", "src/a.c") is None
    assert "there is one" not in stateglass("doctor", "src/a.c").out


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_name_of_a_header_is_looked_for(header: str, file: str) -> None:
    include_folder(header, file)


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
