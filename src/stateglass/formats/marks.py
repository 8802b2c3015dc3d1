"""What formats with comments say in them about the model: that it is partial, and where; which states are no ends.

A mark is a comment line of its own: `stateglass partial ["…"]`, `stateglass relation "under"`,
`stateglass unexplored ["s3"]`, `stateglass no-end ["s4"]`, each with a JSON value. Without it a part would be read back
as the whole, and a deadlock after an action like `exit(0)` as a normal end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from stateglass.formats.ends import told_ends
from stateglass.formats.problems import Problems
from stateglass.model import Model, Relation
from stateglass.source import Code

_MARK = re.compile(r"[ \t]*stateglass[ \t]+(partial|relation|unexplored|no-end)[ \t]+(.*)", re.DOTALL)
# What ends a comment or begins something else in one of the formats.
_UNSAFE = re.compile(r"[{}<>&';\x7f]|-(?=-)")


@final
@dataclass(frozen=True, slots=True)
class Marks:
    """What the comments of a file say."""

    relation: Relation = Relation.EXACT
    partial: tuple[str, ...] = ()
    unexplored: tuple[str, ...] = ()  # states, by what stands for them in the file
    no_ends: tuple[str, ...] = ()  # states that are no normal ends, although an ending action leads to them


def marks(model: Model, ids: Sequence[str]) -> list[str]:
    """The texts of the comments, for states that are called `ids` in the file."""
    found: list[tuple[str, object]] = []
    if model.origin.partial:
        found.append(("partial", list(model.origin.partial)))
    if model.origin.relation is not Relation.EXACT:
        found.append(("relation", model.origin.relation.value))
    if model.unexplored is not None and model.unexplored.any():
        found.append(("unexplored", [ids[state] for state in np.flatnonzero(model.unexplored).tolist()]))
    no_ends = told_ends(model)
    if model.terminal is not None:
        no_ends &= ~model.terminal
    if no_ends.any():
        found.append(("no-end", [ids[state] for state in np.flatnonzero(no_ends).tolist()]))
    return [f"stateglass {key} {one_line_json(value)}" for key, value in found]


def one_line_json(value: object) -> str:
    """JSON of strings that can stand in a comment of any of the formats."""
    return _UNSAFE.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(value))


def read_marks(comments: Iterable[tuple[int, str]], problems: Problems) -> Marks:
    """The marks among the comments of a file, given with their lines and without what makes them comments."""
    found = Marks()
    for line, comment in comments:
        match = _MARK.fullmatch(comment)
        if match is None:
            continue
        value = _value(match[2])
        if match[1] == "relation" and value in [relation.value for relation in Relation]:
            found = replace(found, relation=Relation(value))
        elif match[1] == "partial" and _are_texts(value):
            found = replace(found, partial=tuple(value))
        elif match[1] == "unexplored" and _are_texts(value):
            found = replace(found, unexplored=tuple(value))
        elif match[1] == "no-end" and _are_texts(value):
            found = replace(found, no_ends=tuple(value))
        else:
            problems.add(f"the comment `stateglass {match[1]}` has no value that can be understood", line)
    return found


def check_marks(found: Marks, states: Collection[str], problems: Problems) -> None:
    """Notes states of the marks that the file does not have."""
    for key, named in (("unexplored", found.unexplored), ("no-end", found.no_ends)):
        for state in named:
            if state not in states:
                message = f"the comment `stateglass {key}` names `{state[:40]}`, which is no state"
                problems.add(message, code=Code.MODEL)


def marked(model: Model, found: Marks, numbers: Mapping[str, int], history: tuple[str, ...] = ()) -> Model:
    """The model with what the comments say about it."""
    flags = np.zeros(model.states, dtype=np.bool_)
    flags[[numbers[state] for state in found.unexplored]] = True
    ends = model.terminal
    if ends is not None and found.no_ends:
        ends = ends.copy()
        ends[[numbers[state] for state in found.no_ends]] = False
        ends = ends if ends.any() else None
    origin = replace(model.origin, relation=found.relation, partial=found.partial, history=history)
    return replace(model, origin=origin, terminal=ends, unexplored=flags if flags.any() else None)


def left_out(format: str, counts: Mapping[str, int]) -> tuple[str, ...]:
    """A line of the model's history about what its file had and a model has no place for."""
    parts = words_for(counts)
    return (f"read from {format} without: {', '.join(parts)}",) if parts else ()


def words_for(counts: Mapping[str, int]) -> tuple[str, ...]:
    """What was left out, and how often, as words."""
    return tuple(f"{count} × {what}" for what, count in counts.items() if count)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
