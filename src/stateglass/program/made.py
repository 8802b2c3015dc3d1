"""C++ text of ours that is read with a program: it makes what the environment hands to the program's functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

MADE_NAMESPACE: Final = "stateglass_made"
"""All of the text stands in this namespace, which names of the program leave out."""
MADE_HEADERS: Final = ("new", "optional", "vector")
"""What the text needs of the C++ library."""
KIND_OF_NAME: Final = "__functions"
"""What ends so goes without this ending, although something else has that name."""
MADE: Final = "made_"
"""What begins so has a name that nobody should see."""


def made_name(name: str) -> str:
    """What the program calls something of the text."""
    return f"%{name}" if name.startswith(MADE) else name.removesuffix(KIND_OF_NAME)


@final
@dataclass(frozen=True, slots=True)
class MadePiece:
    """Some definitions. If clang cannot make sense of them, they are left out, and what they are for is refused."""

    about: str
    text: str


@final
@dataclass(frozen=True, slots=True)
class Made:
    """Text for the end of a file that knows what `file` defines."""

    file: str
    pieces: tuple[MadePiece, ...]
