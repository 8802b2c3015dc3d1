"""SCXML, the state machine notation of the W3C: the flat part of it, read and written.

A label that is no event name is written as one by the scheme of `names`, and as it is in the attribute `label` of our
own namespace. An event stands for one label; a transition without an event is silent.
"""

from __future__ import annotations

import json
import re
from xml.sax.saxutils import quoteattr

from stateglass.formats import scxml_reader
from stateglass.formats.assemble import state_names
from stateglass.formats.diagram_writer import state_ids
from stateglass.formats.files import utf8
from stateglass.formats.marks import marks
from stateglass.formats.names import identifier
from stateglass.formats.scxml_reader import OURS, SCXML
from stateglass.formats.unkept import busy_ends, unkept
from stateglass.model import TAU, Model

_EVENT = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
# Characters that XML 1.0 does not have, or that do not survive in an attribute.
_OTHER = re.compile(r"[\x7f-\x9f\u2028\u2029\ufffe\uffff]")


def parse(data: bytes, name: str) -> Model:
    return scxml_reader.parse(data, name)


def serialise(model: Model) -> bytes:
    ids, _ = state_ids(model, _ID.fullmatch)
    head = f'xmlns="{SCXML}" xmlns:stateglass="{OURS}" version="1.0" initial={quoteattr(ids[model.initial])}'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<scxml {head}>"]
    lines += [f"  <!-- {mark} -->" for mark in marks(model, ids)]
    events = [_event(label) for label in model.labels]
    for state, id in enumerate(ids):
        transitions = [
            f"    <transition{events[model.actions[t]]} target={quoteattr(ids[model.targets[t]])}/>"
            for t in range(model.first[state], model.first[state + 1])
        ]
        if model.is_terminal(state) and not transitions:
            lines.append(f"  <final id={quoteattr(id)}/>")
        elif transitions:
            lines += [f"  <state id={quoteattr(id)}>", *transitions, "  </state>"]
        else:
            lines.append(f"  <state id={quoteattr(id)}/>")
    return utf8("\n".join([*lines, "</scxml>"]) + "\n")


def losses(model: Model) -> list[str]:
    only_names = len(model.propositions) == 1 and state_names(model) is not None
    said = unkept(model, "scxml", valuations=not only_names, end_marks=False, comments=False)
    said += busy_ends(model, "scxml")
    if not model.is_deterministic:
        said.append("an interpreter of `scxml` takes only the first of several transitions with one label")
    return said


def _event(label: str) -> str:
    """The attributes for a label."""
    if label == TAU:
        return ""
    if _EVENT.fullmatch(label):
        return f" event={quoteattr(label)}"
    text = _OTHER.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(label, ensure_ascii=False)[1:-1])
    return f" event={quoteattr(identifier(label))} stateglass:label={quoteattr(text)}"
