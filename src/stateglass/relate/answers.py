"""What a comparison can ask, and what it can answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import final

from stateglass.logic import Formula
from stateglass.reduce import Equivalence


@final
@unique
class Preorder(Enum):
    """Relations in one direction: the first model does nothing that the second could not; names are those of `--by`."""

    SIMULATION = "simulation"
    WEAK_SIMULATION = "weaksimulation"
    TRACE_INCLUSION = "traceinclusion"
    WEAK_TRACE_INCLUSION = "weaktraceinclusion"
    FAILURES = "failures"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    Preorder.SIMULATION: "simulation: the second model can follow every step of the first",
    Preorder.WEAK_SIMULATION: "weak simulation: the same, silent steps aside",
    Preorder.TRACE_INCLUSION: "trace inclusion: every trace of the first model is one of the second",
    Preorder.WEAK_TRACE_INCLUSION: "weak trace inclusion: the same for sequences of visible actions",
    Preorder.FAILURES: "failures refinement: weak trace inclusion, and the first model refuses nothing more",
}
assert set(_MEANINGS) == set(Preorder)

By = Equivalence | Preorder
RELATIONS: dict[str, By] = {by.value: by for by in (*Equivalence, *Preorder) if by is not Equivalence.PEEPHOLE}


@final
@unique
class Side(Enum):
    """One of the two models of a comparison."""

    FIRST = 0
    SECOND = 1


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """A shortest sequence of actions that only one model can do, or a short one if the shortest takes long to find.

    Or both can, but only this one comes to a state that looks like this (`ending`, a clause), or that refuses these.
    """

    of: Side
    labels: tuple[str, ...]
    ending: str = ""
    refused: tuple[str, ...] | None = None


@final
@unique
class Traces(Enum):
    """Whether traces tell the two models apart."""

    DIFFER = "differ"
    SAME = "same"  # for a preorder: those of the first model are among those of the second
    UNKNOWN = "unknown"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """A formula that should be true of one model and false of the other."""

    formula: Formula
    true_of: Side


@final
@dataclass(frozen=True, slots=True)
class Related:
    """The models are related as was asked."""


@final
@dataclass(frozen=True, slots=True)
class Unrelated:
    """They are not. `claims` say why, the best first; if `needs_proof`, one of them must be confirmed for that."""

    traces: Traces
    trace: Trace | None
    claims: tuple[Claim, ...]
    needs_proof: bool
    without_formula: str = ""  # why there is no claim
    interrupted: bool = False  # the search for reasons was; the answer itself stands


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """It cannot be said, and this is why."""

    reason: str


Answer = Related | Unrelated | Undecided
