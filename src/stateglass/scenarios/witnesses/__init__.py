"""Runs that show what a relation says, or refute it: found by the strategy of whoever asks.

`strategies` are aims, as `reading` has them from a text; by them `prices` says what each step costs, or `custom`
functions of somebody's own. `phases` says what a run has to do. `search` puts it together from the cheapest ways over
the `ground` and `rounds` that go on for ever, or `greedy` step by step; `finding` takes the best. What is found is
`annotated` with what is to be shown at each place, and `obligations` checks that by its definition, with `values` of
its own.
"""

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
