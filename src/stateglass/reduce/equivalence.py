"""The equivalences by which a model can be made smaller."""

from __future__ import annotations

from enum import Enum, unique
from typing import final


@final
@unique
class Equivalence(Enum):
    """What is to stay the same; the names are those of `--by`."""

    PEEPHOLE = "peephole"
    STRONG = "strong"
    BRANCHING = "branching"
    DPBRANCHING = "dpbranching"
    WEAK = "weak"
    DPWEAK = "dpweak"
    TRACE = "trace"
    WEAKTRACE = "weaktrace"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    Equivalence.PEEPHOLE: "states that only take one silent step are skipped",
    Equivalence.STRONG: "strong bisimulation: every step counts, silent ones too",
    Equivalence.BRANCHING: "branching bisimulation: silent steps that decide nothing are dropped",
    Equivalence.DPBRANCHING: "divergence-preserving branching bisimulation: the same, and endless silence is kept",
    Equivalence.WEAK: "weak bisimulation: silent steps may come before and after each visible one",
    Equivalence.DPWEAK: "divergence-preserving weak bisimulation: the same, and endless silence is kept",
    Equivalence.TRACE: "traces: the same sequences of actions, silent ones included",
    Equivalence.WEAKTRACE: "weak traces: the same sequences of visible actions",
}
assert set(_MEANINGS) == set(Equivalence)
