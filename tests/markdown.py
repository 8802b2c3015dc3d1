"""Fenced blocks in Markdown: found, and replaced without touching the text around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<tag>[^\s`]*)[^\n`]*\n(?P<body>.*?)^(?P=fence)`*[ \t]*$", re.M | re.S)


@final
@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the first word after its fence, its content, and where the content stands in the text."""

    tag: str
    body: str
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    return [Block(m["tag"], m["body"], m.start("body"), m.end("body")) for m in _FENCE.finditer(text)]


def prose(text: str) -> str:
    """The text outside the blocks."""
    return _FENCE.sub("", text).strip()


def with_bodies(text: str, bodies: dict[Block, str]) -> str:
    """The text with the content of some of its blocks replaced."""
    for block in sorted(bodies, key=lambda b: b.start, reverse=True):
        text = text[: block.start] + ended(bodies[block]) + text[block.end :]
    return text


def fenced(tag: str, body: str) -> str:
    """A new block, its fence longer than any in its content."""
    longest = max((len(run) for run in re.findall(r"^`{3,}", body, re.M)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{tag}\n{ended(body)}{fence}\n"


def ended(body: str) -> str:
    return body if not body or body.endswith("\n") else body + "\n"
