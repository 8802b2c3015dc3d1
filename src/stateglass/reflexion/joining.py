"""Conditions in C put together to one: in brackets wherever what it means, or a reader, needs them.

This is the only place that decides about brackets around `&&` and `||`: it reads the words that it joins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

AND: Final = " && "
OR: Final = " || "
_TOKEN: Final = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[()\[\]{}]|&&|\|\|""")


def all_of(conditions: Iterable[str]) -> str:
    """What holds if each of some conditions holds."""
    return _joined(conditions, AND, OR)


def any_of(conditions: Iterable[str]) -> str:
    """What holds if one of some conditions holds."""
    return _joined(conditions, OR, AND)


def is_joined(text: str, joint: str) -> bool:
    """Whether words are joined outside of brackets."""
    if joint not in text:
        return False
    depth = 0
    for token in _TOKEN.findall(text):
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif depth == 0 and token == joint.strip():
            return True
    return False


def _joined(conditions: Iterable[str], joint: str, other: str) -> str:
    found = list(conditions)
    if len(found) == 1:
        return found[0]
    return joint.join(f"({text})" if is_joined(text, other) else text for text in found)
