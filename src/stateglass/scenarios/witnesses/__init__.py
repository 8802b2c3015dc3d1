"""Runs that show what a relation says, or refute it: found by the strategy of whoever asks."""

from stateglass.scenarios.witnesses.annotated import AnnotatedPath, Moment
from stateglass.scenarios.witnesses.finding import witness

__all__ = ["AnnotatedPath", "Moment", "witness"]
