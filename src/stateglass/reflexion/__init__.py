"""Holds a hypothesis against the code."""

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
    "Hypothesis",
    "Let",
    "StateClaim",
    "TransitionClaim",
    "probes_of",
]
