"""Compares, composes and transforms models; a difference comes with a trace and a formula."""

from stateglass.relate.answers import (
    RELATIONS,
    Answer,
    By,
    Claim,
    Preorder,
    Related,
    Side,
    Trace,
    Traces,
    Undecided,
    Unrelated,
)
from stateglass.relate.compare import MOST_CASES, compare
from stateglass.relate.compose import compose, never_done
from stateglass.relate.operators import only, project, reachable, relabel
from stateglass.relate.patience import SECONDS_TO_EXPLAIN, Patience
from stateglass.relate.patterns import Pattern, Renaming
from stateglass.relate.product import MOST_COMPOSED_STATES
from stateglass.relate.rules import Communication, Rule, by_alphabets, by_communication

__all__ = [
    "MOST_CASES",
    "MOST_COMPOSED_STATES",
    "RELATIONS",
    "SECONDS_TO_EXPLAIN",
    "Answer",
    "By",
    "Claim",
    "Communication",
    "Patience",
    "Pattern",
    "Preorder",
    "Related",
    "Renaming",
    "Rule",
    "Side",
    "Trace",
    "Traces",
    "Undecided",
    "Unrelated",
    "by_alphabets",
    "by_communication",
    "compare",
    "compose",
    "never_done",
    "only",
    "project",
    "reachable",
    "relabel",
]
