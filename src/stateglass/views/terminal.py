"""A small model as text for a terminal: each state with its values and where it goes."""

from __future__ import annotations

from stateglass.formats.valuations import changing
from stateglass.model import Model
from stateglass.views.summary import cut

MOST_STATES = 40
MOST_TRANSITIONS = 12


def state_table(model: Model, width: int) -> str:
    """The states in order, `>` before the initial one; below each its transitions, one per line."""
    shown = min(model.states, MOST_STATES)
    digits = len(str(shown - 1))
    propositions = changing(model)
    stuck = set(model.deadlocks.tolist())
    lines: list[str] = []
    for state in range(shown):
        mark = ">" if state == model.initial else " "
        values = "  ".join(f"{p.name} = {p.text(state)}" for p in propositions)
        word = "(end)  " if model.is_terminal(state) else "(deadlock)  " if state in stuck else ""
        word = "(unexplored)  " if model.is_unexplored(state) else word
        lines.append(cut(f"{mark} {state:>{digits}}  {word}{values}".rstrip(), width))
        lines += _transitions(model, state, digits, width)
    if model.states > shown:
        lines.append(f"… {model.states - shown} more states")
    lines += [cut(f"partial: {reason}", width) for reason in model.origin.partial]
    return "\n".join(lines) + "\n"


def _transitions(model: Model, state: int, digits: int, width: int) -> list[str]:
    first, end = int(model.first[state]), int(model.first[state + 1])
    indent = " " * (digits + 6)
    lines: list[str] = []
    for transition in range(first, min(end, first + MOST_TRANSITIONS)):
        arrow = f" -> {model.targets[transition]}"
        room = max(width - len(indent) - len(arrow), 1)
        lines.append(indent + cut(model.labels[model.actions[transition]], room) + arrow)
    if end - first > MOST_TRANSITIONS:
        lines.append(f"{indent}… {end - first - MOST_TRANSITIONS} more transitions")
    return lines
