"""From steps that differ to changes: those that differ in one way are a group, and a group is a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Final, final

import numpy as np

from stateglass.check.truth import open_states
from stateglass.evolution.changes import Change, Changes, Example, StatesOf
from stateglass.evolution.circumstances import Circumstances, as_proposition, choice_phrase
from stateglass.evolution.describing import Among, Description, at_rows
from stateglass.evolution.effects import Effect, Said, Side, listed, said_differently
from stateglass.evolution.matching import Coded, coded, combined, in_one_table, joint
from stateglass.evolution.outcomes import Became, Compared, Rows, compared
from stateglass.evolution.pairing import Refusal, pairing
from stateglass.evolution.renaming import likely_renames, renamed
from stateglass.evolution.visits import NO_END, views
from stateglass.graphs.adjacency import Indices
from stateglass.model import STABLE, Model, Proposition, Relation
from stateglass.model.model import Flags, Ints
from stateglass.source import counted

_MOST_PARTS: Final = 4
_MOST_SPLITS: Final = 2
_MOST_CHANGES: Final = 16
_MOST_TOLD: Final = 4
"""A group whose values no single text fits is told in so many parts, so many times in a row, or not in detail. So are
all groups but the largest, and so is what one leads to but for the first few values."""
_RESULT: Final = "\0result"
"""What a call returns, where variables go by name."""


def changes(old: Model, new: Model, *, by_runs: bool = False) -> Changes | Refusal:
    """What became of the behaviour of `old` in `new`; refused if their states cannot be matched.

    Variables that seem to have another name now are taken for the same. With `by_runs`, what is compared is what can be
    done after the same run.
    """
    renames = likely_renames(old, new)
    told = _changes(renamed(old, renames) if renames else old, new, by_runs)
    return told if isinstance(told, Refusal) else replace(told, renamed=renames)


def _changes(old: Model, new: Model, by_runs: bool) -> Changes | Refusal:
    pairs = pairing(old, new, by_runs=by_runs)
    if isinstance(pairs, Refusal):
        return pairs
    told: Changes | Refusal | None = None
    for steps in views(old, new):
        # States that look the same may have changed places.
        for closely in (False, True):
            found = compared(pairs, steps, closely=closely)
            if isinstance(found, Refusal):
                return told or found
            told = _Telling(found).changes()
            if told.lines:
                return told
    assert told is not None
    return told


@final
class _Telling:
    """The comparison being told."""

    def __init__(self, found: Compared) -> None:
        self._found, self._pairs, self._steps = found, found.pairs, found.steps
        self._circumstances = Circumstances(found.pairs, found.steps)
        self._old, self._new = Side(found.pairs.old), Side(found.pairs.new)
        self._names = tuple(n for n in found.pairs.agreed.shared if n != STABLE or not found.steps.are_calls)
        self._among: dict[bytes, tuple[Indices, Among]] = {}
        self._left = _MOST_CHANGES
        self._said_in: Callable[[int, int], Said] = cache(self._said_by)

    def changes(self) -> Changes:
        rows = self._found.differing
        steps = [
            *self._moved(rows[Became.MOVED]),
            *self._asked(self._found.asked),
            *self._outcomes(Became.GAINED, rows[Became.GAINED]),
            *self._outcomes(Became.LOST, rows[Became.LOST]),
            *self._whether(Became.POSSIBLE, rows[Became.POSSIBLE]),
            *self._whether(Became.IMPOSSIBLE, rows[Became.IMPOSSIBLE]),
        ]
        steps.sort(key=lambda change: (-change.count, change.action, change.phrases))
        return Changes(
            self._initial(),
            tuple(steps),
            self._states(self._pairs.new, self._pairs.new_counts == 0, self._pairs.old),
            self._states(self._pairs.old, self._pairs.old_counts == 0, self._pairs.new),
            self._pairs.agreed.added,
            self._pairs.agreed.deleted,
            self._found.skipped,
        )

    def _initial(self) -> tuple[Effect, ...]:
        old, new = self._pairs.old, self._pairs.new
        before, after = old.valuation(old.initial), new.valuation(new.initial)
        return tuple(Effect(n, before[n], after[n]) for n in self._names if before[n] != after[n])

    def _states(self, model: Model, alone: Flags, other: Model) -> StatesOf | None:
        """States that the other version does not have; not known if that was not explored to its end."""
        if open_states(other).any():
            return None
        within, elsewhere = self._shown(model), self._shown(other)
        alone = alone & within
        if not alone.any():
            return None
        # Values by which a state differs from all others of its version may be those of a state that both have.
        rows = np.append(np.flatnonzero(within), np.flatnonzero(elsewhere) + model.states)
        wanted = np.append(alone[within], np.zeros(int(elsewhere.sum()), dtype=np.bool_))
        among = Among(self._in_both(model, other, rows), _vaguer(model, other))
        return StatesOf(int(alone.sum()), among.describe(wanted))

    def _shown(self, model: Model) -> Flags:
        """The states that are spoken of: where steps are calls, those between them."""
        stable = model.proposition(STABLE)
        if self._steps.are_calls and stable is not None:
            return np.asarray(stable.values != 0, dtype=np.bool_)
        return np.ones(model.states, dtype=np.bool_)

    def _in_both(self, model: Model, other: Model, rows: Indices) -> list[Proposition]:
        """The variables that both have, at states of the one and, after them, of the other."""
        first, second = ({p.name: p for p in side.propositions} for side in (model, other))
        return [at_rows(_stacked(first[name], second[name]), rows) for name in self._names]

    def _moved(self, rows: Rows) -> Iterator[Change]:
        """Steps that lead elsewhere, or during which other things are done."""
        names, differs = self._differences(rows)
        signatures, phrases = self._said_differently(rows)
        functions = self._circumstances.functions[rows.calls].astype(np.int32)
        for alike in _groups(combined((signatures, functions), len(rows))):
            said, returns = phrases[int(signatures[alike[0]])]
            result = [_RESULT] if returns else []
            parts, rest = _largest(combined(differs[alike].T.astype(np.int32), len(alike)))
            everywhere = [*_marked(names, differs[alike]), *result]
            if len(parts) > _MOST_PARTS and (whole := self._condition(rows.at(alike))).exact:
                # One condition for all says more than one for each set of variables that happen to differ.
                yield self._told(Became.MOVED, rows.at(alike), self._effects(rows.at(alike), everywhere), said, whole)
                continue
            for members in parts:
                some = [*_marked(names, differs[alike[members[:1]]]), *result]
                yield from self._group(Became.MOVED, rows.at(alike[members]), some, said)
            if len(rest):
                some = [*_marked(names, differs[alike[rest]]), *result]
                yield self._told(Became.MOVED, rows.at(alike[rest]), [Effect(n, None, None) for n in some], said)

    def _asked(self, rows: Rows) -> Iterator[Change]:
        """Calls during which the surroundings are asked for other things: each pair of states and call is one step."""
        if not len(rows):
            return
        words, places = np.unique(rows.inputs, return_inverse=True)
        sets = [frozenset(self._circumstances.choices(int(word))) for word in words]
        steps = combined((rows.pairs.astype(np.int32), rows.calls.astype(np.int32)), len(rows))
        functions = self._circumstances.functions[rows.calls].astype(np.int32)
        names = sorted(frozenset().union(*sets))
        asks = np.array([[name in found for name in names] for found in sets], dtype=np.bool_)[places]
        by_version = np.zeros((2, int(steps.max()) + 1, len(names)), dtype=np.bool_)
        for side, own in enumerate((rows.old >= 0, rows.new >= 0)):
            for number in range(len(names)):
                by_version[side, steps[own & asks[:, number]], number] = True
        firsts = [_firsts(steps, own) for own in (rows.old >= 0, rows.new >= 0)]
        kinds = combined((*by_version[0].T.astype(np.int32), *by_version[1].T.astype(np.int32)), len(firsts[0]))
        for members in _groups(combined((kinds, functions[firsts[0]]), len(kinds))):
            old, new = (by_version[side, members[0]] for side in (0, 1))
            phrases = [choice_phrase(names[n]) for n in np.flatnonzero(new & ~old)]
            phrases += [f"no longer {choice_phrase(names[n])}" for n in np.flatnonzero(old & ~new)]
            chosen = np.flatnonzero(np.isin(steps, members))
            phrases = phrases or [self._how_often(names[n], rows.at(chosen)) for n in np.flatnonzero(new)]
            before, after = rows.at(firsts[0][members]), rows.at(firsts[1][members])
            shown = replace(after, old=before.old)
            yield self._change(Became.MOVED, shown, (), phrases, self._condition(rows.at(chosen)))

    def _how_often(self, name: str, rows: Rows) -> str:
        """What is asked for in both versions, and how many times in one call at most if that is what changed."""
        old, new = (
            max(self._circumstances.choices(int(word)).count(name) for word in np.unique(rows.inputs[own]))
            for own in (rows.old >= 0, rows.new >= 0)
        )
        if old == new:
            return f"{choice_phrase(name)} in another way"
        return f"{choice_phrase(name)} {'up to ' if new > old else 'only '}{counted(new, 'time')} (was {old})"

    def _outcomes(self, became: Became, rows: Rows) -> Iterator[Change]:
        """Steps that only one version has, beside others by the same action."""
        side, sources, targets, outputs = self._one_side(rows, old=became is Became.LOST)
        columns = ((name, side.codes(name, sources) != side.codes(name, targets)) for name in self._names)
        names, changed = _beside_each_other(columns, len(rows))
        functions = self._circumstances.functions[rows.calls].astype(np.int32)
        groups = combined((*changed.T.astype(np.int32), outputs.astype(np.int32), functions), len(rows))
        parts, rest = _largest(groups)
        for members in parts:
            said = self._said_in(int(outputs[members[0]]), int(rows.calls[members[0]]))
            some = _marked(names, changed[members[:1]])
            yield from self._group(became, rows.at(members), some, tuple(_done(said)))
        for members in _groups(functions[rest]):
            some = _marked(names, changed[rest[members]])
            yield self._told(became, rows.at(rest[members]), [Effect(name, None, None) for name in some], ())

    def _whether(self, became: Became, rows: Rows) -> Iterator[Change]:
        """Actions by which nothing could be done before, or can be now; those of the same states are one change."""
        if not len(rows):
            return
        functions = self._circumstances.functions
        by_states: dict[tuple[int, bytes], list[Indices]] = {}
        for members in _groups(rows.calls.astype(np.int32)):
            where = np.sort(rows.pairs[members])
            by_states.setdefault((int(functions[rows.calls[members[0]]]), where.tobytes()), []).append(members)
        if len(by_states) > _MOST_CHANGES:
            parts = [[members] for members in _groups(functions[rows.calls].astype(np.int32))]
        else:
            parts = list(by_states.values())
        numbers = self._found.pair_numbers
        among = Among(self._circumstances.before(numbers))
        for part in parts:
            chosen = rows.at(np.concatenate(part))
            yield self._change(became, chosen, (), (), among.describe(np.isin(numbers, chosen.pairs)))

    def _group(
        self, became: Became, rows: Rows, names: list[str], said: tuple[str, ...], splits: int = _MOST_SPLITS
    ) -> Iterator[Change]:
        """The changes that a group is: one, or a few where values have nothing in common."""
        effects = self._effects(rows, names)
        unfit = [effect.name for effect in effects if not effect.is_told]
        if unfit and splits:
            parts = min((self._parts(rows, name) for name in unfit), key=len)
            if len(parts) <= min(_MOST_PARTS, self._left):
                self._left -= len(parts) - 1
                for part in parts:
                    yield from self._group(became, rows.at(part), names, said, splits - 1)
                return
        yield self._told(became, rows, effects, said)

    def _effects(self, rows: Rows, names: list[str]) -> list[Effect]:
        """What becomes of variables, where one text fits all steps."""
        given = self._circumstances.given(rows)
        effects = []
        for name in names:
            texts = {old: self._fitted(rows, name, given, old=old) for old in self._sides(rows)}
            fits = None not in texts.values()
            effects.append(Effect(name, texts.get(True), texts.get(False)) if fits else Effect(name, None, None))
        return effects

    def _told(
        self,
        became: Became,
        rows: Rows,
        effects: list[Effect],
        said: tuple[str, ...],
        condition: Description | None = None,
    ) -> Change:
        values = [effect for effect in effects if effect.name != _RESULT]
        results = [_returned(effect) for effect in effects if effect.name == _RESULT]
        lead = "leads to" if became is Became.MOVED else "lead to"
        leading = [f"{lead} {_reached(values)}"] if values else []
        phrases = (*leading, *results, *said)
        if not phrases and became is Became.MOVED:
            phrases = ("leads to a state that looks the same and behaves differently",)
        return self._change(became, rows, values, phrases, condition or self._condition(rows))

    @staticmethod
    def _sides(rows: Rows) -> list[bool]:
        """Whether the old version has these steps, and the new one."""
        return [old for old in (True, False) if (rows.old if old else rows.new)[0] >= 0]

    def _parts(self, rows: Rows, name: str) -> list[Indices]:
        """Steps that lead to the same values, before and now."""
        codes = [self._codes(rows, name, old=old).astype(np.int32) for old in self._sides(rows)]
        return list(_groups(combined(codes, len(rows))))

    def _fitted(self, rows: Rows, name: str, given: dict[str, Coded], *, old: bool) -> str | None:
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

    def _differences(self, rows: Rows) -> tuple[list[str], Flags]:
        """Variables, and steps × variables: whether the two versions lead to different values."""
        old_targets, new_targets = (self._one_side(rows, old=old)[2] for old in (True, False))
        size = self._pairs.old.states
        codes = self._joint
        # After an error, or in a call without an end, no value is seen: that says nothing of any single one.
        seen = self._old.shows_values[old_targets] & self._new.shows_values[new_targets]
        columns = ((n, (codes[n][:size][old_targets] != codes[n][size:][new_targets]) & seen) for n in self._names)
        return _beside_each_other(columns, len(rows))

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
        wanted = np.zeros(len(self._found.everything), dtype=np.bool_)
        wanted[rows.places] = True
        like = self._circumstances.like(rows.calls)
        key = like.tobytes()
        if key not in self._among:
            members = np.flatnonzero(np.isin(self._found.everything.calls, like))
            self._among[key] = members, Among(self._circumstances.table(self._found.everything.at(members)))
        members, among = self._among[key]
        return among.describe(wanted[members])

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
            int(self._steps.old.begins[old]) if old >= 0 else int(self._pairs.pair_old[pair]),
            int(self._steps.new.begins[new]) if new >= 0 else int(self._pairs.pair_new[pair]),
            self._steps.labels[int(rows.calls[0])],
            int(self._steps.old.targets[old]) if old >= 0 else -1,
            int(self._steps.new.targets[new]) if new >= 0 else -1,
        )
        action = self._circumstances.pattern(rows.calls)
        return Change(became, action, tuple(effects), tuple(phrases), condition, len(rows), example)


def _reached(effects: list[Effect]) -> str:
    """Values in a sentence: some of those that are known, and the names of the others."""
    known = [effect.text for effect in effects if effect.is_told]
    other = [effect.name for effect in effects if not effect.is_told]
    if len(known) > _MOST_TOLD:
        known[_MOST_TOLD:] = [counted(len(known) - _MOST_TOLD, "more value")]
    if len(other) > _MOST_TOLD:
        other[_MOST_TOLD:] = [f"{len(other) - _MOST_TOLD} more"]
    return " and ".join([*known, *([f"other values of {', '.join(other)}"] if other else [])])


def _beside_each_other(columns: Iterable[tuple[str, Flags]], rows: int) -> tuple[list[str], Flags]:
    """The columns in which anything is marked, and their names."""
    kept = [(name, column) for name, column in columns if column.any()]
    flags: Flags = np.zeros((rows, len(kept)), dtype=np.bool_)
    for number, (_, column) in enumerate(kept):
        flags[:, number] = column
    return [name for name, _ in kept], flags


def _marked(names: list[str], flags: Flags) -> list[str]:
    """The variables that are marked in some row."""
    return [name for name, column in zip(names, flags.T, strict=True) if column.any()]


def _stacked(first: Proposition, second: Proposition) -> Proposition:
    """One column for the states of two models; where values are not of one kind, by their texts."""
    if (first.sort, first.names, first.values.dtype) == (second.sort, second.names, second.values.dtype):
        defined = None
        if first.defined is not None or second.defined is not None:
            flags = [
                np.ones(len(p.values), dtype=np.bool_) if p.defined is None else p.defined for p in (first, second)
            ]
            defined = np.append(*flags)
        return replace(first, values=np.append(first.values, second.values), defined=defined)
    before, after = coded(first), coded(second)
    texts, numbers = in_one_table(before.texts, after.texts)
    return as_proposition(first.name, Coded(texts, np.append(before.codes, numbers[after.codes])))


def _vaguer(model: Model, other: Model) -> Relation:
    relations = {model.origin.relation, other.origin.relation}
    return Relation.OVER if Relation.OVER in relations else model.origin.relation


def _firsts(numbers: Ints, within: Flags) -> Indices:
    """For each number the first place within some that has it."""
    places = np.flatnonzero(within)
    return places[np.unique(numbers[places], return_index=True)[1]]


def _returned(effect: Effect) -> str:
    if not effect.is_told:
        return "returns another value"
    return f"returns {effect.new or 'nothing'} (was {effect.old or 'nothing'})"


def _done(said: Said) -> Iterator[str]:
    """Phrases for what one version does."""
    if said.on_the_way:
        yield f"do {listed(said.on_the_way)}"
    if said.value:
        yield f"return {said.value}"
    elif said.end == NO_END:
        yield "go on for ever"
    elif said.end and not said.end.startswith("return("):
        yield f"end with `{said.end}`"


def _largest(numbers: Ints) -> tuple[list[Indices], Indices]:
    """The places of the most frequent numbers, and all other places; where everything is different, only a few."""
    parts = sorted(_groups(numbers), key=lambda part: (-len(part), int(part[0])))
    most = _MOST_CHANGES if len(parts) <= 4 * _MOST_CHANGES else _MOST_CHANGES // 4
    rest = [np.zeros(0, dtype=np.int64), *parts[most:]]
    return parts[:most], np.sort(np.concatenate(rest))


def _groups(numbers: Ints) -> Iterator[Indices]:
    """The places of each number, in the order of the numbers."""
    order = np.argsort(numbers, kind="stable")
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)


def _distinct(first: Indices, second: Indices) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in np.unique(np.stack([first, second], axis=1), axis=0)]
