"""Runs a system over a value domain and returns the model it found and what it did not see."""

from stateglass.explore.explorer import Exploration, explore
from stateglass.explore.manner import Manner

__all__ = ["Exploration", "Manner", "explore"]
