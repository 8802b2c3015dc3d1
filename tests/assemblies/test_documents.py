"""The designs in the documents and the examples are sound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.rooms import ROOT
from stateglass.assemblies.ccl import print_design, read_design
from stateglass.assemblies.validation import warnings_of
from tests.assemblies.texts import without_places
from tests.markdown import blocks

PAGE = (ROOT / "docs" / "component-designs.md").read_text(encoding="utf-8")
DESIGNS = [block.body for block in blocks(PAGE) if block.tag == "ccl"]
EXAMPLES = sorted((ROOT / "examples").rglob("*.ccl"))


@pytest.mark.parametrize("text", DESIGNS, ids=range(len(DESIGNS)))
def test_designs_in_the_documents_are_sound(text: str) -> None:
    design = read_design(text)
    assert warnings_of(design) == ()
    assert without_places(read_design(print_design(design))) == without_places(design)


def test_there_are_designs() -> None:
    assert len(DESIGNS) >= 3
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_sound(path: Path) -> None:
    design = read_design(path.read_text(encoding="utf-8"))
    assert warnings_of(design) == ()


def test_each_part_can_be_imported_alone() -> None:
    for part in ("charts", "ccl", "validation", "claims", "loading", "syntax.actions"):
        command = [sys.executable, "-c", f"import stateglass.assemblies.{part}"]
        assert subprocess.run(command, check=False).returncode == 0
