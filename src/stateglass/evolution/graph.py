"""Both versions as one graph for a picture: states by their values, calls as arrows, each kept, new or gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stateglass.evidence import Arrow, Became, ChangeGraph, Spot, Version
from stateglass.evolution.matching import Agreement, agreement
from stateglass.evolution.visits import Visited, Visits, views
from stateglass.model import STABLE, TAU, Model, Verb, parsed
from stateglass.model.model import Flags, Ints
from stateglass.source import Code, input_error

MOST_SPOTS: Final = 150
"""With more, only what changed is in the graph, and where it begins and ends."""

MOST_CHANGED: Final = 2_000
"""With more, there is no picture, whoever insists."""

_Row = tuple[int, int, int, int, int]


def change_graph(old: Model, new: Model, most: int = MOST_SPOTS) -> ChangeGraph:
    """The graph of two models of which only what counts is left; arrows are sorted by where they begin."""
    steps, agreed = next(views(old, new)), agreement(old, new)
    starts = {Version.OLD: int(agreed.old[old.initial]), Version.NEW: int(agreed.new[new.initial])}
    rows, in_old, in_new = _joined(_columns(steps.old, agreed.old), _columns(steps.new, agreed.new))
    ends = rows[:, [0, 4]]
    seen = [_distinct(ends[flags], start) for flags, start in zip((in_old, in_new), starts.values(), strict=True)]
    every = np.union1d(seen[0], seen[1])
    left_out = 0
    if len(every) > most:
        changed = ~(in_old & in_new)
        rows, in_old, in_new = rows[changed], in_old[changed], in_new[changed]
        shown = np.unique(rows[:, [0, 4]])
        left_out = len(every) - len(shown)
        if len(shown) > MOST_CHANGED:
            message = f"{len(shown):,} states have changes; a picture of more than {MOST_CHANGED:,} cannot be read"
            raise input_error(Code.PICTURE, message, help="give smaller bounds, or --keep fewer variables")
    order = dict.fromkeys([starts[Version.NEW], starts[Version.OLD]]) if not left_out else {}
    order |= dict.fromkeys(rows[:, [0, 4]].ravel().tolist())
    numbers = {spot: number for number, spot in enumerate(order)}
    where = {spot: _place(spot, agreed) for spot in order}
    spots = tuple(
        Spot(
            _values((old, new), where[spot], agreed.shared),
            _became(_has(seen[0], spot), _has(seen[1], spot)),
            tuple(version for version, start in starts.items() if start == spot),
        )
        for spot in order
    )
    arrows = tuple(
        Arrow(numbers[row[0]], numbers[row[4]], _label(row, steps), _became(was, now))
        for row, was, now in zip(map(_row, rows.tolist()), in_old.tolist(), in_new.tolist(), strict=True)
    )
    return ChangeGraph(spots, arrows, left_out)


def _columns(visits: Visits, classes: Ints) -> npt.NDArray[np.int64]:
    """The steps by the classes of their ends, one in each row."""
    columns: Sequence[npt.NDArray[Any]] = (
        classes[visits.sources],
        visits.calls,
        visits.inputs,
        visits.outputs,
        classes[visits.targets],
    )
    return np.stack([column.astype(np.int64) for column in columns], axis=1)


def _joined(old: npt.NDArray[np.int64], new: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Flags, Flags]:
    """The distinct rows of both, in order, and which of them each side has."""
    both = np.concatenate([old, new])
    order = np.lexsort(both.T[::-1])
    ordered, is_old = both[order], order < len(old)
    starts = np.ones(len(both), dtype=np.bool_)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    group = np.cumsum(starts) - 1
    flags = [np.zeros(int(starts.sum()), dtype=np.bool_) for _ in range(2)]
    flags[0][group[is_old]] = True
    flags[1][group[~is_old]] = True
    return ordered[starts], flags[0], flags[1]


def _distinct(ends: npt.NDArray[np.int64], start: int) -> npt.NDArray[np.int64]:
    return np.unique(np.append(ends.ravel(), start))


def _has(ordered: npt.NDArray[np.int64], number: int) -> bool:
    place = int(np.searchsorted(ordered, number))
    return place < len(ordered) and int(ordered[place]) == number


def _row(values: list[int]) -> _Row:
    source, call, inputs, outputs, target = values
    return source, call, inputs, outputs, target


def _became(in_old: bool, in_new: bool) -> Became | None:
    if in_old and in_new:
        return None
    return Became.APPEARED if in_new else Became.VANISHED


def _place(spot: int, agreed: Agreement) -> tuple[int, int]:
    """A state that stands for a class: the side that has it, the new one if both do, and its number."""
    for side, classes in ((1, agreed.new), (0, agreed.old)):
        found = int(np.argmax(classes == spot))
        if classes[found] == spot:
            return side, found
    raise AssertionError("a state of neither model")


def _values(models: tuple[Model, Model], place: tuple[int, int], shared: Sequence[str]) -> tuple[tuple[str, str], ...]:
    side, state = place
    values = models[side].valuation(state)
    return tuple((name, values[name]) for name in shared if name != STABLE)


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
