"""A model as text for a terminal: each state with its values and where it goes."""

from __future__ import annotations

from stateglass.formats.valuations import changing
from stateglass.model import Model
from stateglass.views.summary import cut

MOST_STATES = 40
MOST_TRANSITIONS = 12
MOST_VALUE_LINES = 4
_GAP = "  "


def state_table(model: Model, width: int, *, whole: bool = False) -> str:
    """The states in order, `>` before the initial one; below each its transitions, one per line.

    Long lists are cut unless the `whole` table is asked for.
    """
    shown = model.states if whole else min(model.states, MOST_STATES)
    digits = len(str(shown - 1))
    propositions = changing(model)
    stuck = set(model.deadlocks.tolist())
    lines: list[str] = []
    for state in range(shown):
        mark = ">" if state == model.initial else " "
        values = [f"{p.name} = {p.text(state)}" for p in propositions]
        word = "(end)" if model.is_terminal(state) else "(deadlock)" if state in stuck else ""
        word = "(unexplored)" if model.is_unexplored(state) else word
        described = wrapped(f"{mark} {state:>{digits}}", [word, *values] if word else values, width)
        lines += described if whole else _first(described, digits + 6)
        lines += _transitions(model, state, digits, width, whole)
    if model.states > shown:
        lines.append(f"… {model.states - shown:,} more states")
    lines += [cut(f"partial: {reason}", width) for reason in model.origin.partial]
    return "\n".join(lines) + "\n"


def wrapped(head: str, items: list[str], width: int) -> list[str]:
    """The head and the items after it; where a line is full, the next one begins below the first item."""
    indent = " " * len(head)
    lines = [head]
    for item in items:
        text = cut(item, width - len(indent) - len(_GAP))
        if len(lines[-1]) + len(_GAP) + len(text) > width:
            lines.append(indent)
        lines[-1] += _GAP + text
    return lines


def _first(lines: list[str], indent: int) -> list[str]:
    if len(lines) <= MOST_VALUE_LINES:
        return lines
    return [*lines[:MOST_VALUE_LINES], f"{' ' * indent}… {len(lines) - MOST_VALUE_LINES:,} more lines of values"]


def _transitions(model: Model, state: int, digits: int, width: int, whole: bool) -> list[str]:
    first, end = int(model.first[state]), int(model.first[state + 1])
    last = end if whole else min(end, first + MOST_TRANSITIONS)
    indent = " " * (digits + 6)
    lines: list[str] = []
    for transition in range(first, last):
        arrow = f" -> {model.targets[transition]}"
        room = max(width - len(indent) - len(arrow), 1)
        lines.append(indent + cut(model.labels[model.actions[transition]], room) + arrow)
    if end > last:
        lines.append(f"{indent}… {end - last:,} more transitions")
    return lines
