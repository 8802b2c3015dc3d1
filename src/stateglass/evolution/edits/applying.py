"""Applies edits to a model, one after the other, and keeps which states are versions of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn, assert_never, final

import numpy as np

from stateglass.check.events import matcher
from stateglass.check.predicates import predicate_truth
from stateglass.evolution.describing import at_rows
from stateglass.evolution.edits.language import (
    AddVariable,
    Assign,
    DefineVariable,
    DeleteVariable,
    Edit,
    LeadTo,
    RemoveSteps,
    StartAt,
)
from stateglass.evolution.matching import agreement, coded, combined, joined
from stateglass.evolution.pairing import Pairing, Refusal
from stateglass.evolution.structure import Structure, put_together
from stateglass.graphs.adjacency import Indices, distinct
from stateglass.logic.predicates import Predicate
from stateglass.model import Model, Proposition, Sort
from stateglass.model.builder import canonical_columns
from stateglass.model.model import Flags, Ints
from stateglass.source import Code, Span, counted, input_error, suggestion

_MOST_STATES: Final = 4_000_000
_MOST_STEPS: Final = 20_000_000


def structure_of_edits(model: Model, edits: Sequence[Edit]) -> Structure | Refusal:
    """A model and what edits make of it, as one structure."""
    return put_together(edited(model, edits))


def edited(model: Model, edits: Sequence[Edit]) -> Pairing:
    """The changed model, paired with the one before. A mistake in an edit is told with its place."""
    states = np.arange(model.states, dtype=np.int64)
    now = _Now(model, states, states, frozenset(p.name for p in model.propositions))
    for edit in edits:
        now = _applied(now, edit)
    order = np.lexsort((now.new, now.old))
    old, new = now.old[order].astype(np.int32), now.new[order].astype(np.int32)
    return Pairing(model, now.model, agreement(model, now.model), old, new)


@final
@dataclass(frozen=True, eq=False)
class _Now:
    """A model on the way, the pairs of states at its beginning and now, and the names that are used up."""

    model: Model
    old: Indices
    new: Indices
    names: frozenset[str]


def _applied(now: _Now, edit: Edit) -> _Now:
    match edit:
        case AddVariable():
            return _with_variable(now, edit)
        case DefineVariable():
            return _with_definition(now, edit)
        case DeleteVariable():
            return _without_variable(now, edit)
        case StartAt():
            return replace(now, model=_starting(now.model, edit))
        case RemoveSteps():
            return replace(now, model=_without_steps(now.model, edit))
        case LeadTo():
            return replace(now, model=_with_steps(now.model, edit, *_led(now.model, edit)))
        case Assign():
            return replace(now, model=_with_steps(now.model, edit, *_assigned(now.model, edit)))
        case _:
            assert_never(edit)


def _wrong(edit: Edit, message: str, help: str = "") -> NoReturn:
    raise input_error(Code.EDIT, message, edit.span, help)


def _check_free(now: _Now, edit: AddVariable | DefineVariable) -> None:
    if edit.name in now.names:
        gone = edit.name not in [p.name for p in now.model.propositions]
        was = "was deleted by an edit before" if gone else "is one of the model already"
        _wrong(edit, f"`{edit.name}` {was}", "give the new variable another name")


def _with_variable(now: _Now, edit: AddVariable) -> _Now:
    _check_free(now, edit)
    model, count = now.model, len(edit.values)
    if model.states * count > _MOST_STATES:
        _wrong(edit, f"the model would have more than {counted(_MOST_STATES, 'state')}")
    rows = np.repeat(np.arange(model.states, dtype=np.int64), count)
    which = np.tile(np.arange(count, dtype=np.int64), model.states)
    steps = np.repeat(np.arange(model.transitions, dtype=np.int64), count)
    same = np.tile(np.arange(count, dtype=np.int32), model.transitions)
    columns = (
        model.sources[steps] * np.int32(count) + same,
        model.actions[steps],
        model.targets[steps] * np.int32(count) + same,
    )
    changed = _rebuilt(
        model, rows, columns, model.initial * count, (_column(edit.name, edit.values, which.astype(np.int32)),)
    )
    pairs = np.repeat(now.new, count) * count + np.tile(np.arange(count, dtype=np.int64), len(now.new))
    return _Now(changed, np.repeat(now.old, count), pairs, now.names | {edit.name})


def _with_definition(now: _Now, edit: DefineVariable) -> _Now:
    _check_free(now, edit)
    texts = tuple(dict.fromkeys(value for value, _ in edit.cases))
    codes = np.full(now.model.states, -1, dtype=np.int32)
    for value, condition in edit.cases:
        codes[(codes < 0) & _where(now.model, condition, edit.span)] = texts.index(value)
    column = _column(edit.name, texts, codes)
    changed = replace(now.model, propositions=(*now.model.propositions, column))
    return replace(now, model=changed, names=now.names | {edit.name})


def _without_variable(now: _Now, edit: DeleteVariable) -> _Now:
    model = now.model
    names = [p.name for p in model.propositions]
    if edit.name not in names:
        raise input_error(
            Code.UNKNOWN_NAME, f"the model has no variable `{edit.name}`", edit.span, suggestion(edit.name, names)
        )
    codes = {p.name: coded(p).codes for p in model.propositions}
    if int(combined(codes.values(), model.states).max()) + 1 < model.states:
        _wrong(edit, "values do not tell all states apart: it is not clear which states would become one")
    classes = combined((column for name, column in codes.items() if name != edit.name), model.states)
    firsts = np.unique(classes, return_index=True)[1]
    kept = replace(model, propositions=tuple(p for p in model.propositions if p.name != edit.name))
    columns = classes[model.sources], model.actions, classes[model.targets]
    ended = None if model.terminal is None else _in_all(model.terminal, classes)
    changed = _rebuilt(kept, firsts, columns, int(classes[model.initial]))
    pairs = distinct(now.old * len(firsts) + classes[now.new])
    return _Now(replace(changed, terminal=ended), pairs // len(firsts), pairs % len(firsts), now.names)


def _in_all(flags: Flags, classes: Ints) -> Flags:
    everywhere: Flags = np.bincount(classes, weights=~flags) == 0
    return everywhere


def _starting(model: Model, edit: StartAt) -> Model:
    found = np.flatnonzero(_where(model, edit.condition, edit.span))
    if len(found) != 1:
        many = f"holds in {counted(len(found), 'state')}" if len(found) else "holds in no state"
        _wrong(edit, f"the condition {many}", "a condition for the start holds in exactly one")
    return replace(model, initial=int(found[0]))


def _without_steps(model: Model, edit: RemoveSteps) -> Model:
    matches = matcher(edit.pattern)
    meant = np.array([matches(label) for label in model.labels], dtype=np.bool_)
    if not meant.any():
        message = f"no step of the model is done by `{edit.pattern}`"
        raise input_error(Code.UNKNOWN_NAME, message, edit.span, suggestion(edit.pattern, model.labels))
    gone = meant[model.actions]
    gone &= _where(model, edit.source, edit.span)[model.sources]
    gone &= _where(model, edit.target, edit.span)[model.targets]
    if not gone.any():
        _wrong(edit, f"no step by `{edit.pattern}` is meant", "the conditions hold before and after none of them")
    spans = None if model.transition_spans is None else model.transition_spans[~gone]
    return replace(
        model,
        sources=model.sources[~gone],
        actions=model.actions[~gone],
        targets=model.targets[~gone],
        transition_spans=spans,
    )


def _led(model: Model, edit: LeadTo) -> tuple[Indices, Indices]:
    sources = np.flatnonzero(_where(model, edit.source, edit.span))
    targets = np.flatnonzero(_where(model, edit.target, edit.span))
    if not len(sources) or not len(targets):
        _wrong(edit, f"no state is one from which `{edit.label}` could {'start' if not len(sources) else 'lead there'}")
    if len(sources) * len(targets) > _MOST_STEPS:
        _wrong(edit, f"there would be more than {counted(_MOST_STEPS, 'step')}", "name the values that change: set …")
    return np.repeat(sources, len(targets)), np.tile(targets, len(sources))


def _assigned(model: Model, edit: Assign) -> tuple[Indices, Indices]:
    """Each source, and the states that have its values but for those that are set."""
    names = [p.name for p in model.propositions]
    columns = {p.name: coded(p) for p in model.propositions}
    sources = np.flatnonzero(_where(model, edit.source, edit.span))
    if not len(sources):
        _wrong(edit, f"no state is one from which `{edit.label}` could start")
    set_to: dict[str, int] = {}
    for name, value in edit.values:
        if name not in columns:
            message = f"the model has no variable `{name}`"
            raise input_error(Code.UNKNOWN_NAME, message, edit.span, suggestion(name, names))
        if value not in columns[name].texts:
            _wrong(edit, f"`{name}` is never {value}", suggestion(value, columns[name].texts))
        set_to[name] = columns[name].texts.index(value)
    wished = (
        np.full(len(sources), set_to[name], dtype=np.int32) if name in set_to else column.codes[sources]
        for name, column in columns.items()
    )
    both = (np.concatenate([wish, columns[name].codes]) for name, wish in zip(columns, wished, strict=True))
    keys = combined(both, len(sources) + model.states)
    places, targets = joined(keys[: len(sources)], keys[len(sources) :])
    lacking = np.setdiff1d(np.arange(len(sources)), places)
    if len(lacking):
        state = model.valuation(int(sources[lacking[0]]))
        shown = ", ".join(f"{name} == {value}" for name, value in state.items())
        _wrong(edit, f"from {shown}, `{edit.label}` would lead to a state that the model does not have")
    return sources[places], targets


def _with_steps(model: Model, edit: LeadTo | Assign, sources: Indices, targets: Indices) -> Model:
    labels = model.labels if edit.label in model.labels else (*model.labels, edit.label)
    action = np.full(len(sources), labels.index(edit.label), dtype=np.int32)
    columns = canonical_columns(
        np.concatenate([model.sources, sources.astype(np.int32)]),
        np.concatenate([model.actions, action]),
        np.concatenate([model.targets, targets.astype(np.int32)]),
    )
    return replace(
        model,
        sources=columns[0],
        actions=columns[1],
        targets=columns[2],
        labels=labels,
        transition_spans=None,
    )


def _rebuilt(
    model: Model,
    rows: Indices,
    columns: tuple[Ints, Ints, Ints],
    initial: int,
    more: tuple[Proposition, ...] = (),
) -> Model:
    """A model whose states are made of these states of another one."""
    if len(columns[0]):
        columns = canonical_columns(*columns)
    return replace(
        model,
        states=len(rows),
        initial=initial,
        sources=columns[0],
        actions=columns[1],
        targets=columns[2],
        propositions=(*(at_rows(p, rows) for p in model.propositions), *more),
        terminal=None if model.terminal is None else model.terminal[rows],
        unexplored=None if model.unexplored is None else model.unexplored[rows],
        state_spans=None if model.state_spans is None else model.state_spans[rows],
        transition_spans=None,
    )


def _where(model: Model, condition: Predicate | None, span: Span) -> Flags:
    if condition is None:
        return np.ones(model.states, dtype=np.bool_)
    return predicate_truth(condition, model, span).must


def _column(name: str, texts: Sequence[str], codes: Ints) -> Proposition:
    """A variable with values of the sort that their texts look like; -1: it has none."""
    undefined = codes < 0
    defined = None if not undefined.any() else ~undefined
    if all(text in ("true", "false") for text in texts):
        values = np.array([text == "true" for text in texts], dtype=np.int64)
        return Proposition(name, Sort.BOOL, values[codes], defined=defined)
    if all(_is_integer(text) for text in texts):
        values = np.array([int(text) for text in texts], dtype=np.int64)
        return Proposition(name, Sort.INT, values[codes], defined=defined)
    return Proposition(name, Sort.ENUM, codes.astype(np.int64), tuple(enumerate(texts)), defined)


def _is_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 19 and str(int(text)) == text
