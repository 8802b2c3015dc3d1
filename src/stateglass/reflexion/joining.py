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
    """C for: all of these conditions hold."""
    return _joined(conditions, AND, OR)


def any_of(conditions: Iterable[str]) -> str:
    """C for: at least one of these conditions holds."""
    return _joined(conditions, OR, AND)


def _joined(conditions: Iterable[str], joint: str, other: str) -> str:
    found = list(conditions)
    if len(found) == 1:
        return found[0]
    parts: dict[str, None] = {}
    for text in found:
        # `||` binds least: what it joins is one operand of `&&`.
        for part in [text] if joint == AND and len(_parts(text, OR)) > 1 else _parts(text, joint):
            parts[f"({part})" if len(_parts(part, other)) > 1 else part] = None
    # What is said twice is as true when it is said once, and has a meaning where it had one.
    return joint.join(parts)


def _parts(text: str, joint: str) -> list[str]:
    """The operands of a joint that is not inside of brackets or quotes."""
    if joint not in text:
        return [text]
    found: list[str] = []
    depth, begin = 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
        elif depth == 0 and token[0] == joint.strip():
            found.append(text[begin : token.start()].strip())
            begin = token.end()
    return [*found, text[begin:].strip()]
