"""Two models as they would be had the declared changes been made on both sides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never, final

import numpy as np

from stateglass.check.events import matcher
from stateglass.check.predicates import predicate_truth
from stateglass.evolution.expectations.language import (
    ChangedClaim,
    ChangedSteps,
    Expectation,
    How,
    RenamedAction,
    RenamedVariable,
)
from stateglass.evolution.matching import agreement, in_one_table
from stateglass.model import STABLE, Model, parsed
from stateglass.model.model import Flags
from stateglass.model.parts import with_transitions
from stateglass.relate.operators import with_labels
from stateglass.source import InputError, close_match

_OLD, _NEW = "the old side", "the new side"
_JOINTS: Final = r"(?<![\w~]){}(?!\w)"


@final
@dataclass(frozen=True, slots=True)
class Applied:
    """The models, and for each expectation why it cannot have come true; nothing where it can."""

    old: Model
    new: Model
    unmet: tuple[str, ...]
    whole: tuple[Model, Model]  # with the same states and names, and with the declared steps


def apply(expectations: Sequence[Expectation], old: Model, new: Model) -> Applied:
    """Names first, so that what is said of steps is said in the names of its own side or in the new ones."""
    unmet = [""] * len(expectations)
    is_name = [isinstance(e, RenamedAction | RenamedVariable) for e in expectations]
    whole = old, new
    for names in (True, False):
        for number, expectation in enumerate(expectations):
            if is_name[number] is names:
                old, new, unmet[number] = _applied(expectation, old, new)
        whole = (old, new) if names else whole
    return Applied(old, new, tuple(unmet), whole)


def _applied(expectation: Expectation, old: Model, new: Model) -> tuple[Model, Model, str]:
    match expectation:
        case RenamedAction():
            return _renamed_action(expectation, old, new)
        case RenamedVariable():
            return _renamed_variable(expectation, old, new)
        case ChangedSteps():
            return _without_steps(expectation, old, new)
        case ChangedClaim():
            return old, new, ""
        case _:
            assert_never(expectation)


def renamed_in(name: str, old: str, new: str) -> str:
    """A name with one word of it, or several that stand together, replaced: `Lock.open` and `open` are both renamed."""
    return re.sub(_JOINTS.format(re.escape(old)), lambda _: new, name)


def _renamed_action(renaming: RenamedAction, old: Model, new: Model) -> tuple[Model, Model, str]:
    labels = [_renamed_label(label, renaming) for label in old.labels]
    if tuple(labels) == old.labels:
        return old, new, _no_such("action", renaming.old, _names_of_actions(old), _OLD)
    renamed = [label for label, before in zip(labels, old.labels, strict=True) if label != before]
    if not set(renamed) & set(new.labels):
        return old, new, _no_such("action", renaming.new, _names_of_actions(new), _NEW)
    taken = [label for label in renamed if label in old.labels]
    if taken:
        return old, new, f"{_OLD} has an action `{taken[0]}` already"
    # What a function or class keeps for itself goes by its name.
    of_it = re.compile(_JOINTS.format(re.escape(renaming.old)) + r"(?=::|\.)")
    propositions = tuple(replace(p, name=of_it.sub(lambda _: renaming.new, p.name)) for p in old.propositions)
    if len({p.name for p in propositions}) < len(propositions):
        propositions = old.propositions
    return replace(with_labels(old, labels), propositions=propositions), new, ""


def _renamed_label(label: str, renaming: RenamedAction) -> str:
    if "(" in renaming.old:
        return renaming.new if label == renaming.old else label
    action = parsed(label)
    name = renamed_in(action.name, renaming.old, renaming.new)
    return label if name == action.name else str(replace(action, name=name))


def _names_of_actions(model: Model) -> list[str]:
    return list(dict.fromkeys(parsed(label).name for label in model.labels))


def _renamed_variable(renaming: RenamedVariable, old: Model, new: Model) -> tuple[Model, Model, str]:
    whole = re.compile(rf"{re.escape(renaming.old)}(?=$|[.\[-])")
    names = [
        whole.sub(lambda _: renaming.new, p.name, count=1) if whole.match(p.name) else p.name for p in old.propositions
    ]
    before = [p.name for p in old.propositions]
    if names == before:
        return old, new, _no_such("variable", renaming.old, before, _OLD)
    if not (set(names) - set(before)) & {p.name for p in new.propositions}:
        return old, new, _no_such("variable", renaming.new, [p.name for p in new.propositions], _NEW)
    if len(set(names)) < len(names):
        return old, new, f"{_OLD} has a variable `{renaming.new}` already"
    renamed = tuple(replace(p, name=name) for p, name in zip(old.propositions, names, strict=True))
    return replace(old, propositions=renamed), new, ""


def _without_steps(steps: ChangedSteps, old: Model, new: Model) -> tuple[Model, Model, str]:
    chosen = {side: _matching(steps, model) for side, model in ((_OLD, old), (_NEW, new))}
    if steps.how is not How.CHANGED:
        had = _in_both(old, new)
        both = bool((chosen[_OLD] & had[0]).any() or (chosen[_NEW] & had[1]).any())
        chosen = {_OLD: chosen[_OLD] & ~had[0], _NEW: chosen[_NEW] & ~had[1]}
        if both and not any(flags.any() for flags in chosen.values()):
            return old, new, "both sides have such steps, from the same states"
    looked_at = {How.ADDED: (_NEW,), How.REMOVED: (_OLD,), How.CHANGED: (_OLD, _NEW)}[steps.how]
    if not any(bool(chosen[side].any()) for side in looked_at):
        labels = {_OLD: old.labels, _NEW: new.labels}
        if unknown := _unknown_name(steps, [{_OLD: old, _NEW: new}[side] for side in looked_at]):
            return old, new, unknown
        hint = close_match(steps.pattern, [label for side in looked_at for label in labels[side]])
        said = f"{looked_at[0]} has no such step" if len(looked_at) == 1 else "no side has such a step"
        return old, new, said + (f"; {hint}" if hint else "")
    if _OLD in looked_at:
        old = with_transitions(old, ~chosen[_OLD])
    if _NEW in looked_at:
        new = with_transitions(new, ~chosen[_NEW])
    return old, new, ""


def _in_both(old: Model, new: Model) -> tuple[Flags, Flags]:
    """For each side, the transitions whose action the other side has, too, in a state with the same values.

    Without values in common, all states look the same, and nothing is said of them.
    """
    agreed = agreement(old, new)
    if not [name for name in agreed.shared if name != STABLE]:
        return np.zeros(old.transitions, dtype=np.bool_), np.zeros(new.transitions, dtype=np.bool_)
    labels, numbers = in_one_table(old.labels, new.labels)
    keys = (
        agreed.old[old.sources].astype(np.int64) * len(labels) + old.actions,
        agreed.new[new.sources].astype(np.int64) * len(labels) + (numbers[new.actions] if len(numbers) else 0),
    )
    return np.isin(keys[0], keys[1]), np.isin(keys[1], keys[0])


def _matching(steps: ChangedSteps, model: Model) -> Flags:
    """The transitions that are meant; values that a side does not have are none of its steps'."""
    matches = matcher(steps.pattern)
    labels = np.array([matches(label) for label in model.labels], dtype=np.bool_)
    chosen: Flags = labels[model.actions] if len(model.labels) else np.zeros(0, dtype=np.bool_)
    if steps.condition is None or not chosen.any():
        return chosen
    try:
        held = predicate_truth(steps.condition, model, steps.span).must
    except InputError:
        return np.zeros(model.transitions, dtype=np.bool_)
    return chosen & held[model.sources]


def _unknown_name(steps: ChangedSteps, models: Sequence[Model]) -> str:
    """Why the condition means nothing on any of these sides, if that is so."""
    why = ""
    for model in models:
        if steps.condition is None:
            return ""
        try:
            predicate_truth(steps.condition, model, steps.span)
        except InputError as error:
            problem = error.diagnostics[0]
            why = problem.message + (f"; {problem.help}" if problem.help else "")
        else:
            return ""
    return why


def _no_such(what: str, name: str, known: Sequence[str], side: str) -> str:
    hint = close_match(name, known)
    return f"{side} has no {what} `{name}`" + (f"; {hint}" if hint else "")
