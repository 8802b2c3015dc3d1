"""Compiled loops for claims on large models; imported only when a model is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.compiled import kernels_of

__all__ = ["kernel"]

_ROOM = Path(__file__).parent.parent
kernel = kernels_of("check", (_ROOM / "loops.py", _ROOM / "game_loops.py", *Path(__file__).parent.glob("*.py")))
