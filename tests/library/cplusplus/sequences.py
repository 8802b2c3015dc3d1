"""Programs that do random things to containers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

KINDS: Final = 13
"""How many containers `operations.cpp` knows."""
LENGTH: Final = 8
_OPERATIONS: Final = Path(__file__).with_name("operations.cpp")


def program(seed: int, count: int) -> str:
    """A program that runs so many sequences of operations, on one container after the other."""
    choose = random.Random(seed)
    rows = ("{" + ", ".join(str(choose.randrange(256)) for _ in range(LENGTH)) + "}" for _ in range(count))
    return (
        _OPERATIONS.read_text(encoding="utf-8")
        + f"\nstatic const unsigned char sequences[{count}][{LENGTH}] = {{\n    "
        + ",\n    ".join(rows)
        + f"}};\n\nint main() {{\n    for (int i = 0; i < {count}; ++i)\n"
        + f"        run(i % {KINDS}, sequences[i], {LENGTH});\n    return 0;\n}}\n"
    )
