"""Compiled loops over large files and what is in them; imported only when a file is large."""

from __future__ import annotations

from pathlib import Path

from stateglass.compiled import kernels_of

__all__ = ["kernel"]

_FOLDER = Path(__file__).parent
kernel = kernels_of("formats", _FOLDER.glob("*.py"))
