"""Golden cases: a Markdown file with a paragraph that says what is specified, inputs, and the expected results.

Each result is a fenced block; `pytest --update-cases` rewrites it from what the code gives now.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from tests.markdown import blocks, ended, fenced, prose, with_bodies

CASES = Path(__file__).parent / "cases"
TARGET: Final = "x86_64-linux-gnu"
"""Sizes and signs are part of what is expected, so the machine the tests run on must not matter."""


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One golden case; the folder of its file names the stage it is about."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def specified(self) -> str:
        """The words around the blocks."""
        return prose(self.text)

    def get(self, tag: str) -> str | None:
        """The content of the block with this tag, if there is one."""
        return next((block.body for block in blocks(self.text) if block.tag == tag), None)

    def block(self, tag: str) -> str:
        """The content of the block with this tag, which must be there."""
        body = self.get(tag)
        assert body is not None, f"{self.path}: there is no ```{tag} block"
        return body

    @property
    def files(self) -> dict[str, str]:
        """The files of a case: the block `c` as `NAME.c`, and blocks that are called like a file."""
        found = {
            f"{self.name}.{block.tag}" if block.tag in ("c", "cpp") else block.tag: block.body
            for block in blocks(self.text)
        }
        return {name: text for name, text in found.items() if "." in name}

    def write_files(self, folder: Path) -> list[str]:
        """Puts the files into a folder; the names of those with code."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return [name for name in self.files if name.endswith((".c", ".cpp"))]

    def check(self, tag: str, actual: str, update: bool) -> None:
        """Compares a result with its block, or rewrites the block; a missing block is added at the end."""
        if update:
            self._rewrite(tag, actual)
            return
        expected = self.block(tag)
        if ended(actual) != expected:
            diff = difflib.unified_diff(
                expected.splitlines(), ended(actual).splitlines(), "expected", "actual", lineterm=""
            )
            advice = "if this is meant: pytest --update-cases, and read the difference before you commit it"
            raise AssertionError("\n".join([f"{self.path}: ```{tag} differs", *diff, advice]))

    def _rewrite(self, tag: str, actual: str) -> None:
        # Another block of the same file may have been rewritten since it was loaded.
        text = self.path.read_text(encoding="utf-8")
        found = next((block for block in blocks(text) if block.tag == tag), None)
        text = with_bodies(text, {found: actual}) if found else text.rstrip("\n") + "\n\n" + fenced(tag, actual)
        self.path.write_text(text, encoding="utf-8")


def load_cases(folder: str | Path) -> list[Case]:
    """The cases of a stage, in order of their names. A folder without cases is a mistake, as is a repeated tag."""
    where = CASES / folder
    cases = [Case(path, path.read_text(encoding="utf-8")) for path in sorted(where.glob("*.md"))]
    assert cases, f"there are no cases in {where}"
    for case in cases:
        tags = [block.tag for block in blocks(case.text)]
        assert len(tags) == len(set(tags)), f"{case.path}: a tag is used twice"
        assert case.specified, f"{case.path}: a paragraph must say what is specified"
    return cases
