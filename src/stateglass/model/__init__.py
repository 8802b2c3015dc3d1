"""Labelled Kripke structures on flat integer arrays, immutable once built; labels, propositions, paths, lassos."""

from stateglass.model.actions import Action, Verb, is_error, parsed
from stateglass.model.builder import ModelBuilder
from stateglass.model.model import (
    NO_RUN,
    NO_RUN_YET,
    STABLE,
    TAU,
    Model,
    Origin,
    Proposition,
    Relation,
    Sort,
)
from stateglass.source import Assumption

__all__ = [
    "NO_RUN",
    "NO_RUN_YET",
    "STABLE",
    "TAU",
    "Action",
    "Assumption",
    "Model",
    "ModelBuilder",
    "Origin",
    "Proposition",
    "Relation",
    "Sort",
    "Verb",
    "is_error",
    "parsed",
]
