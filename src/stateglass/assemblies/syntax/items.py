"""Cuts the tokens of a design into items, so that a mistake in one of them does not hide those in others.

An item is what ends with `;` or with the `}` of its own; components, reactions and assemblies have items inside.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from stateglass.source.notation import Text, Token

# Where items are that begin with these two tokens: in nothing, in a component or assembly, in a reaction.
_DEPTHS: Final = {
    ("COMPONENT", "NAME"): 0,
    ("ASSEMBLY", "NAME"): 0,
    ("ENVIRONMENT", "NAME"): 0,
    ("SINK", "SYNCH"): 1,
    ("SINK", "ASYNCH"): 1,
    ("SOURCE", "SYNCH"): 1,
    ("SOURCE", "ASYNCH"): 1,
    ("THREADED", "REACT"): 1,
    ("UNTHREADED", "REACT"): 1,
    ("REACT", "NAME"): 1,
    ("SERVICE", "NAME"): 1,
    ("EXPOSE", "BEGIN"): 1,
    ("STATE", "NAME"): 2,
}
_IN_REACTION: Final = 2
_TOLD_APART: Final[dict[tuple[str, ...], int]] = {("ANNOTATE", "NAME"): 1, ("NAME", "ARROW"): _IN_REACTION}
_OUTERMOST: Final = frozenset({"COMPONENT", "ASSEMBLY", "ENVIRONMENT", "ENUM"})
_CONTAINERS: Final = frozenset({"COMPONENT", "ASSEMBLY", "ENVIRONMENT", "THREADED", "UNTHREADED", "REACT"})
_HEADS: Final = frozenset({"THREADED", "UNTHREADED"})


@final
@dataclass(frozen=True, slots=True)
class Item:
    """The tokens of an item; for one with others inside, those up to its `{`, and what is inside."""

    tokens: tuple[Token, ...]
    inside: tuple[Item, ...] | None
    end: int


@final
@dataclass(slots=True)
class _Cutter:
    text: Text
    tokens: Sequence[Token]
    at: int = 0
    begins: dict[int, int] = field(default_factory=dict)  # positions of tokens to the depth of the items they begin
    following: list[int] = field(default_factory=list)  # behind each token, the depth of the next item that is told

    def __post_init__(self) -> None:
        self.following = [0] * len(self.tokens)
        depth = 0
        for at in range(len(self.tokens) - 1, -1, -1):
            self.following[at] = depth
            first, *second = (token.kind for token in self.tokens[at : at + 2])
            if first in _OUTERMOST and second != ["DOT"]:
                depth = 0
            else:
                depth = self.begins.get(at, _TOLD_APART.get((first, *second), depth))

    def items(self, depth: int) -> tuple[Item, ...]:
        """Items up to a `}` that closes what they are in, or to something that cannot be in it."""
        found: list[Item] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            is_end = token.kind == "END" and depth and not self._goes_on(depth)
            if self.begins.get(self.at, depth) < depth or is_end:
                break
            if token.kind == "END":
                self.text.problem("this `}` closes nothing", token.start, token.end)
            if token.kind in ("END", "SEMICOLON"):
                self.at += 1
            else:
                found.append(self._item(depth))
        return tuple(found)

    def _goes_on(self, depth: int) -> bool:
        """Whether behind a `}` stands what can only be inside: it closes nothing, and another one does."""
        return self.following[self.at] >= depth

    def _item(self, depth: int) -> Item:
        start = self.at
        is_container = self.tokens[start].kind in _CONTAINERS and self.begins.get(start) == depth
        open = 0
        while self.at < len(self.tokens):
            kind = self.tokens[self.at].kind
            if (self.at > start and self._begins_another(depth)) or (kind == "END" and not open):
                break
            self.at += 1
            if kind == "SEMICOLON" and not open:
                break
            if kind == "BEGIN" and is_container:
                return self._container(start, depth)
            open += (kind == "BEGIN") - (kind == "END")
            if kind == "END" and not open:
                break
        return Item(tuple(self.tokens[start : self.at]), None, self.tokens[self.at - 1].end)

    def _begins_another(self, depth: int) -> bool:
        begun = self.begins.get(self.at)
        if begun is not None and begun <= depth:
            return True
        before, *two = (token.kind for token in self.tokens[self.at - 1 : self.at + 2])
        return two == ["ANNOTATE", "NAME"] or (two == ["NAME", "ARROW"] and before != "ARROW" and depth == _IN_REACTION)

    def _container(self, start: int, depth: int) -> Item:
        head = tuple(self.tokens[start : self.at])
        inside = self.items(depth + 1)
        if self.at < len(self.tokens) and self.tokens[self.at].kind == "END":
            self.at += 1
        else:
            brace = head[-1]
            self.text.problem("this `{` is not closed", brace.start, brace.end, "there is a `}` for each `{`")
        return Item(head, inside, self.tokens[self.at - 1].end)


def _is_headed(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word, whatever it is, stands where a name does: in front of what opens."""
    return number + 2 < len(tokens) and tokens[number + 2].kind in ("OPEN", "BEGIN")


def items_of(text: Text, tokens: Sequence[Token]) -> tuple[Item, ...]:
    """The items of a whole text."""
    begins: dict[int, int] = {}
    for number, (first, second) in enumerate(itertools.pairwise(tokens)):
        depth = _DEPTHS.get((first.kind, second.kind))
        if depth is None and second.text.isidentifier() and _is_headed(tokens, number):
            depth = _DEPTHS.get((first.kind, "NAME"))
        if depth is not None and not (number and first.kind == "REACT" and tokens[number - 1].kind in _HEADS):
            begins[number] = depth
    return _Cutter(text, tokens, begins=begins).items(0)
