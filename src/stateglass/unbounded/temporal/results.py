"""What comes of a linear claim on unbounded data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stateglass.evidence import Answer
from stateglass.explore.stretches import Flow, Rest
from stateglass.logic.claims import Claim
from stateglass.model import Model
from stateglass.smt import Term
from stateglass.unbounded.given import Posed
from stateglass.unbounded.results import Walk


@final
@dataclass(frozen=True, slots=True)
class Decided:
    """A claim with its answer: a complete abstraction, or a run that was executed."""

    claim: Claim
    answer: Answer
    model: Model  # the one that the states of its evidence belong to
    watch: frozenset[str] = frozenset()  # variables of the code whose every value is seen
    rounds: int = 0
    predicates: int = 0
    states: int = 0  # of the abstraction
    found: tuple[tuple[Rest, tuple[Term, ...]], ...] = ()  # the predicates at each rest
    posed: tuple[Posed, ...] = ()  # those of the user
    walk: tuple[Flow, Walk] | None = None  # of a run that violates the claim
