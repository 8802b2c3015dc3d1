"""The command on packages made up here: what is counted, what is printed, how it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from casestudies import measuring, reading
from casestudies.catalogue import Package
from casestudies.configuring import autoconf, configure
from casestudies.measuring import Measurement, Refusal, decode, encode, measure
from casestudies.report import Row, every_refusal, reasons, table, total, totals
from scripts.rooms import ROOT

GOOD = """
#include "config.h"
static int level;
static int half(int n) { return n / 2; }
int fill(int n) { return level += half(n) * STEP; }
"""
REFUSED = """
int a(int n) { __asm__("mrs %0" : "=r"(n)); return n; }
int b(int n) { return n + 1; }
"""


@pytest.fixture(autouse=True)
def program_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read by processes of their own, which must find what this one found."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT)]))


def test_functions_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "x.c", REFUSED)
    found = measure(str(path), ())
    assert (found.lines, found.functions, found.lowered, found.refused) == (3, 2, 1, 1)
    [refusal] = found.refusals
    assert (refusal.name, refusal.place, refusal.is_function) == ("a", "x.c:2", True)
    assert "assembly" in refusal.reason
    assert not found.errors
    assert not found.crash
    assert decode(encode(found)) == found


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    found = measure(str(write(tmp_path / "x.c", '#include "missing.h"\n')), ())
    assert found.functions == 0
    assert "'missing.h' file not found" in found.errors[0]


def test_a_bug_of_ours_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(measuring, "read_program", broken)
    found = measure(str(write(tmp_path / "x.c", "int i;\n")), ())
    assert found.crash.startswith("KeyError: 'lost' (test_reading.py:")


def test_a_function_that_is_lost_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(write(tmp_path / "x.c", "int a(void) { return 1; }\n"))
    monkeypatch.setattr(measuring, "_defined", lambda *_: {1, 7})
    assert measure(path, ()).crash == "functions were lost without a word: lines [7]"


def test_settings_become_macros() -> None:
    made = autoconf('CONFIG_HOT=y\n# CONFIG_COLD is not set\nCONFIG_PATH="/x"\n# a remark\n').splitlines()
    assert made[:4] == [
        "#define CONFIG_HOT 1",
        "#define ENABLE_HOT 1",
        "#define IF_HOT(...) __VA_ARGS__",
        "#define IF_NOT_HOT(...)",
    ]
    assert made[4:8] == [
        "#undef CONFIG_COLD",
        "#define ENABLE_COLD 0",
        "#define IF_NOT_COLD(...) __VA_ARGS__",
        "#define IF_COLD(...)",
    ]
    assert made[8] == '#define CONFIG_PATH "/x"'


def test_generated_headers_come_first(tmp_path: Path) -> None:
    source, generated = tmp_path / "source", tmp_path / "generated"
    write(source / "defconfig", "CONFIG_HOT=y\n")
    package = Package("kettle", "", ("x.c",), ("lib",), ("-DX",), "defconfig", (("sys/h.h", ""),))
    flags = configure(package, source, generated)
    assert flags == (f"-I{generated / 'sys'}", f"-I{generated}", f"-I{source / 'lib'}", "-DX")
    assert (generated / "autoconf.h").read_text().startswith("#define CONFIG_HOT 1\n")


def test_the_command_reads_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = package_of(tmp_path, "kettle", {"fill.c": GOOD, "asm.c": REFUSED})
    catalogue = write(
        tmp_path / "files.toml",
        "[[package]]\nname = 'kettle'\nabout = 'hot water'\nfiles = ['fill.c', 'asm.c', 'gone.c']\n"
        "headers = { 'config.h' = '#define STEP 3' }\n",
    )
    status = reading.main(["--catalogue", str(catalogue), "--sources", str(sources), "--refusals"])
    out = capsys.readouterr().out
    assert status == 1  # three functions of four
    assert "kettle gone.c  skipped: not part of this version" in out
    assert "2 files of 1 packages, 8 lines\nnot read: 0, crashes: 0\n" in out
    assert "4 functions: 3 lowered in full, 1 refused" in out
    assert "share lowered: 75.0 % (NOT above the goal of 95 %)" in out
    assert "(as in kettle asm.c:2, a)" in out
    assert "\nkettle asm.c:2: a: " in out


def test_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = package_of(tmp_path, "kettle", {"x.c": "int f(int n) { return n; }\n"})
    catalogue = write(tmp_path / "files.toml", "[[package]]\nname = 'kettle'\nabout = 'x'\nfiles = ['x.c']\n")
    assert reading.main(["--catalogue", str(catalogue), "--sources", str(sources), "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "share lowered: 100.0 % (above the goal of 95 %)" in out
    assert "    0  none" in out


def test_nothing_to_read_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reading.main(["--packages", "uucp"]) == 0
    out = capsys.readouterr().out
    assert out == (
        "skipped: this machine has no apt-get and no dpkg-source\n"
        "nothing was read: no source package could be obtained\n"
    )


def test_settings_that_are_gone_skip_the_package(tmp_path: Path) -> None:
    package = Package("kettle", "", ("x.c",), kconfig="gone")
    [study] = reading.studies([package], {"kettle": tmp_path}, {}, tmp_path / "scratch")
    assert study.skipped == "gone cannot be read: No such file or directory"


def test_a_process_that_dies_is_a_crash_of_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = write(tmp_path / "python", "#!/bin/sh\necho first >&2\necho last >&2\nkill -SEGV $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    row = reading.read(reading.Study("kettle", "x.c", tmp_path / "x.c"))
    assert row.measurement is not None
    assert row.measurement.crash == "the process ended with status -11 last"


@pytest.mark.parametrize("arguments", [["--packages", "no-such"], ["--catalogue", "no-such.toml"]])
def test_bad_input(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert reading.main(arguments) == 2
    assert "no-such" in capsys.readouterr().err


def test_reasons_are_counted_without_names() -> None:
    rows = [
        Row("p", "a.c", Measurement(10, 0.5, 4, (Refusal("f", "calls `x`", "a.c:1"), Refusal("g", "asm", "a.c:2")))),
        Row(
            "p",
            "b.c",
            Measurement(10, 0.5, 2, (Refusal("h", "calls `y`", "b.c:3"), Refusal("v", "asm", "b.c:4", False))),
        ),
        Row("q", "c.c", None, "gone"),
        Row("q", "d.c", Measurement(5, 0.1, errors=("d.c:1: bad",))),
        Row("q", "e.c", Measurement(5, 0.1, crash="KeyError")),
    ]
    sums = total(rows)
    assert (sums.packages, sums.files, sums.functions, sums.lowered) == (2, 4, 6, 3)
    assert (sums.unread, sums.crashed, sums.good) == (1, 1, False)
    assert list(reasons(rows, 9)) == ["    2  asm  (as in p a.c:2, g)", "    2  calls `…`  (as in p a.c:1, f)"]
    assert len(list(reasons(rows, 1))) == 1
    assert next(every_refusal(rows)) == "p a.c:1: f: calls `x`"
    text = "\n".join([*table(rows), *totals(sums)])
    assert "    not read: d.c:1: bad" in text
    assert "    crash: KeyError" in text
    assert "30 lines" in text


def package_of(folder: Path, name: str, files: dict[str, str]) -> Path:
    """A folder with one unpacked package."""
    source = folder / "sources" / name / f"{name}-1"
    write(source / "debian" / "changelog", "")
    for file, text in files.items():
        write(source / file, text)
    return folder / "sources"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.removeprefix("\n") if path.suffix != ".c" else text, encoding="utf-8")
    return path
