"""Holds a hypothesis against the code."""

from stateglass.reflexion.drawn import Drawn, hypothesis_of
from stateglass.reflexion.hypothesis import (
    ERROR,
    OTHER,
    Hypothesis,
    Let,
    StateClaim,
    TransitionClaim,
    probes_of,
)

__all__ = [
    "ERROR",
    "OTHER",
    "Drawn",
    "Hypothesis",
    "Let",
    "StateClaim",
    "TransitionClaim",
    "hypothesis_of",
    "probes_of",
]
