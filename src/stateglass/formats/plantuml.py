"""PlantUML state diagrams: models as pictures that people can go on editing, and their diagrams read as models.

An arrow holds all transitions between two states; `\\n` separates them.
"""

from __future__ import annotations

import re

from stateglass.formats import plantuml_reader
from stateglass.formats.assemble import STATE_NAME, state_names
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.unkept import graph_losses
from stateglass.formats.valuations import changing, parallel, quiet_ends
from stateglass.model import Model

# What PlantUML would take for markup, a comment, a colour or the end of the text.
_UNSAFE = re.compile(r"[\\<>\"'~^&%{}|$\x00-\x1f\x7f-\x9f\xad\u2028\u2029\ufeff]|\*\*+|//+|__+|--+|^\s|\s$")


def parse(data: bytes, name: str) -> Model:
    return plantuml_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    names = state_names(model)
    usable = names is not None and all(plantuml_reader.is_plain_name(name) for name in names)
    ids = names if names and usable else [f"s{state}" for state in range(model.states)]
    shown = [p for p in changing(model) if not (usable and p.name == STATE_NAME)]
    lines = ["@startuml", *(f"' {mark}" for mark in marks(model, ids)), "hide empty description"]
    for state, id in enumerate(ids):
        text = [id if usable else str(state), *(f"{p.name} = {p.text(state)}" for p in shown)]
        lines.append(f"state {id}" if text == [id] else f'state "{_joined(text)}" as {id}')
    lines.append(f"[*] --> {ids[model.initial]}")
    for (source, target), transitions in parallel(model).items():
        labels = [model.labels[model.actions[t]] for t in transitions]
        lines.append(f"{ids[source]} --> {ids[target]} : {_joined(labels)}")
    lines += [f"{ids[state]} --> [*]" for state in quiet_ends(model)]
    return utf8("\n".join([*lines, "@enduml"]) + "\n")


def losses(model: Model) -> list[str]:
    return graph_losses(model, "plantuml")


def _joined(texts: list[str]) -> str:
    return "\\n".join(_UNSAFE.sub(lambda m: "".join(f"<U+{ord(c):04X}>" for c in m[0]), text) for text in texts)
