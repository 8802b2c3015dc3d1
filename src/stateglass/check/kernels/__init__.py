"""Compiled loops for claims on large models; imported only when a model is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.check import game_loops, loops
from stateglass.compiled import kernels_of

__all__ = ["kernel"]

_ROOM = Path(__file__).parent.parent
_SOURCES = (_ROOM / "loops.py", _ROOM / "game_loops.py", *Path(__file__).parent.glob("*.py"))
_PARTS = (loops.missing, loops.joins, loops.at_the_goal, game_loops.with_no_way_out, game_loops.one_way_less)
kernel = kernels_of("check", _SOURCES, _PARTS)
