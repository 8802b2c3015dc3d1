"""The machines in the manual are machines."""

from __future__ import annotations

import pytest

from scripts.rooms import ROOT
from stateglass.formats.mermaid_reader import parse_chart
from stateglass.reflexion import hypothesis_of
from stateglass.reflexion.notation import Reader, parse_machine
from tests.markdown import Block, blocks

BLOCKS = blocks((ROOT / "docs" / "reflexion.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.tag == "machine"], ids=lambda b: str(b.start))
def test_machines_are_read(block: Block) -> None:
    assert parse_machine(block.body).transitions


def test_the_diagram_and_its_mapping_fit() -> None:
    [diagram] = [b.body for b in BLOCKS if b.tag == "mermaid"]
    [mapping] = [b.body for b in BLOCKS if b.tag == "mapping"]
    drawn = hypothesis_of(parse_chart(diagram.encode(), "x.mmd"), Reader(mapping, "x.machine").hypothesis)
    assert [t.source for t in drawn.hypothesis.transitions] == ["Idle", "Moving", "On", "Off"]
