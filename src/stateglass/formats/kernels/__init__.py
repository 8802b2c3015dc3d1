"""Compiled loops over large files and what is in them; the only place in this room that imports numba."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.core.config

__all__ = ["kernel"]

_FOLDER = Path(__file__).parent
_Loop = TypeVar("_Loop", bound=Callable[..., object])


def kernel(loop: _Loop) -> _Loop:
    """Compiles a loop on its first call and keeps the machine code for the next run of the program."""
    folder = _cache_folder()
    if folder is None:
        return cast(_Loop, numba.njit(loop))
    # numba looks at this setting once, when the loop is decorated; others in this process have folders of their own.
    settings: Any = numba.core.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, folder
    try:
        return cast(_Loop, numba.njit(cache=True)(loop))
    finally:
        settings.CACHE_DIR = before


@cache
def _cache_folder() -> str | None:
    """A folder for exactly these sources: numba itself does not notice that a called loop has changed."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_FOLDER.glob("*.py")):
        digest.update(source.read_bytes())
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "stateglass", f"formats-{digest.hexdigest()[:16]}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None
