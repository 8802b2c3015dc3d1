"""Formulas and claims as values: state/event LTL, CTL, modal mu-calculus, patterns in English; read and printed.

`temporal`, `modal` (with `steps`) and `patterns` are the formulas, `predicates` what they say about values, `claims`
what is claimed with them. `reading/` reads all notations; `notation`, `mcrl2`, `expressions`, `wording` print them so
that they can be read back, `sentences` and `english` for people.
"""

from stateglass.logic.english import in_english
from stateglass.logic.mcrl2 import in_mcrl2
from stateglass.logic.modal import (
    FALSE,
    OMITTED,
    TRUE,
    And,
    Constant,
    Ended,
    Equals,
    Forever,
    Formula,
    Necessary,
    Not,
    Omitted,
    Or,
    Possible,
    Reaching,
    conjunction,
    negation,
    parts,
    possible,
    size,
)
from stateglass.logic.outline import fitting, outline
from stateglass.logic.sameness import same
from stateglass.logic.steps import SILENTLY, Do, Piece, Silently

__all__ = [
    "FALSE",
    "OMITTED",
    "SILENTLY",
    "TRUE",
    "And",
    "Constant",
    "Do",
    "Ended",
    "Equals",
    "Forever",
    "Formula",
    "Necessary",
    "Not",
    "Omitted",
    "Or",
    "Piece",
    "Possible",
    "Reaching",
    "Silently",
    "conjunction",
    "fitting",
    "in_english",
    "in_mcrl2",
    "negation",
    "outline",
    "parts",
    "possible",
    "same",
    "size",
]
