"""The loops of `loops.py` and `game_loops.py`, compiled."""

from __future__ import annotations

from stateglass.check import game_loops, loops
from stateglass.check.kernels import kernel

incoming = kernel(loops.incoming)
until = kernel(loops.until)
somewhere = kernel(loops.somewhere)
attracted = kernel(game_loops.attracted)
