"""Lines that say where those behind them come from, as preprocessors and generators write: `# 12 "code.c"`, `#line 12`.

We count the lines of the file that was read; compilers tell of the ones that it says they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from stateglass.source import Place

_MARKER: Final = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]{1,9})(?:[ \t]+"([^"\n]*)")?')

Marked = dict[tuple[str, int], Place]
"""Where lines stand, by the file and the number that they are said to have."""


def marked(files: Iterable[str]) -> Marked:
    """The lines of those files that say that they come from elsewhere."""
    found: Marked = {}
    for file in files:
        origin, number, is_marked = file, 1, False
        for line, text in enumerate(_lines(file), 1):
            marker = _MARKER.match(text)
            if marker is not None:
                number, origin, is_marked = int(marker[1]), marker[2] or origin, True
                continue
            if is_marked:
                found.setdefault((real(origin), number), Place(file, line))
            number += 1
    return found


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read().split("\n")
    except (OSError, ValueError):
        return []


def real(file: str) -> str:
    return os.path.realpath(file.replace("\0", ""))
