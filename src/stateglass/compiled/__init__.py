"""The door to numba: loops over large arrays, compiled on their first call and kept on disk for the next run."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

COMPILING = "compiling for the first use"

_Loop = TypeVar("_Loop", bound=Callable[..., object])
_told: list[Callable[[str], None]] = []


@contextmanager
def told_of_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, `tell` is called with what takes so long each time that a loop is about to be compiled."""
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


def kernels_of(
    name: str, sources: Iterable[Path], parts: Iterable[Callable[..., object]] = ()
) -> Callable[[_Loop], _Loop]:
    """The decorator for the loops in these files; they share a folder for their machine code."""
    # Imported here: what only wants to know that loops are compiled does not wait for it.
    import numba
    import numba.core.config
    from numba.extending import register_jitable

    from stateglass.compiled.events import before_compiling
    from stateglass.compiled.loading import load_lightly

    before_compiling(_tell)
    for part in parts:
        register_jitable(part)
    folder = _cache_folder(name, numba.__version__, sources)
    settings: Any = numba.core.config

    def kernel(loop: _Loop) -> _Loop:
        if folder is None:
            return cast(_Loop, numba.njit(loop))
        # numba looks at this setting once, when the loop is decorated; other kernels have folders of their own.
        before, settings.CACHE_DIR = settings.CACHE_DIR, folder
        try:
            compiled = numba.njit(cache=True)(loop)
        finally:
            settings.CACHE_DIR = before
        load_lightly(compiled)
        return cast(_Loop, compiled)

    return kernel


def _tell() -> None:
    # The innermost listener alone: the others wait for it.
    for tell in _told[-1:]:
        tell(COMPILING)


def _cache_folder(name: str, version: str, sources: Iterable[Path]) -> str | None:
    """A folder for exactly these sources: numba itself does not notice that a called loop has changed."""
    digest = hashlib.sha256(version.encode())
    for source in sorted(sources):
        digest.update(source.read_bytes())
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "stateglass", f"{name}-{digest.hexdigest()[:16]}")
    try:
        # For nobody else: what lies there is run.
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None
