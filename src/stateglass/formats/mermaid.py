"""Mermaid state diagrams (`stateDiagram-v2`): models for Markdown pages, and diagrams of people read as models.

An arrow holds all transitions between two states, since Mermaid hides parallel self-loops; `<br/>` separates them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stateglass.formats import mermaid_reader
from stateglass.formats.diagram_writer import diagram_lines, state_ids
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.unkept import graph_losses
from stateglass.model import Model

_UNSAFE = re.compile(r"[:;#\"<>&%{}\[\]\\|`\x00-\x1f\x7f\x85\u2028\u2029\ufeff]|^\s|\s$")


def parse(data: bytes, name: str) -> Model:
    return mermaid_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    ids, named = state_ids(model, mermaid_reader.is_plain_name)
    lines = [f"%% {mark}" for mark in marks(model, ids)]
    lines += diagram_lines(model, ids, named=named, joined=_joined, declared="")
    return utf8("\n  ".join(["stateDiagram-v2", *lines]) + "\n")


def losses(model: Model) -> list[str]:
    return graph_losses(model, "mermaid")


def _joined(texts: Sequence[str]) -> str:
    return "<br/>".join(_UNSAFE.sub(lambda m: f"#{ord(m[0])};", text) for text in texts)
