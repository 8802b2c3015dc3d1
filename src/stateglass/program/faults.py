"""The kinds of error that a run of C code can end with."""

from __future__ import annotations

from enum import Enum, unique
from typing import Final, final


@final
@unique
class FaultKind(Enum):
    """The kinds of undefined behaviour and of failure: what stands in `error(…)`."""

    OVERFLOW = "overflow"
    SHIFT = "shift"
    DIVISION = "division"
    BOUNDS = "bounds"
    NULL = "null"
    DANGLING = "dangling"
    UNINITIALISED = "uninitialised"
    BOOL = "bool"
    ALIGNMENT = "alignment"
    OVERLAP = "overlap"
    READONLY = "readonly"
    CALL = "call"
    FREE = "free"
    ASSERTION = "assertion"
    ABORT = "abort"
    UNREACHABLE = "unreachable"
    PROCESS = "process"


DELIBERATE: Final = frozenset({FaultKind.ASSERTION, FaultKind.ABORT, FaultKind.PROCESS})
"""Errors that the code, or a process, itself declares; the rest is undefined behaviour."""
REACHED: Final = frozenset({"reach_error", "__VERIFIER_error"})
"""In programs of verification competitions, to call one of these is a failed assertion, whatever its body does."""
