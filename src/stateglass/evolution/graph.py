"""Both versions as one graph for a picture: states by their values, calls as arrows, each kept, new or gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stateglass.evidence import Arrow, Became, ChangeGraph, Spot, Version
from stateglass.evolution.matching import Agreement, agreement
from stateglass.evolution.visits import Visited, Visits, visited
from stateglass.model import STABLE, TAU, Model, Verb, parsed
from stateglass.model.model import Ints

MOST_SPOTS: Final = 150
"""With more, only what changed is in the graph, and where it begins and ends."""

_Row = tuple[int, int, int, int, int]


def change_graph(old: Model, new: Model, most: int = MOST_SPOTS) -> ChangeGraph:
    """The graph of two models of which only what counts is left; arrows are sorted by where they begin."""
    steps, agreed = visited(old, new), agreement(old, new)
    before, after = _rows(steps.old, agreed.old), _rows(steps.new, agreed.new)
    starts = {Version.OLD: int(agreed.old[old.initial]), Version.NEW: int(agreed.new[new.initial])}
    seen = [{row[0] for row in rows} | {row[4] for row in rows} for rows in (before, after)]
    seen[0].add(starts[Version.OLD])
    seen[1].add(starts[Version.NEW])
    order = dict.fromkeys([starts[Version.NEW], starts[Version.OLD]])
    rows = sorted(before | after)
    order |= dict.fromkeys(number for row in rows for number in (row[0], row[4]))
    left_out = 0
    if len(order) > most:
        rows = [row for row in rows if not (row in before and row in after)]
        touched = dict.fromkeys(number for row in rows for number in (row[0], row[4]))
        left_out = len(order) - len(touched)
        order = touched
    numbers = {spot: number for number, spot in enumerate(order)}
    spots = tuple(
        Spot(
            _values(spot, old, new, agreed),
            _became(spot in seen[0], spot in seen[1]),
            tuple(version for version, start in starts.items() if start == spot),
        )
        for spot in order
    )
    arrows = tuple(
        Arrow(
            numbers[row[0]],
            numbers[row[4]],
            _label(row, steps),
            _became(row in before, row in after),
        )
        for row in rows
    )
    return ChangeGraph(spots, arrows, left_out)


def _rows(visits: Visits, classes: Ints) -> set[_Row]:
    """The steps by the classes of their ends."""
    columns: Sequence[npt.NDArray[Any]] = (
        classes[visits.sources],
        visits.calls,
        visits.inputs,
        visits.outputs,
        classes[visits.targets],
    )
    table = np.unique(np.stack([column.astype(np.int64) for column in columns], axis=1), axis=0)
    rows: set[_Row] = set(zip(*table.T.tolist(), strict=True))
    return rows


def _became(in_old: bool, in_new: bool) -> Became | None:
    if in_old and in_new:
        return None
    return Became.APPEARED if in_new else Became.VANISHED


def _values(spot: int, old: Model, new: Model, agreed: Agreement) -> tuple[tuple[str, str], ...]:
    for model, classes in ((new, agreed.new), (old, agreed.old)):
        found = np.flatnonzero(classes == spot)
        if len(found):
            values = model.valuation(int(found[0]))
            return tuple((name, value) for name, value in values.items() if name != STABLE and name in agreed.shared)
    raise AssertionError("a state of neither model")


def _label(row: _Row, steps: Visited) -> str:
    """`call(f, 1)`, what was chosen, and what the code said; that it came back is said only with a value."""
    _, call, inputs, outputs, _ = row
    first = steps.labels[call]
    words = [steps.labels[label] for word in (inputs, outputs) for label in steps.words.labels(word)]
    said = [word for word in words if word != TAU and not _is_plain_return(word, first)]
    return ", ".join([first, *said])


def _is_plain_return(label: str, call: str) -> bool:
    action = parsed(label)
    return action.verb is Verb.RETURN and not action.arguments and action.name == parsed(call).name
