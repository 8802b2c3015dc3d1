"""What checking a linear formula may cost before it is given up: automata can be exponential in their formula."""

from __future__ import annotations

from typing import Final, final

TERMS: Final = 300_000
"""Formulas that may occur on the way, bounded operators written out included."""
MEMBERS: Final = 1_000_000
"""Their parts, added up."""
ALTERNATIVES: Final = 1_500_000
"""Sizes of all the ways to satisfy formulas in one step, added up."""
WORK: Final = 200_000_000
"""The same for all that these are put together from."""
STATES: Final = 60_000
"""States of an automaton."""
SETS: Final = 400_000
"""Sets of states that an automaton can be in, times the kinds of letters that lead on from each."""
LETTERS: Final = 1 << 24
"""Kinds of positions that the atoms of a formula tell apart."""
TABLE: Final = 1 << 27
"""Entries of the table from states and letters to transitions."""
MARKS: Final = 62
"""Conditions that a run has to meet again and again: the bits of a machine word."""


@final
class TooLargeError(Exception):
    """A limit was met; the text is a clause that says which."""
