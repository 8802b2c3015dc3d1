"""How long work may take, and when exploration looks at the clock."""

from __future__ import annotations

import math
from itertools import count
from pathlib import Path

from stateglass.explore import Manner, explore
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
from stateglass.work import lateness

WIDE = "unsigned level; void step(unsigned char by) { level = level * 31 + by; }"


def test_the_clock_is_looked_at_by_transitions(tmp_path: Path) -> None:
    """A state with many of them may take as long as hundreds of others."""
    (tmp_path / "code.c").write_text(WIDE, encoding="utf-8")
    options = ExtractOptions((str(tmp_path / "code.c"),), bounds=(("step.by", "0..199"),))
    system = assemble(read(options), options)
    ticks = count()
    found = explore(system, Manner(timeout=8), clock=lambda: float(next(ticks)))
    assert found.model.origin.partial[0].startswith("stopped after 8 s")
    assert len(found.model.targets) < 9 * 512


def test_work_ends_with_what_it_is_a_part_of() -> None:
    assert Manner(timeout=5).left() == 5
    assert Manner(timeout=5, end=103).left(lambda: 100.0) == 3
    assert Manner(timeout=5, end=103).left(lambda: 104.0) == 0
    assert Manner(timeout=5, end=math.inf).late() == 5 + lateness(5)
