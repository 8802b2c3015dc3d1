"""Runs a system over a value domain and returns the model it found and what it did not see."""

from stateglass.explore.explorer import Budget, Exploration, explore

__all__ = ["Budget", "Exploration", "explore"]
