"""Machine code from disk: without the half of numba that only compiling needs, and only as it was written."""

from __future__ import annotations

import hashlib
import os
from typing import Any, final

_DIGEST = 32


@final
class _Damaged(Exception):
    """A file of machine code is not as it was written."""


def load_lightly(loop: Any) -> None:
    """Makes a loop look for its machine code before the compiler is made ready, and compile it where it is damaged.

    numba imports all that it knows how to compile before it looks, which takes longer than many a model; where code is
    missing, compiling it does the same. It runs whatever it finds, and a file that a full disk or a crash has cut short
    stops it: so each file ends with its digest, and what does not fit is forgotten. This relies on names that numba
    keeps to itself: where they differ, or anything goes wrong, its own way is taken.
    """
    try:
        from numba.core.runtime.nrt import rtsys

        cache = loop._cache
        files = cache._cache_file
        usual, load, guard = cache.load_overload, cache._load_overload, cache._guard_against_spurious_io_errors
        dump, load_data, data_path, index_path = files._dump, files._load_data, files._data_path, files._index_path
    except (ImportError, AttributeError):
        return

    def dump_signed(content: Any) -> bytes:
        data: bytes = dump(content)
        # Whoever unpickles this stops before the digest.
        return data + hashlib.sha256(data).digest()

    def load_checked(name: str) -> Any:
        with open(data_path(name), "rb") as file:
            data = file.read()
        if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
            raise _Damaged(name)
        return load_data(name)

    def load_overload(signature: Any, target: Any) -> Any:
        try:
            # Loops that make arrays are linked with the functions of this.
            rtsys.initialize(target)
            with guard():
                return load(signature, target)
        except Exception:
            pass
        try:
            return usual(signature, target)
        except Exception:
            # Without its index, numba takes the code for missing and writes both anew.
            _forget(index_path)
            return None

    files._dump, files._load_data, cache.load_overload = dump_signed, load_checked, load_overload


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
