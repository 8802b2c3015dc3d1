"""Names in C and FSP: each is given once, close to the one that the design has."""

from __future__ import annotations

import re
from typing import Final, final

CHOOSE: Final = "fsp_choose"
"""Which of two transitions is taken: 0 or 1; of more, the name goes on with how many there are."""
NEVER: Final = "fsp_never"
"""It does not return: whoever calls it waits for ever."""
_KEYWORDS: Final = frozenset(
    [
        "auto",
        "bool",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "false",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "main",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "true",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "unix",
        "linux",
        "currState",
        "nextEvent",
        "listening",
        "entered",
        "taken",
        "caller",
        CHOOSE,
        NEVER,
    ]
)


@final
class Names:
    """A name space: all of a program, or what one function has for itself."""

    def __init__(self, outer: Names | None = None) -> None:
        self._outer = outer
        self._taken: set[str] = set()

    def new(self, *parts: str) -> str:
        """A name that nothing else has, put together of parts."""
        wanted = re.sub(r"\W", "_", "_".join(part for part in parts if part))
        if wanted.startswith("_"):
            wanted = f"own{wanted}"  # in C, these are the compiler's
        name, number = wanted, 1
        while self._has(name):
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def _has(self, name: str) -> bool:
        return name in _KEYWORDS or name in self._taken or (self._outer is not None and self._outer._has(name))
