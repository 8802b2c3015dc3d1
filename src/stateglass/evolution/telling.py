"""From steps that differ to changes: those that differ in one way are a group, and a group is a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import Final, final

import numpy as np

from stateglass.evolution.changes import Change, Changes, Example, StatesOf
from stateglass.evolution.circumstances import Circumstances
from stateglass.evolution.describing import Description, describe, describe_states
from stateglass.evolution.effects import Effect, Said, Side, listed, said_differently
from stateglass.evolution.matching import Coded, combined, joint
from stateglass.evolution.outcomes import Became, Compared, Rows, compared
from stateglass.evolution.pairing import Refusal, pairing
from stateglass.evolution.visits import visited
from stateglass.graphs.adjacency import Indices
from stateglass.model import STABLE, Model
from stateglass.model.model import Flags, Ints

_MOST_PARTS: Final = 4
_MOST_SPLITS: Final = 2
"""A group whose values no single text fits is told in so many parts, so many times in a row, or not in detail."""
_RESULT: Final = "\0result"
"""What a call returns, where variables go by name."""


def changes(old: Model, new: Model) -> Changes | Refusal:
    """What became of the behaviour of `old` in `new`; refused if their states cannot be matched."""
    pairs = pairing(old, new)
    if isinstance(pairs, Refusal):
        return pairs
    found = compared(pairs, visited(old, new))
    return found if isinstance(found, Refusal) else _Telling(found).changes()


@final
class _Telling:
    """The comparison being told."""

    def __init__(self, found: Compared) -> None:
        self._found, self._pairs, self._steps = found, found.pairs, found.steps
        self._circumstances = Circumstances(found.pairs, found.steps)
        self._old, self._new = Side(found.pairs.old), Side(found.pairs.new)
        self._names = tuple(n for n in found.pairs.agreed.shared if n != STABLE or not found.steps.are_calls)
        self._said_in: Callable[[int, int], Said] = cache(self._said_by)

    def changes(self) -> Changes:
        rows = self._found.differing
        steps = [
            *self._moved(rows[Became.MOVED]),
            *self._outcomes(Became.GAINED, rows[Became.GAINED]),
            *self._outcomes(Became.LOST, rows[Became.LOST]),
            *self._whether(Became.POSSIBLE, rows[Became.POSSIBLE]),
            *self._whether(Became.IMPOSSIBLE, rows[Became.IMPOSSIBLE]),
        ]
        steps.sort(key=lambda change: (-change.count, change.action, change.phrases))
        return Changes(
            self._initial(),
            tuple(steps),
            self._states(self._pairs.new, self._pairs.new_counts == 0),
            self._states(self._pairs.old, self._pairs.old_counts == 0),
            self._pairs.agreed.added,
            self._pairs.agreed.deleted,
            self._steps.are_calls,
            self._found.skipped,
        )

    def _initial(self) -> tuple[Effect, ...]:
        old, new = self._pairs.old, self._pairs.new
        before, after = old.valuation(old.initial), new.valuation(new.initial)
        return tuple(Effect(n, before[n], after[n]) for n in self._names if before[n] != after[n])

    def _states(self, model: Model, alone: Flags) -> StatesOf | None:
        within = np.ones(model.states, dtype=np.bool_)
        stable = next((p for p in model.propositions if p.name == STABLE), None)
        if self._steps.are_calls and stable is not None:
            within = stable.values != 0
        alone = alone & within
        return StatesOf(int(alone.sum()), describe_states(model, alone, within)) if alone.any() else None

    def _moved(self, rows: Rows) -> Iterator[Change]:
        """Steps that lead elsewhere, or during which other things are done."""
        differs = self._differences(rows)
        signatures, phrases = self._said_differently(rows)
        functions = self._circumstances.functions[rows.calls].astype(np.int32)
        groups = combined((*differs.T.astype(np.int32), signatures, functions), len(rows))
        for members in _groups(groups):
            names = [name for name, does in zip(self._names, differs[members[0]], strict=True) if does]
            said, returns = phrases[int(signatures[members[0]])]
            names += [_RESULT] if returns else []
            yield from self._group(Became.MOVED, rows.at(members), names, said)

    def _outcomes(self, became: Became, rows: Rows) -> Iterator[Change]:
        """Steps that only one version has, beside others by the same action."""
        side, sources, targets, outputs = self._one_side(rows, old=became is Became.LOST)
        changed = np.zeros((len(rows), len(self._names)), dtype=np.bool_)
        for number, name in enumerate(self._names):
            changed[:, number] = side.codes(name, sources) != side.codes(name, targets)
        functions = self._circumstances.functions[rows.calls].astype(np.int32)
        groups = combined((*changed.T.astype(np.int32), outputs.astype(np.int32), functions), len(rows))
        for members in _groups(groups):
            names = [name for name, does in zip(self._names, changed[members[0]], strict=True) if does]
            said = self._said_in(int(outputs[members[0]]), int(rows.calls[members[0]]))
            yield from self._group(became, rows.at(members), names, tuple(_done(said)))

    def _whether(self, became: Became, rows: Rows) -> Iterator[Change]:
        """Actions by which nothing could be done before, or can be now; those of the same states are one change."""
        by_states: dict[tuple[int, bytes], list[Indices]] = {}
        for members in _groups(rows.calls.astype(np.int32)):
            where = np.sort(rows.pairs[members])
            function = int(self._circumstances.functions[rows.calls[members[0]]])
            by_states.setdefault((function, where.tobytes()), []).append(members)
        numbers = self._found.pair_numbers
        columns = self._circumstances.before(numbers)
        for parts in by_states.values():
            chosen = rows.at(np.concatenate(parts))
            condition = describe(columns, np.isin(numbers, chosen.pairs))
            yield self._change(became, chosen, (), (), condition)

    def _group(
        self, became: Became, rows: Rows, names: list[str], said: tuple[str, ...], splits: int = _MOST_SPLITS
    ) -> Iterator[Change]:
        """The changes that a group is: one, or a few where values have nothing in common."""
        given = self._circumstances.given(rows)
        wanted = [side for side in (True, False) if (rows.old if side else rows.new)[0] >= 0]
        effects = [
            (name, self._fitted(rows, name, given, old=True), self._fitted(rows, name, given, old=False))
            for name in names
        ]
        unfit = [name for name, before, after in effects if any((before if s else after) is None for s in wanted)]
        if unfit and splits:
            parts = min((self._parts(rows, name, wanted) for name in unfit), key=len)
            if len(parts) <= _MOST_PARTS:
                for part in parts:
                    yield from self._group(became, rows.at(part), names, said, splits - 1)
                return
        shown = [Effect(name, *((None, None) if name in unfit else (before, after))) for name, before, after in effects]
        values = [effect for effect in shown if effect.name != _RESULT]
        results = [_returned(effect) for effect in shown if effect.name == _RESULT]
        lead = "leads to" if became is Became.MOVED else "lead to"
        leading = [f"{lead} {' and '.join(effect.text for effect in values)}"] if values else []
        yield self._change(became, rows, values, (*leading, *results, *said), self._condition(rows))

    def _parts(self, rows: Rows, name: str, wanted: list[bool]) -> list[Indices]:
        """Steps that lead to the same values, before and now."""
        codes = [self._codes(rows, name, old=old).astype(np.int32) for old in wanted]
        return list(_groups(combined(codes, len(rows))))

    def _fitted(self, rows: Rows, name: str, given: dict[str, Coded], *, old: bool) -> str | None:
        if (rows.old if old else rows.new)[0] < 0:
            return None
        side, sources, targets, outputs = self._one_side(rows, old=old)
        if name != _RESULT:
            return side.fitted(name, sources, targets, given)
        values = {self._said_in(int(word), int(call)).value for word, call in _distinct(outputs, rows.calls)}
        return values.pop() if len(values) == 1 else None

    def _codes(self, rows: Rows, name: str, *, old: bool) -> Indices:
        side, _, targets, outputs = self._one_side(rows, old=old)
        return outputs if name == _RESULT else side.codes(name, targets)

    def _one_side(self, rows: Rows, *, old: bool) -> tuple[Side, Indices, Indices, Indices]:
        """The columns of a version, and of each step its source, its target and what is said."""
        visits = self._steps.old if old else self._steps.new
        numbers = rows.old if old else rows.new
        sources = (self._pairs.pair_old if old else self._pairs.pair_new)[rows.pairs].astype(np.int64)
        return self._old if old else self._new, sources, visits.targets[numbers], visits.outputs[numbers]

    def _differences(self, rows: Rows) -> Flags:
        """Steps × variables: whether the two versions lead to different values."""
        old_targets, new_targets = (self._one_side(rows, old=old)[2] for old in (True, False))
        size = self._pairs.old.states
        flags = np.zeros((len(rows), len(self._names)), dtype=np.bool_)
        for number, name in enumerate(self._names):
            codes = self._joint[name]
            flags[:, number] = codes[:size][old_targets] != codes[size:][new_targets]
        return flags

    @cached_property
    def _joint(self) -> dict[str, Ints]:
        before, after = self._old.propositions, self._new.propositions
        return {name: joint(before[name], after[name]) for name in self._names}

    def _said_differently(self, rows: Rows) -> tuple[Ints, list[tuple[tuple[str, ...], bool]]]:
        """A number for how what is said differs, and for each its phrases and whether other values are returned."""
        columns = (*(self._one_side(rows, old=old)[3] for old in (True, False)), rows.calls)
        words = combined((column.astype(np.int32) for column in columns), len(rows))
        firsts = np.unique(words, return_index=True)[1]
        table: dict[tuple[tuple[str, ...], bool], int] = {}
        numbers = np.zeros(len(firsts), dtype=np.int32)
        for place, row in enumerate(firsts):
            call = int(columns[2][row])
            old, new = self._said_in(int(columns[0][row]), call), self._said_in(int(columns[1][row]), call)
            key = tuple(said_differently(old, new)), old.end == new.end and old.value != new.value
            numbers[place] = table.setdefault(key, len(table))
        return numbers[words], list(table)

    def _said_by(self, word: int, call: int) -> Said:
        labels = [self._steps.labels[number] for number in self._steps.words.labels(word)]
        return Said.of(labels, self._circumstances.action(call))

    def _condition(self, rows: Rows) -> Description:
        """When these steps are taken, among all steps by calls that look the same."""
        everything = self._found.everything
        calls = np.flatnonzero(np.isin(everything.calls, self._circumstances.like(rows.calls)))
        among = everything.at(calls)
        keys = combined(
            (
                np.concatenate([left, right]).astype(np.int32)
                for left, right in (
                    (among.pairs, rows.pairs),
                    (among.calls, rows.calls),
                    (among.inputs, rows.inputs),
                )
            ),
            len(among) + len(rows),
        )
        wanted = np.isin(keys[: len(among)], keys[len(among) :])
        return describe(self._circumstances.table(among), wanted)

    def _change(
        self,
        became: Became,
        rows: Rows,
        effects: Sequence[Effect],
        phrases: Sequence[str],
        condition: Description,
    ) -> Change:
        pair, old, new = int(rows.pairs[0]), int(rows.old[0]), int(rows.new[0])
        example = Example(
            int(self._pairs.pair_old[pair]),
            int(self._pairs.pair_new[pair]),
            self._steps.labels[int(rows.calls[0])],
            int(self._steps.old.targets[old]) if old >= 0 else -1,
            int(self._steps.new.targets[new]) if new >= 0 else -1,
        )
        action = self._circumstances.pattern(rows.calls)
        return Change(became, action, tuple(effects), tuple(phrases), condition, len(rows), example)


def _returned(effect: Effect) -> str:
    if effect.old is None and effect.new is None:
        return "returns another value"
    return f"returns {effect.new or 'nothing'} (was {effect.old or 'nothing'})"


def _done(said: Said) -> Iterator[str]:
    """Phrases for what one version does."""
    if said.on_the_way:
        yield f"do {listed(said.on_the_way)}"
    if said.value:
        yield f"return {said.value}"
    elif said.end and not said.end.startswith("return("):
        yield f"end with `{said.end}`"


def _groups(numbers: Ints) -> Iterator[Indices]:
    """The places of each number, those of the most frequent numbers not first but in the order of the numbers."""
    order = np.argsort(numbers, kind="stable")
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)


def _distinct(first: Indices, second: Indices) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in np.unique(np.stack([first, second], axis=1), axis=0)]
