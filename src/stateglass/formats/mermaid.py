"""Mermaid state diagrams (`stateDiagram-v2`): models for Markdown pages, and diagrams of people read as models.

An arrow holds all transitions between two states, since Mermaid hides parallel self-loops; `<br/>` separates them.
"""

from __future__ import annotations

import re

from stateglass.formats import mermaid_reader
from stateglass.formats.assemble import STATE_NAME, state_names
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.unkept import graph_losses
from stateglass.formats.valuations import changing, parallel, quiet_ends
from stateglass.model import Model

_UNSAFE = re.compile(r"[:;#\"<>&%{}\[\]\\|`\x00-\x1f\x7f\x85\u2028\u2029\ufeff]|^\s|\s$")


def parse(data: bytes, name: str) -> Model:
    return mermaid_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    names = state_names(model)
    usable = names is not None and all(mermaid_reader.is_plain_name(name) for name in names)
    ids = names if names and usable else [f"s{state}" for state in range(model.states)]
    shown = [p for p in changing(model) if not (usable and p.name == STATE_NAME)]
    lines = ["stateDiagram-v2", *(f"  %% {mark}" for mark in marks(model, ids))]
    for state, id in enumerate(ids):
        text = [id if usable else str(state), *(f"{p.name} = {p.text(state)}" for p in shown)]
        lines.append(f"  {id}" if text == [id] else f'  state "{_joined(text)}" as {id}')
    lines.append(f"  [*] --> {ids[model.initial]}")
    pairs = parallel(model)
    for (source, target), transitions in pairs.items():
        labels = [model.labels[model.actions[t]] for t in transitions]
        lines.append(f"  {ids[source]} --> {ids[target]} : {_joined(labels)}")
    lines += [f"  {ids[state]} --> [*]" for state in quiet_ends(model)]
    return utf8("\n".join(lines) + "\n")


def losses(model: Model) -> list[str]:
    return graph_losses(model, "mermaid")


def _joined(texts: list[str]) -> str:
    return "<br/>".join(_UNSAFE.sub(lambda m: f"#{ord(m[0])};", text) for text in texts)
