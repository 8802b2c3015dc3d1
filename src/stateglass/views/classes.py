"""What the states of a reduced model stand for: which values variables have in the states that are one there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stateglass.formats.valuations import changing
from stateglass.model import STABLE, Model, Proposition
from stateglass.model.model import Ints
from stateglass.source import counted
from stateglass.views.terminal import wrapped

MOST_CLASSES: Final = 40
MOST_VALUES: Final = 8
MOST_LINES: Final = 12


def values_within(model: Model, states: Ints) -> dict[str, list[str]]:
    """The values, in ascending order, that the variables of a model have in some of its states."""
    return {p.name: _texts(p, states) for p in model.propositions}


def class_table(model: Model, members: Sequence[Ints], initial: int, width: int) -> str:
    """For each class of states how many these are, and the values that what changes in the model has in them."""
    digits = len(str(len(members) - 1))
    propositions = changing(model)
    stable = model.proposition(STABLE)
    lines: list[str] = []
    for number, states in enumerate(members[:MOST_CLASSES]):
        head = f"{'>' if number == initial else ' '} {number:>{digits}}  {counted(len(states), 'state')}"
        between = ", stable" if stable is not None and stable.values[states].all() else ""
        lines.append(head + between)
        lines += wrapped(" " * (digits + 2), [_described(p, states) for p in propositions], width)[:MOST_LINES]
    if len(members) > MOST_CLASSES:
        lines.append(f"… {len(members) - MOST_CLASSES:,} more states")
    return "\n".join(lines) + "\n"


def _described(proposition: Proposition, states: Ints) -> str:
    texts = _texts(proposition, states)
    more = f" … ({len(texts):,} values)" if len(texts) > MOST_VALUES else ""
    return f"{proposition.name} = {' | '.join(texts[:MOST_VALUES])}{more}"


def _texts(proposition: Proposition, states: Ints) -> list[str]:
    """The different values of a proposition in some states, as texts."""
    known = np.ones(len(states), dtype=np.bool_) if proposition.defined is None else proposition.defined[states]
    defined = states[known]
    _, firsts = np.unique(proposition.values[defined], return_index=True)
    found = [proposition.text(int(s)) for s in (*defined[firsts], *states[~known][:1])]
    return list(dict.fromkeys(found))
