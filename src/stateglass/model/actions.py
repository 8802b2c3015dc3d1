"""What the label of a transition says: `call(f, 3)`, `error(bounds)`, a name of the user's own; its writer and reader.

The text is what files, claims and logs have, so that every room that asks about a label reads it here. A label of any
other shape is a free name: reading never fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final


@final
@unique
class Verb(Enum):
    """What actions of code do; what they do it to stands first in the parentheses."""

    CALL = "call"
    RETURN = "return"
    THROW = "throw"
    LOAD = "load"
    STORE = "store"
    ERROR = "error"
    EXIT = "exit"


_VERBS: Final = {verb.value: verb for verb in Verb}
_ENDINGS: Final = frozenset({Verb.ERROR, Verb.EXIT})
_REACH_ERROR: Final = "reach_error"
"""The function by which programs of the software verification competition say that something has gone wrong."""

# A string that is not closed goes on to the end: a search that fails at each quote would take quadratic time.
_STRING: Final = r'"(?:[^"\\]|\\.|\\\Z)*(?:"|\Z)'
_PIECE: Final = re.compile(rf"{_STRING}|[][,(){{}}]", re.DOTALL)
# In a name, angle brackets hold the types of a template, unless they are the name of an operator.
_OPERATOR: Final = r"\boperator *(?:<=>|<<=?|<=?|->\*?|>>=?|>=?|\(\)|\[\]|,(?=\s*(?:,|\Z)))"
_PIECE_OF_NAME: Final = re.compile(rf"{_STRING}|{_OPERATOR}|[][,(){{}}<>]", re.DOTALL)
_BAR: Final = re.compile(rf"{_STRING}|[()|]", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class Action:
    """A label taken apart; `name` is the function, the variable, the kind of error, the exit status, or a free name."""

    verb: Verb | None
    name: str
    arguments: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """What stands in front of the parentheses."""
        return self.name if self.verb is None else self.verb.value

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands in the parentheses."""
        return self.arguments if self.verb is None else (self.name, *self.arguments)

    @property
    def is_error(self) -> bool:
        """Whether it says that something has gone wrong."""
        match self.verb:
            case Verb.ERROR:
                return True
            case Verb.CALL:
                return self.name == _REACH_ERROR
            case None:
                return self.name in (Verb.ERROR.value, _REACH_ERROR)
            case _:
                return False

    @property
    def error_kind(self) -> str | None:
        """`bounds` of `error(bounds)`; None for what is no such action."""
        return self.name if self.verb is Verb.ERROR else None

    @property
    def is_ending(self) -> bool:
        """Whether it ends the program: `exit(n)` or `error(kind)`."""
        return self.verb in _ENDINGS

    def __str__(self) -> str:
        if self.verb is None and not self.arguments:
            return self.name
        return f"{self.head}({', '.join(self.inside)})"


def parsed(label: str) -> Action:
    """What a label says; `f()` says the same as `f`, and what was done at once (`a|b`) is a name as a whole."""
    head, opened, rest = label.partition("(")
    if not opened or not rest.endswith(")") or not head or head != head.strip() or is_multiple(label):
        return Action(None, label)
    verb, inside = _VERBS.get(head), rest[:-1]
    if verb is None:
        return Action(None, head, split_arguments(inside))
    end = _end_of_name(inside)
    return Action(verb, inside[:end].strip(), _split(inside[end + 1 :]) if end < len(inside) else ())


def is_error(label: str) -> bool:
    """Whether a label says that something has gone wrong, perhaps beside other things that are done at once."""
    # Labels are many, and nearly all of them are none.
    return Verb.ERROR.value in label and any(parsed(part).is_error for part in at_once(label))


def is_multiple(label: str) -> bool:
    """Whether several actions are done at once."""
    return "|" in label and len(at_once(label)) > 1


def at_once(label: str) -> tuple[str, ...]:
    """The actions of a multi-action `a(1)|b`: bars in parentheses and strings part nothing."""
    if "|" not in label:
        return (label,)
    parts, depth, start = [], 0, 0
    for found in _BAR.finditer(label):
        match found[0]:
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case "|" if depth <= 0:
                parts.append(label[start : found.start()])
                start = found.end()
            case _:
                pass
    return (*parts, label[start:])


def split_arguments(text: str) -> tuple[str, ...]:
    """The parts between commas that stand in no brackets and no string."""
    return _split(text) if text.strip() else ()


def _split(text: str) -> tuple[str, ...]:
    parts, depth, start = [], 0, 0
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece == "," and depth == 0:
            parts.append(text[start : found.start()].strip())
            start = found.end()
        elif piece in "([{":
            depth += 1
        elif piece in ")]}" and depth:
            depth -= 1
    return (*parts, text[start:].strip())


def _end_of_name(text: str) -> int:
    """Where the first part ends; that of `f<int, char>, 3` is behind the `>`."""
    depth = 0
    for found in _PIECE_OF_NAME.finditer(text):
        piece = found[0]
        if piece == "," and depth == 0:
            return found.start()
        if piece in ("(", "[", "{", "<"):
            depth += 1
        elif piece in (")", "]", "}", ">") and depth:
            depth -= 1
    # What is not closed is no bracket.
    return len(text) if depth == 0 else len(text.partition(",")[0])
