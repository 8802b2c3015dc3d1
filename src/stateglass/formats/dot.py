"""Graphviz DOT: models as graphs that other tools can lay out; the structure is read back by `dot_reader`."""

from __future__ import annotations

import re

from stateglass.formats import dot_reader
from stateglass.formats.assemble import STATE_NAME, state_names
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.unkept import graph_losses
from stateglass.formats.valuations import changing, parallel
from stateglass.model import Model

_UNSAFE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]|^ +$")


def parse(data: bytes, name: str) -> Model:
    return dot_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    names = state_names(model)
    nodes = [quoted(name) for name in names] if names else [str(state) for state in range(model.states)]
    shown = [p for p in changing(model) if not (names and p.name == STATE_NAME)]
    entry = '"__init"'
    while entry in nodes:
        entry = entry[:-1] + '_"'
    lines = ["digraph model {", *(f"  // {mark}" for mark in marks(model, names or nodes))]
    lines += ["  node [shape=circle];", f'  {entry} [shape=point, label=""];']
    for state, node in enumerate(nodes):
        text = [names[state] if names else str(state), *(f"{p.name} = {p.text(state)}" for p in shown)]
        ended = model.terminal is not None and model.terminal[state]
        shape = "doublecircle" if ended else "box" if shown else ""
        attributes = [f"label={quoted(*text)}", *([f"shape={shape}"] if shape else [])]
        lines.append(f"  {node} [{', '.join(attributes)}];")
    lines.append(f"  {entry} -> {nodes[model.initial]};")
    for (source, target), transitions in parallel(model).items():
        labels = (model.labels[model.actions[t]] for t in transitions)
        lines.append(f"  {nodes[source]} -> {nodes[target]} [label={quoted(*labels)}];")
    return utf8("\n".join(lines) + "\n}\n")


def _entities(match: re.Match[str]) -> str:
    return "".join(f"&#{ord(character)};" for character in match[0])


def losses(model: Model) -> list[str]:
    return graph_losses(model, "dot")


def quoted(*lines: str) -> str:
    """A DOT string of several lines; entities keep a line break inside a line apart from the one between lines."""
    escaped = (line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(_UNSAFE.sub(_entities, line) for line in escaped) + '"'
