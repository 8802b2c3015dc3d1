"""Builds a model transition by transition; what comes out is sorted, checked and frozen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np
import numpy.typing as npt

from stateglass.model.model import Flags, Ints, Model, Origin, Proposition
from stateglass.source import Span


@final
class ModelBuilder:
    """Collects transitions in the order they are found."""

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}
        self._spans: dict[Span, int] = {}
        self._rows: list[tuple[int, int, int, int]] = []  # with the number of the span

    def label(self, text: str) -> int:
        return self._labels.setdefault(text, len(self._labels))

    def span(self, span: Span | None) -> int:
        """The number of a span, -1 for none; to be passed as `state_spans` to `build`."""
        if span is None:
            return -1
        return self._spans.setdefault(span, len(self._spans))

    def add(self, source: int, label: str, target: int, span: Span | None = None) -> None:
        # At once or not at all: whoever adds them may be interrupted anywhere.
        self._rows.append((source, self.label(label), target, self.span(span)))

    def build(
        self,
        states: int,
        initial: int = 0,
        *,
        propositions: Iterable[Proposition] = (),
        terminal: Iterable[int] = (),
        unexplored: Iterable[int] = (),
        state_spans: Sequence[int] | None = None,
        origin: Origin | None = None,
    ) -> Model:
        rows = np.array(self._rows, dtype=np.int32).reshape(-1, 4)
        rows = rows[canonical_order(rows[:, 0], rows[:, 1], rows[:, 2])]
        row_spans = rows[:, 3].copy()
        return Model(
            states=states,
            initial=initial,
            sources=rows[:, 0].copy(),
            actions=rows[:, 1].copy(),
            targets=rows[:, 2].copy(),
            labels=tuple(self._labels),
            propositions=tuple(propositions),
            terminal=_flags(terminal, states),
            unexplored=_flags(unexplored, states),
            spans=tuple(self._spans),
            state_spans=None if state_spans is None else np.array(state_spans, dtype=np.int32),
            transition_spans=row_spans if (row_spans >= 0).any() else None,
            origin=origin or Origin(),
        )


def _flags(members: Iterable[int], states: int) -> Flags | None:
    flags = np.zeros(states, dtype=np.bool_)
    flags[list(members)] = True
    return flags if flags.any() else None


def canonical_order(sources: Ints, actions: Ints, targets: Ints) -> npt.NDArray[np.int64]:
    """The transitions to keep, in their order: sorted by (source, action, target), duplicates dropped."""
    order = np.lexsort((targets, actions, sources))
    if len(order) < 2:
        return order.astype(np.int64)
    s, a, t = sources[order], actions[order], targets[order]
    fresh = np.ones(len(order), dtype=np.bool_)
    fresh[1:] = (s[1:] != s[:-1]) | (a[1:] != a[:-1]) | (t[1:] != t[:-1])
    return order[fresh].astype(np.int64)


def canonical_columns(sources: Ints, actions: Ints, targets: Ints) -> tuple[Ints, Ints, Ints]:
    """The columns in canonical order; a transition that fits into 64 bits is sorted as one number, which is faster."""
    if _is_canonical(sources, actions, targets):
        return sources, actions, targets
    action_bits, target_bits = (int(column.max()).bit_length() for column in (actions, targets))
    if int(sources.max()).bit_length() + action_bits + target_bits > 63:
        order = canonical_order(sources, actions, targets)
        return sources[order], actions[order], targets[order]
    keys = sources.astype(np.int64)
    keys <<= action_bits
    keys |= actions
    keys <<= target_bits
    keys |= targets
    keys.sort()
    fresh = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    if not fresh.all():
        keys = keys[fresh]
    targets = (keys & ((1 << target_bits) - 1)).astype(np.int32)
    keys >>= target_bits
    actions = (keys & ((1 << action_bits) - 1)).astype(np.int32)
    keys >>= action_bits
    return keys.astype(np.int32), actions, targets


def _is_canonical(sources: Ints, actions: Ints, targets: Ints) -> bool:
    s, a, t = (column[:-1] < column[1:] for column in (sources, actions, targets))
    same_source, same_action = sources[:-1] == sources[1:], actions[:-1] == actions[1:]
    return bool((s | same_source & (a | same_action & t)).all())
