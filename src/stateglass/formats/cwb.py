"""Automata for the Edinburgh Concurrency Workbench: one CCS agent per state, only written.

Actions begin with a lower-case letter there; labels become identifiers by the scheme of `names`, comments say which.
"""

from __future__ import annotations

from stateglass.formats.files import utf8
from stateglass.formats.marks import marks, one_line_json
from stateglass.formats.names import identifier
from stateglass.formats.unkept import spelt_out, unkept
from stateglass.model import TAU, Model

_WORDS = frozenset({"tau", "eps"})
_WIDTH = 110


def serialise(model: Model) -> bytes:
    actions = _actions(model)
    states = [f"S{state}" for state in range(model.states)]
    lines = [f"* {mark}" for mark in marks(model, states)]
    renamed = zip(model.labels, actions, strict=True)
    lines += [f"* {action} is {one_line_json(label)}" for label, action in renamed if action != label]
    lines.append(f"agent Model = S{model.initial};")
    numbers, targets = model.actions.tolist(), model.targets.tolist()
    for state, name in enumerate(states):
        transitions = range(model.first[state], model.first[state + 1])
        lines += _agent(name, [f"{actions[numbers[t]]}.S{targets[t]}" for t in transitions])
    return utf8("\n".join(lines) + "\n")


def losses(model: Model) -> list[str]:
    return [*unkept(model, "cwb", comments=False), *spelt_out("cwb", model.labels, _actions(model))]


def _actions(model: Model) -> list[str]:
    return [TAU if label == TAU else identifier(label, "a-z", _WORDS) for label in model.labels]


def _agent(name: str, summands: list[str]) -> list[str]:
    """A definition, in several lines where one would be too long."""
    lines = [f"agent {name} ="]
    for i, part in enumerate(summands or ["0"]):
        piece = f" + {part}" if i else f" {part}"
        if len(lines[-1]) + len(piece) > _WIDTH:
            lines.append("   ")
        lines[-1] += piece
    lines[-1] += ";"
    return lines
