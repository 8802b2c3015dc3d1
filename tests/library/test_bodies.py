"""Every body of the library does what the C library of this machine does."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from stateglass.frontend.linking.library import INCLUDE_FOLDER
from stateglass.frontend.linking.library_index import library_files
from tests.generator.gcc import gcc_available

DRIVERS: Final = [Path(__file__).with_name(name) for name in ("agreement.c", "numbers.c")]
SECONDS: Final = 120
# Objects, and what has no counterpart elsewhere: these are seen at work in other functions or by our own machine.
VARIABLES: Final = {"stdin", "stdout", "stderr", "errno", "optarg", "opterr", "optind", "optopt"}
ENDS: Final = {"abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail"}
NOT_COMPARED: Final = VARIABLES | ENDS | {"in6addr_any", "in6addr_loopback"}
OF_OURS: Final = ("__VERIFIER_", "__stateglass_", "reach_error", "assume_abort_if_not")
# Ours must stay loops: gcc would turn some of them into calls of the functions that they are.
FLAGS: Final = ("-std=gnu11", "-O1", "-w", "-fno-builtin", "-fno-tree-loop-distribute-patterns")


def compared() -> list[str]:
    return [n for n in library_files() if n not in NOT_COMPARED and not n.startswith(OF_OURS)]


def test_the_driver_compares_every_function() -> None:
    text = "".join(driver.read_text(encoding="utf-8") for driver in DRIVERS)
    used = set(re.findall(r"\bsg_(\w+)", text)) | set(re.findall(r"\b(?:OURS|CLASS|PARSE)\((\w+)\)", text))
    used |= set(re.findall(r"\bDIVIDE\((\w+),", text))
    assert [name for name in compared() if name not in used] == []


@pytest.mark.skipif(not gcc_available(), reason="gcc is not installed: our C library is not compared with another")
def test_bodies_agree_with_the_system(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    renames = tmp_path / "renames.h"
    names = [*compared(), "errno"]
    lines = ["#include <errno.h>", "#undef errno", "extern int sg_errno;", *(f"#define {n} sg_{n}" for n in names)]
    renames.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sources = [str(path) for name, path in library_files().items() if name in names or name.startswith("__stateglass")]
    ours = ["-isystem", str(INCLUDE_FOLDER), "-include", str(renames), "-c", *sources]
    _run(["gcc", *FLAGS, *ours], tmp_path)
    objects = [str(path) for path in sorted(tmp_path.glob("*.o"))]
    drivers = [str(driver) for driver in DRIVERS]
    _run(["gcc", "-std=gnu11", "-O0", "-w", "-fno-builtin", "-o", "driver", *drivers, *objects, "-lm"], tmp_path)
    done = subprocess.run(
        [tmp_path / "driver"], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
    )
    record_property("note", f"our C library against this machine's: {done.stdout.splitlines()[-1:]}")
    assert done.returncode == 0, done.stdout + done.stderr


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
