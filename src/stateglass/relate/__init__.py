"""Compares, composes and transforms models; a difference comes with a trace and a formula.

`compare` lays two models side by side (`arena`), makes equivalent states one, and decides: bisimulations by partition,
simulations as a `game` on pairs, traces and failures by `inclusion`. Why two models differ is found afterwards, by
`explain`: `rounds` say how many steps it takes to tell two states apart, `distinguish` makes a formula of that from
`observations`. `compose` is for models that run in parallel (`rules`, `product`), `operators` for changes to one.
"""

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
from stateglass.relate.operators import interface, only, project, reachable, relabel
from stateglass.relate.patience import SECONDS_TO_EXPLAIN, Patience
from stateglass.relate.patterns import Pattern, Renaming
from stateglass.relate.product import MOST_COMPOSED_STATES
from stateglass.relate.rules import Communication, Rule, by_alphabets, by_communication
from stateglass.relate.statecharts import as_statechart

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
    "as_statechart",
    "by_alphabets",
    "by_communication",
    "compare",
    "compose",
    "interface",
    "never_done",
    "only",
    "project",
    "reachable",
    "relabel",
]
