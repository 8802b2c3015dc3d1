"""A run in the Informal Trace Format (ITF) of Apalache, which viewers of traces read.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from __future__ import annotations

from typing import Any, Final

from stateglass.evidence import Path
from stateglass.model import Proposition, Sort
from stateglass.views.claims.cards import Card, verdict_words

ACTION: Final = "action"
"""The variable that holds the action which has led to a state."""


def itf(card: Card, path: Path) -> dict[str, Any]:
    """The trace as JSON; the last state of a run that repeats itself is the one it goes back to, and is left out."""
    columns = [(_name(p.name), p) for p in card.model.propositions]
    rows = [(path.start, ""), *((step.target, step.action) for step in path.steps)]
    if path.loop_start is not None:
        rows = rows[:-1]
    states = [
        {"#meta": {"index": index}, ACTION: action, **{name: _value(p, state) for name, p in columns}}
        for index, (state, action) in enumerate(rows)
    ]
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": ", ".join(card.model.origin.files or card.origin.origin.files),
        "description": f"{card.title}: {verdict_words(card.answer)}",
    }
    loop = {} if path.loop_start is None else {"loop": path.loop_start}
    return {"#meta": meta, "vars": [ACTION, *(name for name, _ in columns)], "states": states, **loop}


def _name(name: str) -> str:
    return f"{name}_" if name == ACTION else name


def _value(proposition: Proposition, state: int) -> Any:
    if proposition.defined is not None and not proposition.defined[state]:
        return {"#unserializable": "?"}
    match proposition.sort:
        case Sort.BOOL:
            return bool(proposition.values[state])
        case Sort.INT:
            return {"#bigint": str(int(proposition.values[state]))}
        case Sort.ENUM | Sort.FLOAT | Sort.POINTER:
            return proposition.text(state)
