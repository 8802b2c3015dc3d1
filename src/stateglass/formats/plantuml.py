"""PlantUML state diagrams: models as pictures that people can go on editing, and their diagrams read as models.

An arrow holds all transitions between two states; `\\n` separates them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stateglass.formats import plantuml_reader
from stateglass.formats.diagram_writer import diagram_lines, state_ids
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.unkept import graph_losses
from stateglass.model import Model

# What PlantUML would take for markup, a comment, a colour or the end of the text.
_UNSAFE = re.compile(r"[\\<>\"'~^&%{}|$\x00-\x1f\x7f-\x9f\xad\u2028\u2029\ufeff]|\*\*+|//+|__+|--+|^\s|\s$")


def parse(data: bytes, name: str) -> Model:
    return plantuml_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    ids, named = state_ids(model, plantuml_reader.is_plain_name)
    lines = ["@startuml", *(f"' {mark}" for mark in marks(model, ids)), "hide empty description"]
    lines += diagram_lines(model, ids, named=named, joined=_joined, declared="state ")
    return utf8("\n".join([*lines, "@enduml"]) + "\n")


def losses(model: Model) -> list[str]:
    return graph_losses(model, "plantuml")


def _joined(texts: Sequence[str]) -> str:
    return "\\n".join(_UNSAFE.sub(lambda m: "".join(f"<U+{ord(c):04X}>" for c in m[0]), text) for text in texts)
