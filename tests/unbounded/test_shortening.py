"""Walks are made nicer where that costs little."""

from __future__ import annotations

from pathlib import Path

import pytest

from stateglass.unbounded.reachability import bmc
from stateglass.unbounded.results import Walk
from stateglass.unbounded.time import Deadline
from stateglass.unbounded.walks import shortening
from stateglass.unbounded.walks.shortening import simplified
from tests.unbounded.flows import bad_rests, flow_in, system_of

COUNTS = """
#include <assert.h>
int main(void) { unsigned n = 0; for (;;) { n++; assert(n != 30); } }
"""
ASKS = """
#include <assert.h>
int read_number(void);
int main(void) { unsigned n = 0; for (;;) { n += read_number() > 4000; assert(n != 3); } }
"""


@pytest.fixture(autouse=True)
def as_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bmc, "simplified", lambda flow, walk, time: walk)


def test_what_has_no_choices_is_nice(tmp_path: Path) -> None:
    flow = flow_in(system_of(tmp_path, COUNTS))
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    assert simplified(flow, walk, Deadline(50)) is walk


def test_a_walk_that_is_too_long_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = flow_in(system_of(tmp_path, ASKS))
    walk = bmc.run(flow, bad_rests(flow), Deadline(50))
    assert isinstance(walk, Walk)
    assert simplified(flow, walk, Deadline(50)) is not walk
    monkeypatch.setattr(shortening, "MOST_EFFORT", len(walk.stretches))
    assert simplified(flow, walk, Deadline(50)) is walk
