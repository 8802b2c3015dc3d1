"""A document's terminal sessions, run one after the other in one folder and held against what it says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

from tests.markdown import Block, blocks, with_bodies
from tests.transcript import TAG, matches, parse, rewritten, run


@final
@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it: the document as it should be, and each place where it says something else."""

    text: str
    wrong: tuple[str, ...]


def has_sessions(path: Path) -> bool:
    return any(b.tag == TAG for b in blocks(path.read_text(encoding="utf-8")))


def run_document(path: Path, name: str, folder: Path) -> Ran:
    """Runs all commands of a document; `name` is what messages call it."""
    text = path.read_text(encoding="utf-8")
    now: dict[Block, str] = {}
    wrong: list[str] = []
    for block in blocks(text):
        if block.tag != TAG:
            continue
        pairs = [(step, run(step, folder)) for step in parse(block.body)]
        now[block] = "".join(rewritten(expected, actual).text() for expected, actual in pairs)
        line = text.count("\n", 0, block.start) + 1
        wrong += [
            f"{name}:{line}: expected\n{expected.text()}but got\n{actual.text()}"
            for expected, actual in pairs
            if not matches(expected, actual)
        ]
    return Ran(with_bodies(text, now), tuple(wrong))
