"""What tells states apart before any step is taken: ends, unexplored states, and the propositions to keep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stateglass.model import Model, Proposition
from stateglass.model.model import Ints
from stateglass.source import Code, Diagnostic, InputError, suggestion


def kept_propositions(model: Model, keep: Sequence[str]) -> tuple[Proposition, ...]:
    """The propositions with these names; unknown names are the user's mistake."""
    by_name = {p.name: p for p in model.propositions}
    unknown = [name for name in dict.fromkeys(keep) if name not in by_name]
    if unknown:
        none = "it has none" if not by_name else ""
        raise InputError(
            Diagnostic(
                Code.UNKNOWN_NAME, f"the model has no proposition `{name}`", help=none or suggestion(name, by_name)
            )
            for name in unknown
        )
    return tuple(by_name[name] for name in dict.fromkeys(keep))


def colours(model: Model, keep: Sequence[str] = ()) -> Ints:
    """A number per state, equal where terminal and unexplored marks and the propositions to keep are."""
    columns: list[npt.NDArray[np.int64]] = []
    for flags in (model.terminal, model.unexplored):
        if flags is not None:
            columns.append(flags.astype(np.int64))
    for proposition in kept_propositions(model, keep):
        values = proposition.values
        # By bits: what is not a number is equal to itself here, and -0.0 is not 0.0, as in their texts.
        numbers = np.ascontiguousarray(values).view(np.int64)
        if values.dtype.kind == "f":
            numbers = np.where(np.isnan(values), np.int64(-1), numbers)
        if proposition.defined is not None:
            columns.append(proposition.defined.astype(np.int64))
            numbers = np.where(proposition.defined, numbers, np.int64(0))
        columns.append(numbers)
    colour = np.zeros(model.states, dtype=np.int64)
    for column in columns:
        _, number = np.unique(column, return_inverse=True)
        _, colour = np.unique(colour * (int(number.max()) + 1) + number, return_inverse=True)
    return colour.astype(np.int32)
