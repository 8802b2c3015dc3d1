"""A changed model from a model and a list of edits: variables that are added or deleted, steps that are, the start."""

from stateglass.evolution.edits.applying import edited, structure_of_edits
from stateglass.evolution.edits.reading import read_edits

__all__ = ["edited", "read_edits", "structure_of_edits"]
