"""Which file of our C library defines what: the file is called like it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from stateglass.frontend.clang.libclang import LIBRARY_FOLDER


@cache
def library_files() -> Mapping[str, Path]:
    """What the library defines, by name."""
    files = sorted(LIBRARY_FOLDER.glob("*/*.c"))
    return MappingProxyType({path.stem: path for path in files})


def plain_name(spelling: str) -> str:
    """`__builtin_memcpy` is `memcpy`, and so for all that the library defines."""
    plain = spelling.removeprefix("__builtin_")
    return plain if plain in library_files() else spelling
