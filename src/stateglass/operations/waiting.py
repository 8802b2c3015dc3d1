"""What a face tells somebody who waits, beside how far the work has come."""

from __future__ import annotations

from stateglass.compiled import told_of_compiling as told_of_compiling
