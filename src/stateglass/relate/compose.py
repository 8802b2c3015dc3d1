"""Parallel composition of models: one model of all of them, with an honest account of what it is to the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stateglass.model import Assumption, Model, Origin, Proposition, Relation
from stateglass.model.builder import canonical_columns
from stateglass.model.model import Flags
from stateglass.relate.product import Product, product
from stateglass.relate.rules import Rule
from stateglass.work import Progress


def compose(
    models: Sequence[Model],
    names: Sequence[str],
    rules: Sequence[Rule],
    how: str,
    most_states: int,
    progress: Progress,
) -> Model:
    """What the components can do together.

    A state is an end if all components have ended in it, and not explored if one is not. Propositions, bounds and
    assumptions carry the name of their component. Places in source files are left out: a state has several.
    """
    return model_of(product(models, rules, most_states, progress), models, names, how, most_states)


def model_of(found: Product, models: Sequence[Model], names: Sequence[str], how: str, most_states: int) -> Model:
    """What was found of a composition as a model; states have the same numbers."""
    states = len(found.states)
    sources, actions, targets = canonical_columns(found.sources, found.labels, found.targets)
    ended = np.ones(states, dtype=np.bool_)
    open_states = np.zeros(states, dtype=np.bool_)
    for i, model in enumerate(models):
        ended &= _flag(model.terminal, found, i)
        open_states |= _flag(unexplored_of(model), found, i)
    if not found.complete:
        open_states[found.expanded :] = True
    return Model(
        states=states,
        initial=0,
        sources=sources,
        actions=actions,
        targets=targets,
        labels=found.results,
        propositions=tuple(
            _carried(proposition, name, found, i)
            for i, (model, name) in enumerate(zip(models, names, strict=True))
            for proposition in model.propositions
        ),
        terminal=ended if ended.any() else None,
        unexplored=open_states if open_states.any() else None,
        origin=joined_origin(models, names, how, None if found.complete else most_states),
    )


def never_done(model: Model) -> list[str]:
    """The labels that no transition carries: actions that some component waits for in vain."""
    return [label for label, count in model.label_counts().items() if not count]


def _flag(flags: Flags | None, found: Product, component: int) -> Flags:
    if flags is None:
        return np.zeros(len(found.states), dtype=np.bool_)
    chosen: Flags = flags[found.states[:, component]]
    return chosen


def unexplored_of(model: Model) -> Flags | None:
    """A partial model that does not say which of its states are not explored may lack something in each of them."""
    if model.partial and (model.unexplored is None or not model.unexplored.any()):
        return np.ones(model.states, dtype=np.bool_)
    return model.unexplored


def _carried(proposition: Proposition, name: str, found: Product, component: int) -> Proposition:
    chosen = found.states[:, component]
    return replace(
        proposition,
        name=f"{name}.{proposition.name}",
        values=proposition.values[chosen],
        defined=None if proposition.defined is None else proposition.defined[chosen],
    )


def joined_origin(models: Sequence[Model], names: Sequence[str], how: str, cut: int | None = None) -> Origin:
    """More behaviour in a component is more in the whole, and less is less; where both meet, both are said."""
    pairs = list(zip([model.origin for model in models], names, strict=True))
    relations = {origin.relation for origin, _ in pairs}
    partial = [f"{name}: {reason}" for origin, name in pairs for reason in origin.partial]
    if Relation.OVER in relations:
        partial += [
            f"{name}: it shows only some of the behaviour of its code"
            for origin, name in pairs
            if origin.relation is Relation.UNDER and not origin.partial
        ]
        relation = Relation.OVER
    else:
        relation = Relation.UNDER if Relation.UNDER in relations or cut is not None else Relation.EXACT
    if cut is not None:
        partial.append(f"the limit of {cut:,} states was reached")
    return Origin(
        relation=relation,
        subject=" || ".join(origin.subject or name for origin, name in pairs),
        files=tuple(dict.fromkeys(file for origin, _ in pairs for file in origin.files)),
        bounds=tuple((f"{name}.{bound}", values) for origin, name in pairs for bound, values in origin.bounds),
        assumptions=tuple(
            Assumption(a.kind, f"{name}.{a.subject}", a.text) for origin, name in pairs for a in origin.assumptions
        ),
        partial=tuple(partial),
        history=(
            *(f"{name}: {done}" for origin, name in pairs for done in origin.history),
            f"composed of {', '.join(names)}: {how}",
        ),
    )
