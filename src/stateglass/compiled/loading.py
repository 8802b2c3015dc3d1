"""Machine code from disk without the half of numba that only compiling needs."""

from __future__ import annotations

from typing import Any


def load_lightly(loop: Any) -> None:
    """Makes a loop look for its machine code before the compiler is made ready.

    numba imports all that it knows how to compile before it looks, which takes longer than many a model; where code is
    missing, compiling it does the same. This relies on names that numba keeps to itself: where they differ, or anything
    goes wrong, its own way is taken.
    """
    try:
        from numba.core.runtime.nrt import rtsys

        cache = loop._cache
        usual, load, guard = cache.load_overload, cache._load_overload, cache._guard_against_spurious_io_errors
    except (ImportError, AttributeError):
        return

    def load_overload(signature: Any, target: Any) -> Any:
        try:
            # Loops that make arrays are linked with the functions of this.
            rtsys.initialize(target)
            with guard():
                return load(signature, target)
        except Exception:
            return usual(signature, target)

    cache.load_overload = load_overload
