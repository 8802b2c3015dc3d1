"""How long work may take, and when exploration looks at the clock."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from stateglass.explore import Manner, explore, explorer
from stateglass.model import Model, builder
from stateglass.operations.assembling import assemble, read
from stateglass.options import ExtractOptions
from stateglass.work import OutOfTime, lateness

WIDE = "unsigned level; void step(unsigned char by) { level = level * 31 + by; }"
DROPPING = """\
void __VERIFIER_assume(int);
static unsigned level;
void step(unsigned by) { if (level < 4) level += by; __VERIFIER_assume(level != 3); }
"""


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


def _left_at(line: int, files: Collection[str], error: type[BaseException]) -> Callable[..., Any]:
    """A tracer that ends work before a line of some files, counted by how often any of them is run."""
    passed = count()

    def tracer(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        if event == "line" and next(passed) == line:
            raise error
        return tracer

    return tracer


def _does(model: Model) -> set[tuple[str, str, str]]:
    texts = [str(model.valuation(state)) for state in range(model.states)]
    rows = zip(model.sources, model.actions, model.targets, strict=True)
    return {(texts[source], model.labels[action], texts[target]) for source, action, target in rows}


@pytest.mark.parametrize("error", [OutOfTime, KeyboardInterrupt])
def test_what_is_left_anywhere_is_part_of_the_whole(error: type[BaseException], tmp_path: Path) -> None:
    (tmp_path / "code.c").write_text(DROPPING, encoding="utf-8")
    options = ExtractOptions((str(tmp_path / "code.c"),), bounds=(("step.by", "0..2"),))
    system = assemble(read(options), options)
    files = {explorer.__file__, builder.__file__}
    whole = _does(explore(system).model)
    partial = 0
    for line in count():
        before = sys.gettrace()
        sys.settrace(_left_at(line, files, error))
        try:
            model = explore(system).model
        except error:
            continue  # outside of the exploration itself
        finally:
            sys.settrace(before)
        assert _does(model) <= whole
        if not model.partial:
            break
        partial += 1
    assert partial > 100
