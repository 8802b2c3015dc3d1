"""A compiler that is not waited for any more, and what it has started."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from stateglass.replay.driving.processes import done_by
from stateglass.work import OutOfTime
from stateglass.work.in_time import in_time

BUSY = 'n=0; (while :; do n=$((n + 1)); echo > "$0/$n.o"; done) & wait'


@pytest.mark.parametrize("ends", ["by itself", "by the alarm"])
def test_nothing_is_written_any_more_when_a_compiler_was_stopped(ends: str, tmp_path: Path) -> None:
    command = ["sh", "-c", BUSY, str(tmp_path)]
    if ends == "by itself":
        with pytest.raises(subprocess.TimeoutExpired):
            done_by(command, 0.3)
    else:
        with pytest.raises(OutOfTime):
            in_time(0.3, done_by, command, 100)
    written = len(os.listdir(tmp_path))
    assert written
    time.sleep(0.1)
    assert len(os.listdir(tmp_path)) == written


def test_what_a_compiler_says_is_kept(tmp_path: Path) -> None:
    done = done_by(["sh", "-c", "pwd; echo no >&2; exit 3"], 100, tmp_path)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (3, str(tmp_path), "no\n")
