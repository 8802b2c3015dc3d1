"""Runs that show what a relation says, or refute it: found by the strategy of whoever asks."""

from stateglass.scenarios.witnesses.annotated import AnnotatedPath, Moment
from stateglass.scenarios.witnesses.finding import witness
from stateglass.scenarios.witnesses.prices import taken_by
from stateglass.scenarios.witnesses.reading import read_strategy
from stateglass.scenarios.witnesses.strategies import NO_FACTS, SHORTEST, Facts, Strategy

__all__ = [
    "NO_FACTS",
    "SHORTEST",
    "AnnotatedPath",
    "Facts",
    "Moment",
    "Strategy",
    "read_strategy",
    "taken_by",
    "witness",
]
