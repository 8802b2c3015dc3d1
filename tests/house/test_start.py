"""The program starts at once: help loads no engine and comes fast."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from scripts.rooms import PACKAGE

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
HEAVY = {"clang", "bitwuzla", "z3", "numpy", "numba", "llvmlite", "lark", "msgspec", "rich", "pygraphviz"}
# The promise is for an idle core; the best of several runs is the closest to that.
SECONDS = 0.150
RUNS = 10

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


@pytest.mark.timing
def test_help_comes_fast() -> None:
    best = min(_seconds([sys.executable, "-m", "stateglass", "--help"]) for _ in range(RUNS))
    assert best < SECONDS


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
