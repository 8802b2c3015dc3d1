"""The loops of `loops.py`, compiled; imported only when a model is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.compiled import kernels_of
from stateglass.scenarios.witnesses import loops

_kernel = kernels_of(
    "witnesses",
    (Path(__file__), Path(__file__).with_name("loops.py")),
    (loops.less, loops.rise, loops.take, loops.offer, loops.beats, loops.traced, loops.round_from),
)

least = _kernel(loops.least)
rounds = _kernel(loops.rounds)
ranks = _kernel(loops.ranks)
