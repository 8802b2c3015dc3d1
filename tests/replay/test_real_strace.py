"""A real process under a real strace, against the model of its own source."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from stateglass.cli.exits import Exit
from tests.cli.running import stateglass

DECLARED = "int read(int, void *, int); int write(int, const void *, int);\n"
COPY = "int main(void) { char c = 0; while (read(0, &c, 1) > 0) write(1, &c, 1); return 3; }\n"
OPTIONS = [[], ["-f"], ["-tt", "-T"], ["-f", "-r", "-n"], ["-ttt", "-y", "-i"]]


def recorded(source: Path, options: list[str]) -> str:
    """What strace says about a run of the program; skipped where that cannot be had."""
    program, log = source.with_suffix(".out"), source.with_suffix(".log")
    if shutil.which("strace") is None or shutil.which("gcc") is None:
        pytest.skip("there is no strace, or no gcc")
    subprocess.run(["gcc", "-fno-builtin", "-o", str(program), str(source)], check=True)
    words = ["strace", *options, "-e", "trace=read,write,exit_group", "-o", str(log), str(program)]
    subprocess.run(words, input=b"ab", capture_output=True, check=False)
    if not log.exists() or "exited with 3" not in log.read_text():
        pytest.skip("processes cannot be traced here")
    # The loader reads the libraries first.
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if "ELF" not in line))
    return str(log)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_process_does_what_its_source_says(tmp_path: Path, options: list[str]) -> None:
    source, model = tmp_path / "copy.c", str(tmp_path / "copy.sg")
    source.write_text(DECLARED + COPY)
    log = recorded(source, options)
    assert stateglass("extract", str(source), "--bound", "read()=-1..1", "-o", model).status is Exit.OK
    words = ["monitor", model, log, "--log-format", "strace", "--match", "arguments", "--complete"]
    assert stateglass(*words).status is Exit.OK
    source.write_text(DECLARED + COPY.replace("write(1, &c, 1);", "{ write(1, &c, 1); write(1, &c, 1); }"))
    assert stateglass("extract", str(source), "--bound", "read()=-1..1", "-o", model).status is Exit.OK
    assert stateglass(*words).status is Exit.FINDINGS
