"""Operators on one model: hide, rename and restrict actions, drop what is not reachable, project on propositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stateglass.graphs.arrays import reached
from stateglass.model import TAU, Action, Model, Relation, Verb
from stateglass.model.actions import parsed
from stateglass.model.builder import canonical_columns, canonical_order
from stateglass.model.parts import with_states, with_transitions
from stateglass.relate.patterns import Pattern, Renaming
from stateglass.source import Assumption, Code, Diagnostic, InputError, Topic, input_error, suggestion


def relabel(model: Model, hidden: Sequence[Pattern], renamings: Sequence[Renaming]) -> Model:
    """Hides and renames at once: all patterns look at the labels as they are, so that their order does not matter.

    As in mCRL2's `rename`, an action has one new name: two that differ are a mistake. What matches no label is not
    done, and the history does not mention it.
    """
    new = {label: label for label in model.labels}
    renamed: dict[str, str] = {}
    by: dict[str, Renaming] = {}
    for renaming in renamings:
        for label in renaming.pattern.among(model.labels):
            text = renaming.apply(label)
            if renamed.setdefault(label, text) != text:
                message = f"`{label}` has two new names: `{by[label].text}` and `{renaming.text}` both match it"
                raise input_error(Code.USAGE, message, help="leave one out, or narrow a pattern")
            by.setdefault(label, renaming)
    quiet = {label: TAU for pattern in hidden for label in pattern.among(model.labels)}
    both = [label for label in renamed if label in quiet]
    if both:
        raise input_error(Code.USAGE, f"`{both[0]}` is both hidden and renamed", help="choose one of the two")
    empty = [label for label, text in renamed.items() if not text.strip()]
    if empty:
        raise input_error(Code.USAGE, f"the new name of `{empty[0]}` is empty")
    new |= renamed | quiet
    done = [f"hidden: {pattern.text}" for pattern in hidden if pattern.among(model.labels)]
    used = (renaming for renaming in renamings if renaming.pattern.among(model.labels))
    done += [f"renamed: {renaming.pattern.text} to {renaming.replacement}" for renaming in used]
    return _logged(with_labels(model, [new[label] for label in model.labels]), done)


def interface(model: Model) -> Model:
    """Hides what is said between the subject of a model and everything else but those who call it.

    What is no call, return, exception or access has a name that somebody gave it, and stays; so do errors and ends.
    """
    subject = model.origin.subject
    if not subject:
        help = "name the actions to be hidden with --hide"
        raise input_error(Code.USAGE, "the model does not say what it is a model of", help=help)
    names = subject.split(", ")
    inner = {label for label in model.labels if not _is_of(parsed(label), names)}
    quiet = [TAU if label in inner else label for label in model.labels]
    return _logged(with_labels(model, quiet), [f"hidden: all but the interface of {subject}"] if inner else [])


def _is_of(action: Action, subjects: Sequence[str]) -> bool:
    """Whether an action is one of those who call functions or objects of these names; callers may have names, too."""
    if action.verb is None or action.verb in (Verb.ERROR, Verb.EXIT):
        return True
    return any(
        action.name == subject or action.name.startswith(f"{subject}.") or f".{subject}." in action.name
        for subject in subjects
    )


def only(model: Model, patterns: Sequence[Pattern]) -> Model:
    """Leaves out every transition whose label matches no pattern. `tau` stays: nobody outside can prevent it.

    The labels stay in the table: the model knows these actions and does not do them. As to the code, behaviour is
    missing now.
    """
    kept = {label for pattern in patterns for label in pattern.among(model.labels)} | {TAU}
    allowed = np.array([label in kept for label in model.labels], dtype=np.bool_)
    chosen = allowed[model.actions] if len(model.labels) else np.zeros(0, dtype=np.bool_)
    texts = ", ".join(pattern.text for pattern in patterns)
    origin = model.origin
    note = Assumption(Topic.RESTRICTION, "actions", f"only these happen: {texts}")
    relation = Relation.UNDER if origin.relation is Relation.EXACT else origin.relation
    partial = origin.partial
    if relation is Relation.OVER:
        partial = (*partial, f"only these actions were kept: {texts}")
    restricted = with_transitions(model, chosen)
    origin = replace(origin, relation=relation, assumptions=(*origin.assumptions, note), partial=partial)
    return _logged(replace(restricted, origin=origin), [f"restricted to: {texts}"])


def reachable(model: Model) -> Model:
    """The states that some path from the initial state leads to, in the same order."""
    found = reached(model.first, model.targets, model.initial)
    return model if found.all() else with_states(model, found)


def project(model: Model, names: Sequence[str]) -> Model:
    """Keeps these propositions and no others, in the order of the model."""
    known = [p.name for p in model.propositions]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(
            Diagnostic(Code.UNKNOWN_NAME, f"the model has no proposition `{n}`", help=suggestion(n, known))
            for n in unknown
        )
    projected = replace(model, propositions=tuple(p for p in model.propositions if p.name in set(names)))
    return _logged(projected, [f"projected on: {', '.join(names)}"])


def _logged(model: Model, done: Sequence[str]) -> Model:
    return replace(model, origin=replace(model.origin, history=(*model.origin.history, *done))) if done else model


def with_labels(model: Model, new: list[str]) -> Model:
    """Labels that have become the same are one; transitions that have become the same, too."""
    table: dict[str, int] = {}
    number = np.array([table.setdefault(label, len(table)) for label in new], dtype=np.int32)
    actions = number[model.actions] if len(new) else model.actions
    if model.transition_spans is None:
        sources, actions, targets = canonical_columns(model.sources, actions, model.targets)
        return replace(model, labels=tuple(table), sources=sources, actions=actions, targets=targets)
    order = canonical_order(model.sources, actions, model.targets)
    return replace(
        model,
        labels=tuple(table),
        sources=model.sources[order],
        actions=actions[order],
        targets=model.targets[order],
        transition_spans=model.transition_spans[order],
    )
