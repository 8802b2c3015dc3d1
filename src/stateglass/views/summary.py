"""What there is to say about a model: as data for scripts, as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from stateglass.model import Model, Relation, is_error
from stateglass.reports import Summary
from stateglass.source import counted, printable
from stateglass.views.silence import silent_cycles

MOST_LABELS = 20
MOST_LISTED = 12
MOST_NAMES = 40
_INDENT = "  "
_RELATIONS = {
    Relation.EXACT: "exact: the code's behaviour, under the bounds and assumptions listed",
    Relation.OVER: "over-approximation: all of the code's behaviour and perhaps more",
    Relation.UNDER: "under-approximation: some of the code's behaviour",
}


def relation_text(model: Model) -> str:
    """What a model is to the code. Most formats do not say whether there is any: a model from there is what it is."""
    if not model.origin.files and model.origin.relation is Relation.EXACT:
        return "taken as it is: nothing is said about code that it comes from"
    if model.partial and model.origin.relation is Relation.OVER:
        return "over-approximation as far as it goes: perhaps more than the code's behaviour, and not all of it"
    return _RELATIONS[model.origin.relation]


def summarise(model: Model) -> Summary:
    """The keys of `info --format json`; `deterministic`: no state has two targets for one label."""
    origin = model.origin
    return {
        "states": model.states,
        "transitions": model.transitions,
        "labels": _used_labels(model),
        "deadlocks": model.deadlocks.tolist(),
        "livelocks": silent_cycles(model),
        "partial": model.partial,
        "partial_reasons": list(origin.partial),
        "deterministic": model.is_deterministic,
        "initial": model.initial,
        "terminal": _members(model.terminal),
        "unexplored": _members(model.unexplored),
        "propositions": [p.name for p in model.propositions],
        "relation": origin.relation.value,
        "subject": origin.subject,
        "assumptions": [{"kind": a.kind.value, "subject": a.subject, "text": a.text} for a in origin.assumptions],
        "bounds": dict(origin.bounds),
        "history": list(origin.history),
    }


def summary_text(model: Model, width: int) -> str:
    """What there is to say about a model as text for people, no line longer than `width`."""
    origin = model.origin
    labels = _used_labels(model)
    sizes = ", ".join(
        counted(n, word)
        for n, word in ((model.states, "state"), (model.transitions, "transition"), (len(labels), "label"))
    )
    lines = _wrapped(f"{origin.subject}: {sizes}" if origin.subject else sizes, width)
    lines += [line for reason in origin.partial for line in _wrapped(f"PARTIAL: {reason}", width)]
    lines += _wrapped(relation_text(model), width)
    facts = [
        f"initial state {model.initial}",
        _listed("end", _members(model.terminal)),
        _listed("deadlock", model.deadlocks.tolist()),
        _listed("livelock", silent_cycles(model)),
        "deterministic" if model.is_deterministic else "not deterministic",
    ]
    lines += [line for fact in facts for line in _wrapped(fact, width)]
    if model.propositions:
        names = [p.name for p in model.propositions]
        more = [f"… {len(names) - MOST_NAMES:,} more"] if len(names) > MOST_NAMES else []
        lines += _wrapped("propositions: " + ", ".join(names[:MOST_NAMES] + more), width)
    most = sorted(labels.items(), key=lambda item: -item[1])
    digits = max((len(str(n)) for n in labels.values()), default=0)
    lines += _section("labels", (f"{n:>{digits}}  {label}" for label, n in most[:MOST_LABELS]), width, wrap=False)
    if len(most) > MOST_LABELS:
        lines.append(f"{_INDENT}… {len(most) - MOST_LABELS} more")
    lines += _section("bounds", (f"{name} = {values}" for name, values in origin.bounds), width)
    lines += _section("assumptions", map(str, origin.assumptions), width)
    lines += _section("history", origin.history, width)
    return "\n".join(lines) + "\n"


def _used_labels(model: Model) -> dict[str, int]:
    return {label: count for label, count in model.label_counts().items() if count}


def errors_reached(model: Model) -> list[str]:
    """The errors that the model shows, by their labels."""
    return [label for label in _used_labels(model) if is_error(label)]


def _members(flags: npt.NDArray[np.bool_] | None) -> list[int]:
    return [] if flags is None else np.flatnonzero(flags).tolist()


def _listed(word: str, states: list[int]) -> str:
    if not states:
        return f"no {word}s"
    shown = ", ".join(map(str, states[:MOST_LISTED]))
    more = f", … {len(states) - MOST_LISTED} more" if len(states) > MOST_LISTED else ""
    at = "state" if len(states) == 1 else "states"
    return (
        f"{counted(len(states), word)}: {at} {shown}{more}"
        if word != "livelock"
        else f"livelocks in {at} {shown}{more}"
    )


def _section(title: str, items: Iterable[str], width: int, *, wrap: bool = True) -> list[str]:
    lines: list[str] = []
    for item in items:
        if wrap:
            lines += _wrapped(item, width, _INDENT)
        else:
            lines.append(cut(_INDENT + item, width))
    return [f"{title}:", *lines] if lines else []


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    room = max(width, 20)
    return textwrap.wrap(
        printable(text), room, initial_indent=indent, subsequent_indent=indent + _INDENT, break_on_hyphens=False
    )


def cut(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    plain = printable(text)
    return plain if len(plain) <= width else plain[: max(width - 1, 1)] + "…"
