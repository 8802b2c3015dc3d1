"""Compiled loops are found on disk without what only compiling needs, and numba's own way is there if that fails."""

from __future__ import annotations

import subprocess
import sys

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
