"""What a picture shows of a model, as DOT that is only for drawing: `formats/dot` writes the one that is read back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, unique
from typing import final

from stateglass.formats.valuations import changing, parallel
from stateglass.model import STABLE, TAU, Model, Proposition, is_error
from stateglass.source import counted
from stateglass.views.ways import shortest

MOST_VALUES = 6
MOST_LABELS = 8
MOST_TOOLTIP_LINES = 40
MOST_WIDTH = 48
LINE = 0.18
"""The height of a line of a label, in inches."""

# Distinguishable with any colour vision, and each colour has a line style or a word beside it.
INK, PALE_INK, PAPER, FAINT = "#1f2d3d", "#6b7280", "#eef4fb", "#f6f6f6"
BORDER, ALARM, ALARM_PAPER = "#0072b2", "#b84a00", "#fff1e6"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


@final
@unique
class _Kind(Enum):
    """The three sorts of arrows."""

    ACTION = "action"
    SILENT = "silent"
    ERROR = "error"


def drawing(model: Model, resolution: int | None = None) -> str:
    """The DOT text of the picture; `resolution` is dots per inch for pixel formats."""
    lines = ["digraph model {", f"  graph [{attributes(_graph_look(model, resolution))}];"]
    lines.append(
        f'  node [fontname="sans-serif", fontsize=11, fontcolor="{INK}", shape=box, margin="0.14,0.07", height=0.36];'
    )
    lines.append(f'  edge [fontname="sans-serif", fontsize=10, fontcolor="{INK}", color="{INK}", arrowsize=0.7];')
    shown = changing(model)
    stable = model.proposition(STABLE)
    stuck = set(model.deadlocks.tolist())
    pairs = parallel(model)
    tall = _tall(pairs, len(shown[:MOST_VALUES]) + 1)
    depths = shortest(model)[0] if tall else None
    for state in range(model.states):
        look = _state_look(model, state, shown, stable, state in stuck)
        if state in tall:
            look["height"] = f"{tall[state] * LINE:.2f}"
        lines.append(f"  {state} [{attributes(look)}];")
    lines.append(f'  entry [shape=point, width=0.1, color="{INK}", tooltip="start"];')
    lines.append(f"  entry -> {model.initial} [tooltip={dot_text('start')}];")
    for (source, target), transitions in pairs.items():
        for kind in _Kind:
            of_kind = [t for t in transitions if _kind(model.labels[model.actions[t]]) is kind]
            if of_kind:
                look = _arrow_look(model, of_kind, kind)
                if depths is not None and source in tall and depths[target] > max(depths[source], 0):
                    look["tailport"] = "s"
                lines.append(f"  {source} -> {target} [{attributes(look)}];")
    return "\n".join(lines) + "\n}\n"


def _tall(pairs: dict[tuple[int, int], list[int]], lines: int) -> dict[int, int]:
    """States whose loops have more lines of labels than a state has itself, with the number of these lines.

    Graphviz keeps room for the width of a loop's label, not for its height: these states are drawn as high as the
    label, and are left downwards, so that no arrow crosses it.
    """
    loops = {source: min(len(found), MOST_LABELS + 1) for (source, target), found in pairs.items() if source == target}
    return {state: count for state, count in loops.items() if count > lines}


def _graph_look(model: Model, resolution: int | None) -> dict[str, str]:
    caption = [*_counts(model), *(f"partial: {reason}" for reason in model.origin.partial)]
    lines = [_cut(line, 2 * MOST_WIDTH) for line in caption]
    return captioned(lines, ALARM if model.partial else PALE_INK, resolution)


def captioned(lines: Sequence[str], colour: str, resolution: int | None) -> dict[str, str]:
    """The look of a graph of states, with lines below it; `resolution` is dots per inch for pixel formats."""
    look = {
        "rankdir": "TB",
        "nodesep": "0.45",
        "ranksep": "0.5",
        "pad": "0.25",
        "bgcolor": "white",
        "fontname": "sans-serif",
        "fontsize": "11",
        "labelloc": "b",
        "label": dot_text("", *lines),
        "fontcolor": colour,
        "tooltip": dot_text(" "),
    }
    return look if resolution is None else {**look, "dpi": str(resolution)}


def _counts(model: Model) -> list[str]:
    subject = f"{model.origin.subject}: " if model.origin.subject else ""
    lines = [f"{subject}{counted(model.states, 'state')}, {counted(model.transitions, 'transition')}"]
    moving = {p.name for p in changing(model)}
    still = [f"{p.name} = {p.text(0)}" for p in model.propositions if p.name not in moving and p.name != STABLE]
    if still:
        more = [f"… {len(still) - MOST_VALUES} more"] if len(still) > MOST_VALUES else []
        lines.append("always: " + ", ".join(still[:MOST_VALUES] + more))
    return lines


def _state_look(
    model: Model, state: int, shown: list[Proposition], stable: Proposition | None, stuck: bool
) -> dict[str, str]:
    tooltip = [f"state {state}", *(f"{p.name} = {p.text(state)}" for p in model.propositions)]
    span = model.span_of_state(state)
    look = {"id": dot_text(f"state{state}"), "tooltip": dot_text(*capped(tooltip), *([str(span)] if span else []))}
    ended, unexplored = model.is_terminal(state), model.is_unexplored(state)
    if stable is not None and stable.text(state) == "false" and not stuck and not ended and not unexplored:
        small = {"fontsize": "8", "margin": "0.05,0.02", "height": "0.2", "width": "0.25"}
        return {
            **look,
            **small,
            "label": dot_text(str(state)),
            "style": "rounded,filled",
            "fillcolor": FAINT,
            "color": PALE_INK,
            "fontcolor": PALE_INK,
            "penwidth": "0.6",
        }
    values = [_cut(f"{p.name} = {p.text(state)}", MOST_WIDTH) for p in shown[:MOST_VALUES]]
    more = ["…"] if len(shown) > MOST_VALUES else []
    look |= {"style": "rounded,filled", "fillcolor": PAPER, "color": BORDER, "penwidth": "1.2"}
    if stuck:
        look |= {"fillcolor": ALARM_PAPER, "color": ALARM, "penwidth": "3"}
    if ended:
        look |= {"peripheries": "2"}
    if unexplored:
        look |= {"style": "rounded,filled,dashed", "fillcolor": FAINT}
    return {
        **look,
        "label": dot_text(
            str(state), *values, *more, *(["deadlock"] if stuck else []), *(["unexplored"] if unexplored else [])
        ),
    }


def _arrow_look(model: Model, transitions: list[int], kind: _Kind) -> dict[str, str]:
    labels = [model.labels[model.actions[t]] for t in transitions]
    more = [f" … {len(labels) - MOST_LABELS} more"] if len(labels) > MOST_LABELS else []
    tooltip: list[str] = []
    for transition, label in zip(transitions, labels, strict=True):
        span = model.span_of_transition(transition)
        tooltip.append(f"{label} at {span}" if span else label)
    lines = [f" {_cut(label, MOST_WIDTH)} " for label in labels[:MOST_LABELS]] + more
    all_of_them = dot_text(*capped(tooltip))
    look = {"label": dot_text(*lines, left=len(lines) > 1), "tooltip": all_of_them, "labeltooltip": all_of_them}
    match kind:
        case _Kind.ACTION:
            return look
        case _Kind.SILENT:
            return {**look, "color": PALE_INK, "fontcolor": PALE_INK}
        case _Kind.ERROR:
            return {**look, "color": ALARM, "fontcolor": ALARM, "style": "dashed", "penwidth": "1.4"}


def _kind(label: str) -> _Kind:
    if label == TAU:
        return _Kind.SILENT
    return _Kind.ERROR if is_error(label) else _Kind.ACTION


def capped(lines: list[str]) -> list[str]:
    cut = [_cut(line, 4 * MOST_WIDTH) for line in lines[:MOST_TOOLTIP_LINES]]
    return cut if len(lines) <= MOST_TOOLTIP_LINES else [*cut, f"… {len(lines) - MOST_TOOLTIP_LINES} more"]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def attributes(look: dict[str, str]) -> str:
    """Attributes as DOT has them; what is quoted already, or in angle brackets, stays as it is."""
    quoted = ('"', "<")
    return ", ".join(f"{key}={value if value.startswith(quoted) else dot_text(value)}" for key, value in look.items())


def dot_text(*lines: str, left: bool = False) -> str:
    """A DOT string; what cannot be printed is shown as an escape or a replacement character."""
    # Graphviz 14 frees what it never set when a line of a label is empty.
    escaped = [(printable(s) or " ").replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for s in lines]
    return '"' + ("".join(f"{line}\\l" for line in escaped) if left else "\\n".join(escaped)) + '"'


def printable(text: str) -> str:
    return _UNPRINTABLE.sub(lambda m: _SHORT.get(m[0], "\ufffd"), text)
