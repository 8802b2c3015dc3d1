"""What of two models somebody outside can tell apart: actions, and the values that exist between calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from stateglass.evolution.matching import coded, combined
from stateglass.model import STABLE, Model, is_error
from stateglass.model.model import Flags
from stateglass.relate import reachable
from stateglass.source import Code, Diagnostic, InputError, suggestion


@final
@dataclass(frozen=True, slots=True)
class Observed:
    """Two models, of which only what can be told apart is left, and the names of the values that count."""

    old: Model
    new: Model
    whole: tuple[Model, Model]  # with the same states, and all that there is to say of them
    compared: tuple[str, ...]
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()


def observe(old: Model, new: Model, keep: Sequence[str] | None = None) -> Observed:
    """What counts: of the values between calls those of names that both models have, or those to keep.

    What a call has changed before it is over is its own affair: code may do it in another order.
    """
    old, new = reachable(old), reachable(new)
    names = [_names_between_calls(model) for model in (old, new)]
    compared = tuple(name for name in names[0] if name in set(names[1])) if keep is None else _known(keep, old, new)
    only = [tuple(n for n in own if n not in set(other)) for own, other in (names, names[::-1])]
    seen = [between_calls(model, compared) for model in (old, new)]
    return Observed(seen[0], seen[1], (old, new), compared, only[0], only[1])


def is_told_by_values(model: Model) -> bool:
    """Whether no two states between calls have the same values: then these say what can follow."""
    seen = seen_states(model)
    classes = combined((coded(p).codes for p in model.propositions), model.states)[seen]
    return len(np.unique(classes)) == len(classes)


def seen_states(model: Model) -> Flags:
    """The states whose values can be seen: those between calls, and in which the program has ended without an error."""
    stable = model.proposition(STABLE)
    if stable is None:
        return np.ones(model.states, dtype=np.bool_)
    seen: Flags = stable.values.astype(np.bool_)
    if model.terminal is not None:
        failing = np.array([is_error(label) for label in model.labels], dtype=np.bool_)
        failed = np.zeros(model.states, dtype=np.bool_)
        if len(model.labels):
            failed[model.targets[failing[model.actions]]] = True
        seen = (seen | model.terminal) & ~failed
    return seen


def between_calls(model: Model, names: Sequence[str]) -> Model:
    """The model with these propositions alone, which have values only where they can be seen, and `stable` as it is."""
    seen = seen_states(model)
    chosen = {p.name: p for p in model.propositions}
    return replace(
        model,
        propositions=(
            *(p for p in model.propositions if p.name == STABLE and STABLE not in names),
            *(
                p if seen.all() else replace(p, defined=seen if p.defined is None else p.defined & seen)
                for p in (chosen[name] for name in names)
            ),
        ),
    )


def _names_between_calls(model: Model) -> list[str]:
    """Variables that have a value in some state that is seen: no locals of running functions."""
    seen = seen_states(model)
    return [
        p.name for p in model.propositions if p.name != STABLE and (p.defined is None or bool((p.defined & seen).any()))
    ]


def _known(keep: Sequence[str], old: Model, new: Model) -> tuple[str, ...]:
    problems = []
    for which, model in (("old", old), ("new", new)):
        known = [p.name for p in model.propositions]
        problems += [
            Diagnostic(Code.UNKNOWN_NAME, f"the {which} side has no proposition `{name}`", help=suggestion(name, known))
            for name in keep
            if name not in known
        ]
    if problems:
        raise InputError(problems)
    return tuple(dict.fromkeys(keep))
