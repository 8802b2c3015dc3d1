"""What the exit status of a command means."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, unique
from typing import final


@final
@unique
class Exit(IntEnum):
    """Every exit status there is."""

    OK = 0
    FINDINGS = 1
    BAD_INPUT = 2
    INCONCLUSIVE = 3
    NOTHING_TO_CHECK = 5
    BUG = 101
    INTERRUPTED = 130
    BROKEN_PIPE = 141

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    Exit.OK: "done; all holds, is related, converges",
    Exit.FINDINGS: "findings: violated, vacuous, divergence, absence, partial convergence, unrelated, refuted",
    Exit.BAD_INPUT: "bad input or usage",
    Exit.INCONCLUSIVE: "inconclusive: the model is partial, or unsupported code is in the way",
    Exit.NOTHING_TO_CHECK: "nothing to check",
    Exit.BUG: "a bug in Stateglass",
    Exit.INTERRUPTED: "interrupted; partial results were printed",
    Exit.BROKEN_PIPE: "the reader of the output went away before the answer was complete",
}
assert set(_MEANINGS) == set(Exit)

_GRAVEST_FIRST = (
    Exit.BUG,
    Exit.INTERRUPTED,
    Exit.BROKEN_PIPE,
    Exit.BAD_INPUT,
    Exit.FINDINGS,
    Exit.INCONCLUSIVE,
    Exit.OK,
    Exit.NOTHING_TO_CHECK,
)
assert set(_GRAVEST_FIRST) == set(Exit)


def gravest(exits: Iterable[Exit]) -> Exit:
    """The one status that stands for several answers; no answers at all are nothing to check."""
    return min(exits, key=_GRAVEST_FIRST.index, default=Exit.NOTHING_TO_CHECK)
