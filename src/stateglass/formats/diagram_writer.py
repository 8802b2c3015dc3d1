"""State diagrams as text, as people draw them: Mermaid and PlantUML differ only in their signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stateglass.formats.assemble import STATE_NAME, state_names
from stateglass.formats.diagram import MARK, PREFIX
from stateglass.formats.valuations import changing, parallel, quiet_ends
from stateglass.model import Model


def state_ids(model: Model, is_plain: Callable[[str], object]) -> tuple[list[str], bool]:
    """What states are called: their names, where all of them can stand as they are, else numbers; and which it is."""
    names = state_names(model)
    if names is not None and all(map(is_plain, names)):
        return names, True
    return [f"{PREFIX}{state}" for state in range(model.states)], False


def diagram_lines(
    model: Model, ids: Sequence[str], *, named: bool, joined: Callable[[Sequence[str]], str], declared: str
) -> list[str]:
    """States, the start, arrows, ends. A state that is its name alone is `declared`; `joined` writes several lines."""
    shown = [p for p in changing(model) if not (named and p.name == STATE_NAME)]
    lines: list[str] = []
    for state, id in enumerate(ids):
        text = [id if named else str(state), *(f"{p.name} = {p.text(state)}" for p in shown)]
        lines.append(f"{declared}{id}" if text == [id] else f'state "{joined(text)}" as {id}')
    lines.append(f"{MARK} --> {ids[model.initial]}")
    for (source, target), transitions in parallel(model).items():
        labels = [model.labels[model.actions[t]] for t in transitions]
        lines.append(f"{ids[source]} --> {ids[target]} : {joined(labels)}")
    return lines + [f"{ids[state]} --> {MARK}" for state in quiet_ends(model)]
