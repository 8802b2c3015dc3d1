"""From a model to a smaller one."""

from __future__ import annotations

from collections.abc import Sequence

from stateglass.model import Model
from stateglass.reduce import MOST_TRACE_STATES as MOST_TRACE_STATES
from stateglass.reduce import Equivalence, reduce
from stateglass.reduce import Reduction as Reduction
from stateglass.work import Progress, silent

EQUIVALENCES = tuple(equivalence.value for equivalence in Equivalence)


def reduce_model(
    model: Model,
    by: str,
    keep: Sequence[str] = (),
    most_states: int = MOST_TRACE_STATES,
    progress: Progress = silent,
) -> Reduction:
    """From a model to a smaller one that is equivalent; states are told apart by the propositions to keep, too."""
    return reduce(model, Equivalence(by), keep, progress, most_states)
