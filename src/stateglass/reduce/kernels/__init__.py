"""Compiled loops over the arrays of large models; imported only when a model is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.compiled import kernels_of

__all__ = ["kernel"]

_FOLDER = Path(__file__).parent
kernel = kernels_of("reduce", (_FOLDER.parent / "loops.py", *_FOLDER.glob("*.py")))
