"""The papers' tables: what stands beside them is what was measured."""

from __future__ import annotations

import re

from benchmarks.state_functions import ROWS
from scripts.rooms import ROOT

FIGURES = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "papers" / "reflexion-models.md").read_text(encoding="utf-8")


def test_the_times_of_reflexion_are_those_of_the_figures() -> None:
    for row in ROWS:
        name = row.name
        plain = re.search(rf"^\| {name}, {row.states} states: (\d+) transitions \| ([^|]*) \|", FIGURES, re.M)
        whole = re.search(rf"^\| {name}: and their conditions, \d+ exact \| ([^|]*) \|", FIGURES, re.M)
        shown = re.search(rf"^\| {name} \|.*\|$", PAGE, re.M)
        assert plain, name
        assert whole, name
        assert shown, name
        cells = [cell.strip() for cell in shown[0].strip("|").split("|")]
        assert cells[1].startswith(f"{row.variables}, {len(row.parts)}")
        assert cells[2:4] == [f"{row.lines}, {row.mccabe}", str(row.states)]
        assert cells[4] == f"{row.transitions:,}, {int(plain[1]):,}"
        assert cells[-2:] == [plain[2], whole[1]], "docs/figures.md was measured anew: take over the times"
