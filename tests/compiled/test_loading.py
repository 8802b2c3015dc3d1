"""Compiled loops are found on disk without what only compiling needs, and numba's own way is there if that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy as np
from stateglass.formats.kernels import aut
columns = [np.zeros(1, dtype=np.int32) for _ in range(3)]
out, pool = np.zeros(64, dtype=np.uint8), np.frombuffer(b"a", dtype=np.uint8)
if "broken" in sys.argv:
    from numba.core.runtime.nrt import rtsys
    usual, rtsys.initialize = rtsys.initialize, lambda target: 1 // 0 if "numba.np.linalg" not in sys.modules else None
    from numba.core.cpu import CPUContext
    ready = CPUContext.load_additional_registries
    def made_ready(context):
        rtsys.initialize = usual
        ready(context)
    CPUContext.load_additional_registries = made_ready
row, used = aut.write_rows(*columns, 0, np.array([0, 1]), pool, out)
print(out[:used].tobytes(), "numba.np.linalg" in sys.modules)
"""


def said(*words: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_loading_needs_no_compiler() -> None:
    said()  # now it is on disk
    assert said() == [r"b'(0,", "a,", r"0)\n'", "False"]


def test_what_cannot_be_loaded_lightly_is_loaded_as_usual() -> None:
    assert said("broken") == [r"b'(0,", "a,", r"0)\n'", "True"]


def test_damaged_files_are_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    right = [r"b'(0,", "a,", r"0)\n'"]
    said()
    for suffix, damage in ((".nbi", emptied), (".nbi", cut_short), (".nbc", cut_short), (".nbc", with_another_byte)):
        (path,) = (path for path in tmp_path.rglob(f"*{suffix}") if path.name.startswith("aut.write_rows"))
        path.write_bytes(damage(path.read_bytes()))
        assert said() == [*right, "True"]
    assert said() == [*right, "False"]


def emptied(_data: bytes) -> bytes:
    return b""


def cut_short(data: bytes) -> bytes:
    return data[: len(data) // 2]


def with_another_byte(data: bytes) -> bytes:
    """Somewhere in the machine code, where nothing but a digest tells."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]
