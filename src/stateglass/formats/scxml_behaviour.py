"""What SCXML says to be done: data, `onentry`, `onexit` and the content of transitions, as text in the manner of C.

Assignments, choices and events that are raised or sent are understood; anything else that is executed is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.model.chart import Note

_STATES: Final = ("state", "final")
_BLOCKS: Final = {"onentry": "entry", "onexit": "exit"}
_HOLDERS: Final = frozenset({*_BLOCKS, "transition", "if"})
_ALLOWED: Final = {
    "data": ({"id", "expr"}, {"id"}),
    "assign": ({"location", "expr"}, {"location", "expr"}),
    "raise": ({"event"}, {"event"}),
    "send": ({"event", "id"}, {"event"}),
    "if": ({"cond"}, {"cond"}),
    "elseif": ({"cond"}, {"cond"}),
    "else": (set[str](), set[str]()),
    "log": ({"label", "expr"}, set[str]()),
}
"""Which attributes an element may have, and which it must have."""


@final
@dataclass(slots=True)
class Behaviour:
    """Collects what is done, in the order of the text; `wrong` is told what is not understood."""

    wrong: Callable[[str], None]
    variables: list[tuple[str, Note]] = field(default_factory=list)
    notes: dict[str, list[Note]] = field(default_factory=dict)  # by state: `entry / n = 0;`
    actions: dict[int, str] = field(default_factory=dict)  # by the numbers of transitions
    _text: list[str] | None = None
    _line: int = 0

    def start(self, name: str, parent: str, attributes: dict[str, str], line: int) -> bool:
        """An element begins; whether it says something that is done."""
        if name in _BLOCKS and parent in _STATES:
            self._text, self._line = [], line
        elif parent in _HOLDERS and self._text is None:
            self.wrong(f"`<{name[:40]}>` is not understood here")
        elif parent in _HOLDERS and self._text is not None:
            self._executed(name, parent, attributes)
        elif name == "data" and parent == "datamodel" and self._is_known(name, attributes):
            self.variables.append((attributes["id"].strip(), Note(attributes.get("expr", "0").strip(), line)))
        else:
            return (name, parent) in (("datamodel", "scxml"), ("data", "datamodel"))
        return True

    def transition(self) -> None:
        """A transition begins."""
        self._text = []

    def end(self, name: str, state: str, transitions: range) -> None:
        """An element ends; `transitions` are those that it makes, if it is a transition."""
        if name == "if" and self._text is not None:
            self._text.append("}")
        elif name in _BLOCKS and self._text is not None:
            note = Note(f"{_BLOCKS[name]} / {' '.join(self._text)}", self._line)
            self.notes.setdefault(state, []).append(note)
            self._text = None
        elif name == "transition" and self._text is not None:
            self.actions.update(dict.fromkeys(transitions, " ".join(self._text)))
            self._text = None

    def _executed(self, name: str, parent: str, attributes: dict[str, str]) -> None:
        assert self._text is not None
        if name not in _ALLOWED or name == "data" or (name in ("elseif", "else") and parent != "if"):
            self.wrong(f"`<{name[:40]}>` is not understood")
        elif self._is_known(name, attributes):
            values = {key: value.strip() for key, value in attributes.items()}
            match name:
                case "assign":
                    self._text.append(f"{values['location']} = {values['expr']};")
                case "raise" | "send":
                    self._text.append(f"^{values['event']}();")
                case "if":
                    self._text.append(f"if ({values['cond']}) {{")
                case "elseif":
                    self._text.append(f"}} else if ({values['cond']}) {{")
                case "else":
                    self._text.append("} else {")
                case _:
                    pass  # what is logged is not seen

    def _is_known(self, name: str, attributes: dict[str, str]) -> bool:
        allowed, needed = _ALLOWED[name]
        odd = [a for a in attributes if " " not in a and a not in allowed]
        missing = sorted(needed - attributes.keys())
        if odd:
            self.wrong(f"`{odd[0][:40]}` of `<{name}>` is not understood")
        if missing:
            self.wrong(f"`<{name}>` has no `{missing[0]}`")
        return not odd and not missing
