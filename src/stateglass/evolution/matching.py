"""Which states of two models agree in all propositions that both have, by name and by the text of the value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt

from stateglass.graphs.adjacency import Indices, spread
from stateglass.model import Model, Proposition, Sort
from stateglass.model.model import Ints

_MOST_BITS: Final = 62
_UNDEFINED: Final = "?"


@final
@dataclass(frozen=True, eq=False)
class Agreement:
    """A number for each state of both models; states with the same number agree."""

    shared: tuple[str, ...]  # propositions of both models
    deleted: tuple[str, ...]  # of the old one only
    added: tuple[str, ...]  # of the new one only
    old: Ints
    new: Ints


@final
@dataclass(frozen=True, eq=False)
class Coded:
    """A proposition as small numbers: `texts[codes[s]]` is its value in state s."""

    texts: tuple[str, ...]
    codes: Ints


def agreement(old: Model, new: Model) -> Agreement:
    """Compares states by what both models show; linear, up to sorting."""
    before = {p.name: p for p in old.propositions}
    after = {p.name: p for p in new.propositions}
    shared = tuple(name for name in before if name in after)
    classes = combined((joint(before[name], after[name]) for name in shared), old.states + new.states)
    return Agreement(
        shared,
        tuple(name for name in before if name not in after),
        tuple(name for name in after if name not in before),
        classes[: old.states],
        classes[old.states :],
    )


def coded(proposition: Proposition) -> Coded:
    """The values by their texts; two values with one text are one, and a value that does not exist is `?`."""
    values = np.ascontiguousarray(proposition.values)
    # As bits: 0.0 and -0.0 are equal, but not as text.
    distinct, numbers = numbered(values.view(np.int64))
    bare = Proposition(proposition.name, proposition.sort, distinct.view(values.dtype), proposition.names)
    table: dict[str, int] = {}
    codes = np.array([table.setdefault(bare.text(n), len(table)) for n in range(len(distinct))], dtype=np.int32)
    result = codes[numbers]
    if proposition.defined is not None and not proposition.defined.all():
        result = np.where(proposition.defined, result, np.int32(table.setdefault(_UNDEFINED, len(table))))
    return Coded(tuple(table), result)


def joint(old: Proposition, new: Proposition) -> Ints:
    """One column for the states of both models in which equal numbers are equal texts."""
    if _alike(old) and _alike(new):
        # Texts of such integers are equal if the integers are.
        return numbered(np.concatenate([old.values, new.values]))[1]
    before, after = coded(old), coded(new)
    _, numbers = in_one_table(before.texts, after.texts)
    return np.concatenate([before.codes, numbers[after.codes]])


def in_one_table(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The texts of both, each once, and where those of the second stand; those of the first keep their places."""
    table = {text: number for number, text in enumerate(first)}
    numbers = np.array([table.setdefault(text, len(table)) for text in second], dtype=np.int32)
    return tuple(table), numbers


def combined(columns: Iterable[Ints], rows: int) -> Ints:
    """A number for each row; rows have the same one if they are the same in all columns."""
    key = np.zeros(rows, dtype=np.int64)
    bits = 0
    for column in columns:
        more = int(column.max(initial=0)).bit_length()
        if bits + more > _MOST_BITS:
            key = numbered(key)[1].astype(np.int64)
            bits = int(key.max(initial=0)).bit_length()
        key = key << more | column
        bits += more
    return numbered(key)[1]


def numbered(values: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Ints]:
    """The distinct values, ascending, and for each place the number of its value among them."""
    if not len(values):
        return values, np.zeros(0, dtype=np.int32)
    low, high = int(values.min()), int(values.max())
    if high - low <= 4 * len(values) + 1024:
        # A table is faster than sorting where values are close together.
        places = values - low
        present = np.zeros(high - low + 1, dtype=np.bool_)
        present[places] = True
        numbers = np.cumsum(present, dtype=np.int32) - np.int32(1)
        return np.flatnonzero(present) + low, numbers[places]
    distinct, inverse = np.unique(values, return_inverse=True)
    return distinct, inverse.astype(np.int32)


def joined(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> tuple[Indices, Indices]:
    """All pairs of places at which both have the same value, ordered by the place on the left."""
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    starts = np.searchsorted(ordered, left, side="left").astype(np.int64)
    counts = np.searchsorted(ordered, left, side="right") - starts
    return np.repeat(np.arange(len(left), dtype=np.int64), counts), order[spread(starts, counts)]


def join_size(left: Ints, right: Ints) -> int:
    """How many pairs `joined` would find among small numbers."""
    most = int(max(left.max(initial=0), right.max(initial=0))) + 1
    return int(np.bincount(left, minlength=most).astype(np.int64) @ np.bincount(right, minlength=most))


def _alike(proposition: Proposition) -> bool:
    """Whether values are plain integers that exist everywhere and have no names."""
    return (
        proposition.sort in (Sort.INT, Sort.POINTER)
        and not proposition.names
        and proposition.values.dtype == np.int64
        and (proposition.defined is None or bool(proposition.defined.all()))
    )
