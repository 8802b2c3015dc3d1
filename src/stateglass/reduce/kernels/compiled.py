"""The loops of `loops.py`, compiled."""

from __future__ import annotations

from stateglass.reduce import loops
from stateglass.reduce.kernels import kernel

skipped = kernel(loops.skipped)
closed = kernel(loops.closed)
silently_reached = kernel(loops.silently_reached)
visibly_reached = kernel(loops.visibly_reached)
needed = kernel(loops.needed)
