"""What an engine comes back with: a proof, a walk to what must not be reached, or that it gave up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from stateglass.evidence import Reason
from stateglass.smt import Term


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """Why something cannot be reached: a condition for each rest that holds whenever code rests there.

    It is no more than a suggestion until `proofs.check` has found it inductive. With a `depth` it is so in another way:
    a run comes nowhere that is ruled out within so many stretches, and is over by then or would need no more than that
    from anywhere.
    """

    invariant: tuple[Term, ...]  # by the number of the rest, over its slots; false: never reached
    engine: str
    rounds: int = 0
    predicates: int = 0
    depth: int = 0  # 0: no stretch leaves the conditions
    is_over: bool = False  # after `depth` stretches every run is


@final
@dataclass(frozen=True, slots=True)
class Walk:
    """Stretches one after the other, and the values that make them possible.

    It is a candidate until the reference semantics has followed it.
    """

    stretches: tuple[int, ...]
    values: tuple[Mapping[Term, int], ...]  # for each stretch: of the slots of its source and of what is chosen
    engine: str
    rounds: int = 0
    predicates: int = 0


@final
@dataclass(frozen=True, slots=True)
class GivenUp:
    """Why an engine knows no answer, and how far it came."""

    reason: Reason
    why: str
    engine: str
    rounds: int = 0
    predicates: int = 0
    candidate: Walk | None = None  # the last one that was not refuted


Result = Proof | Walk | GivenUp
