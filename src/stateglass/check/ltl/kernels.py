"""The loops of `loops.py`, compiled; imported only when a model is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.check.ltl import loops
from stateglass.compiled import kernels_of

_PARTS = (loops.entered, loops.joined, loops.completed)
_kernel = kernels_of("ltl", (Path(__file__).parent / "loops.py",), _PARTS)

explored = _kernel(loops.explored)
approached = _kernel(loops.approached)
induced = _kernel(loops.induced)
