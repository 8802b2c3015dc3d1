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


SHOW_ROOMS = """
import io, sys
from stateglass.cli.main import run
assert run([sys.argv[1], "--help"], io.StringIO(), io.StringIO(), {}) == 0
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("stateglass.")}))
"""


@pytest.mark.parametrize("command", ["reduce", "compare", "compose", "transform", "convert", "info", "draw"])
def test_commands_on_models_load_nothing_that_reads_code(command: str) -> None:
    words = [sys.executable, "-c", SHOW_ROOMS, command]
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert {"frontend", "explore", "pipeline"} & set(done.stdout.split()) == set()
    assert "formats" in done.stdout.split()
