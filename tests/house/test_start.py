"""The program starts at once: help loads no engine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from scripts.rooms import PACKAGE

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
HEAVY = {"clang", "bitwuzla", "z3", "numpy", "numba", "llvmlite", "lark", "msgspec", "rich", "pygraphviz"}

SHOW_MODULES = """
import io, sys
from stateglass.cli.main import run
status = run(sys.argv[1:], io.StringIO(), io.StringIO(), {})
print(int(status), *sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("argv", [["--help"], ["--version"], [], ["unknown"], ["--unknown"]])
def test_no_engine_is_loaded(argv: list[str]) -> None:
    command = [sys.executable, "-c", SHOW_MODULES, *argv]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    _, *loaded = done.stdout.split()
    assert HEAVY & set(loaded) == set()
