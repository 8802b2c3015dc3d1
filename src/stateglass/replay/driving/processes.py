"""Programs of the user that start others: when nobody waits any more, all of them end, and none writes any more."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path


def done_by(command: Sequence[str], seconds: float, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a compiler says, in English; `TimeoutExpired` after so many seconds.

    A compiler is several programs, of which only the first one is ours to stop: so they are a group of their own.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        process_group=0,
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            _end(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _end(process: subprocess.Popen[str]) -> None:
    if process.returncode is None and hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)  # nobody has waited for the first one: the group still has its number
    process.kill()
    # Whoever can write to a file can write to these: at their end, all have gone.
    process.communicate()
