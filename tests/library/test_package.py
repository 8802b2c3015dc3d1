"""The library travels with the package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.frontend.clang.libclang import LIBRARY_FOLDER


def test_a_wheel_contains_the_library(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed: no wheel is built")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    files = [path for path in LIBRARY_FOLDER.rglob("*") if path.suffix in (".h", ".c")]
    expected = {f"stateglass/library/{path.relative_to(LIBRARY_FOLDER).as_posix()}" for path in files}
    assert len(expected) > 100
    assert expected <= names
