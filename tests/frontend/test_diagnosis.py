"""What `doctor`, `extract` and `init` make of flags and headers, seen from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

CODE = """\
#include <string.h>
#include "board.h"
static int n;
static char text[4];
void tick(void) { n = n < LIMIT ? n + 1 : 0; beep(n); }
void wait(void) { int r; __asm__("mrs %0" : "=r"(r)); }
void clear(void) { memset(text, 0, sizeof text); }
"""
COMMAND = "arm-none-eabi-gcc -mcpu=cortex-m4 -fno-such -DLIMIT=2 -c ../a.c"


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "a.c").write_text(CODE)
    (here / "build").mkdir()
    entry = {"directory": str(here / "build"), "command": COMMAND, "file": "../a.c"}
    (here / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    return here


def test_a_header_that_is_needed_stops_and_the_rest_is_told_all_the_same() -> None:
    ran = stateglass("doctor", "a.c")
    assert ran.status is Exit.BAD_INPUT
    assert "a.c:2:10: error[syntax]: 'board.h' file not found" in ran.err
    assert "headers not found:\n  board.h (a.c:2:10)\n" in ran.out
    assert "a.c: 2 of 3 functions understood in full\n" in ran.out
    end = "No model can be made before board.h is found (-I) or assumed (--missing-headers assume).\n"
    assert ran.out.endswith(end)


def test_everything_is_told_in_words() -> None:
    ran = stateglass("doctor", "a.c", "--missing-headers", "assume")
    assert ran.status is Exit.INCONCLUSIVE
    for line in (
        "target: arm-none-eabi, 32-bit int, 32-bit pointers, little-endian",
        "  by the name of the compiler, arm-none-eabi-gcc",
        "flags: -std=gnu17 --target=arm-none-eabi -nostdlibinc -fshort-enums -mcpu=cortex-m4 -DLIMIT=2"
        " (build/compile_commands.json)",
        "flag dropped: -fno-such",
        "headers not found, taken to be empty:",
        "  a.c:6:26: inline assembly that has results (in wait)",
        "without a body, so assumed about: beep",
        "from the C library: memset",
        "You can go on: 2 of 3 functions are understood in full, without board.h, and a model is partial only where it"
        " gets to one of the places listed.",
    ):
        assert line in ran.out.splitlines()
    assert any(line.startswith("gcc's leniencies allowed: implicit-function-") for line in ran.out.splitlines())
    assert ran.out.count("memset") == 1


def test_everything_is_told_to_programs(here: Path) -> None:
    (here / "b.c").write_text("int f(void) { return x; }\n")
    ran = stateglass("doctor", "a.c", "b.c", "--target", "arm-none-eabi", "--format", "json")
    assert ran.status is Exit.BAD_INPUT
    answer = json.loads(ran.out)
    first, second = answer["files"]
    assert (first["readable"], first["functions"], first["supported"], first["in_part"]) == (True, 3, 2, ["wait"])
    assert (first["flags_from"], second["flags_from"]) == ("build/compile_commands.json", None)
    assert first["flags"][-2:] == ["-mcpu=cortex-m4", "-DLIMIT=2"]
    assert first["dropped_flags"] == ["-fno-such"]
    assert first["missing_headers"] == [{"name": "board.h", "file": "a.c", "line": 2}]
    assert (second["readable"], second["functions"]) == (False, 0)
    assert [e["message"] for e in answer["errors"]] == ["use of undeclared identifier 'x'", "'board.h' file not found"]
    assert answer["library_functions"] == ["memset"]
    assert "-Wno-implicit-int" in answer["leniencies"]
    assert answer["can_go_on"] is False
    assert answer["conclusion"].startswith("No model can be made of b.c before the errors are mended")


def test_files_with_different_flags_are_told_apart(here: Path) -> None:
    (here / "b.c").write_text("int f(void) { return 1; }\n")
    ran = stateglass("doctor", "a.c", "b.c", "--target", "avr", "--missing-headers", "assume")
    assert "flags of a.c: -std=gnu17 --target=avr " in ran.out
    assert "flags of b.c: -std=gnu17 --target=avr -nostdlibinc (no compile_commands.json " in ran.out
    assert "`build/compile_commands.json` has no entry for `b.c`" in ran.err


def test_the_ledger_has_the_header() -> None:
    ran = stateglass("extract", "a.c", "--function", "tick", "--missing-headers", "assume", "--format", "json")
    assert ran.status is Exit.OK
    answer = json.loads(ran.out)
    header = {"kind": "header", "subject": "board.h", "text": "it was not found: it is taken to be empty"}
    assert header in answer["assumptions"]
    assert answer["states"] > 3


def test_the_project_file_says_it_as_well(here: Path) -> None:
    (here / "stateglass.toml").write_text(
        'schema = 1\n[source]\nfiles = ["a.c"]\ncompile_commands = "build"\nmissing_headers = "assume"\n'
    )
    assert stateglass("extract", "--function", "tick").status is Exit.OK
    assert stateglass("extract", "--function", "tick", "--missing-headers", "error").status is Exit.BAD_INPUT
    assert "`missing` does not exist" in stateglass("extract", "--function", "tick", "-p", "missing").err
    rows = json.loads(stateglass("config", "show", "--format", "json").out)["settings"]
    values = {row["name"]: row["value"] for row in rows}
    assert (values["compile_commands"], values["missing_headers"]) == ("build", "assume")


def test_a_new_project_file_keeps_them(here: Path) -> None:
    (here / "out").mkdir()
    ran = stateglass("init", "a.c", "-p", "build", "--missing-headers", "assume", "-o", "out/stateglass.toml")
    assert ran.status is Exit.OK
    text = (here / "out" / "stateglass.toml").read_text()
    assert 'compile_commands = "../build"' in text
    assert 'missing_headers = "assume"' in text


def test_wrong_words_for_missing_headers(here: Path) -> None:
    (here / "stateglass.toml").write_text('schema = 1\n[source]\nfiles = ["a.c"]\nmissing_headers = "asume"\n')
    ran = stateglass("doctor")
    assert ran.status is Exit.BAD_INPUT
    assert 'stateglass.toml:4:19: error[project]: `missing_headers` should be "error" or "assume"' in ran.err
    assert "did you mean `assume`?" in ran.err


def test_without_files_all_is_ready() -> None:
    assert stateglass("doctor").out.endswith("All is ready: name C files to see what of them is understood.\n")
