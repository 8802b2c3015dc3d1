"""From models to one of all of them in parallel, and from one to another with other labels or fewer states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from stateglass.evolution.edits import edited, read_edits
from stateglass.evolution.edits.language import Edit
from stateglass.evolution.edits.reading import MOST_CHARACTERS
from stateglass.formats.files import decode, read_bytes
from stateglass.model import Model
from stateglass.relate import MOST_COMPOSED_STATES as MOST_COMPOSED_STATES
from stateglass.relate import (
    Communication,
    Pattern,
    Renaming,
    as_statechart,
    by_alphabets,
    by_communication,
    compose,
    interface,
    only,
    project,
    reachable,
    relabel,
)
from stateglass.relate import never_done as never_done
from stateglass.work import Progress, silent


def compose_models(
    models: Sequence[Model],
    names: Sequence[str],
    shared: Sequence[str] | None = None,
    communications: Sequence[str] = (),
    allowed: Sequence[str] | None = None,
    most_states: int = MOST_COMPOSED_STATES,
    progress: Progress = silent,
) -> Model:
    """From several models to one of all of them in parallel.

    Components move together by alphabets, or by the labels that match `shared`; with communications or a list of what
    is allowed, as mCRL2 has it.
    """
    if communications or allowed is not None:
        rules = by_communication(models, [Communication.of(text) for text in communications], allowed)
        how = "communicating " + (", ".join(communications) or "nothing")
        how += "" if allowed is None else f", allowing {', '.join(allowed)}"
    else:
        rules = by_alphabets(models, None if shared is None else [Pattern.of(text) for text in shared])
        how = "synchronised on " + ("what they share" if shared is None else ", ".join(shared) or "nothing")
    return compose(models, names, rules, how, most_states, progress)


def labels_meant(model: Model, pattern: str) -> list[str]:
    """The labels of a model that a label or pattern means."""
    return Pattern.of(pattern).among(model.labels)


@final
@dataclass(frozen=True, slots=True)
class Transformation:
    """What `transform` is to do; patterns look at the labels as they are in the model."""

    hide: tuple[str, ...] = ()
    rename: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    reachable: bool = False
    project: tuple[str, ...] | None = None
    interface: bool = False  # hide everything but what is said between the subject and those who call it
    statechart: bool = False  # before all else
    edits: tuple[Edit, ...] = ()  # before all but that


def edits_in(file: str) -> tuple[Edit, ...]:
    """The edits that a file lists."""
    return read_edits(decode(read_bytes(file, MOST_CHARACTERS), file), file)


def transform_model(model: Model, wanted: Transformation) -> tuple[Model, list[str]]:
    """From a model to one with other labels, fewer transitions, states or propositions; and what matched nothing."""
    if wanted.statechart:
        model = as_statechart(model)
    if wanted.edits:
        model = edited(model, wanted.edits).new
    hidden, kept = ([Pattern.of(text) for text in texts] for texts in (wanted.hide, wanted.only))
    renamings = [Renaming.of(text) for text in wanted.rename]
    patterns = [*hidden, *kept, *(renaming.pattern for renaming in renamings)]
    idle = [pattern.text for pattern in patterns if not pattern.among(model.labels)]
    if wanted.interface:
        model = interface(model)
    if kept:
        model = only(model, kept)
    model = relabel(model, hidden, renamings)
    if wanted.reachable:
        model = reachable(model)
    return (model if wanted.project is None else project(model, wanted.project)), idle
