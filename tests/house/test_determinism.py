"""The same input gives the same bytes, in whatever order this process happens to hash."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from scripts.rooms import PACKAGE, ROOT

COMMANDS = (
    "extract event_log/log.c -o - --to json",
    "extract recogniser/recogniser.c --abstraction recogniser/recogniser.am --labels recogniser/recogniser.lm",
    "check event_log/log.c --claim no-error --claim no-unreachable --format json",
    "reflect timer/timer.c --states t --format json",
    "abstraction recogniser/recogniser.c --format json",
)


def said(command: str, seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGE.parent)}
    words = [sys.executable, "-m", "stateglass", *command.split()]
    done = subprocess.run(words, cwd=ROOT / "examples", env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_the_order_of_hashes_does_not_show(command: str) -> None:
    first = said(command, "1")
    assert len(first) > 100
    assert said(command, "2") == first
