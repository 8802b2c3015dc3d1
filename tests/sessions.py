"""A document's terminal sessions, run one after the other in one folder and held against what it says."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import final

from tests.markdown import Block, blocks, with_bodies
from tests.transcript import TAG, is_about_compiled_code, matches, parse, rewritten, run, without_compiler

HAS_COMPILER = any(map(shutil.which, ("cc", "gcc", "clang")))


@final
class NeedsCompiler(Exception):
    """A document shows what compiled code does, and there is no compiler."""


@final
@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it: the document as it should be, and each place where it says something else."""

    text: str
    wrong: tuple[str, ...]


def has_sessions(path: Path) -> bool:
    return any(b.tag == TAG for b in blocks(path.read_text(encoding="utf-8")))


def run_document(path: Path, name: str, folder: Path, *, is_rewritten: bool = False, start: bool = True) -> Ran:
    """Runs all commands of a document; `name` is what messages call it.

    Unless processes are to be started, calls of `stateglass` are run in this one.
    """
    text = path.read_text(encoding="utf-8")
    shown = {block: parse(block.body) for block in blocks(text) if block.tag == TAG}
    if not HAS_COMPILER:
        shown = {block: [without_compiler(step) for step in steps] for block, steps in shown.items()}
        if is_rewritten or is_about_compiled_code(step for steps in shown.values() for step in steps):
            raise NeedsCompiler(f"there is no compiler: {name} shows what compiled code does")
    now: dict[Block, str] = {}
    wrong: list[str] = []
    for block, steps in shown.items():
        pairs = [(step, run(step, folder, start=start)) for step in steps]
        now[block] = "".join(rewritten(expected, actual).text() for expected, actual in pairs)
        line = text.count("\n", 0, block.start) + 1
        wrong += [
            f"{name}:{line}: expected\n{expected.text()}but got\n{actual.text()}"
            for expected, actual in pairs
            if not matches(expected, actual)
        ]
    return Ran(with_bodies(text, now), tuple(wrong))
