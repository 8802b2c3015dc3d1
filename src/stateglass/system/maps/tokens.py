"""Cuts the text of a map into tokens."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.predicates import Operator
from stateglass.source import shown
from stateglass.source.notation import Text, Token

_MARKS: Final = {
    "=>": "ARROW",
    "...": "ELLIPSIS",
    "..": "DOTS",
    "->": "MEMBER_ARROW",
    "::": "SCOPE",
    "=": "ASSIGN",
    "?": "QUESTION",
    "(": "OPEN",
    ")": "CLOSE",
    "[": "OPEN_INDEX",
    "]": "CLOSE_INDEX",
    "{": "BEGIN",
    "}": "END",
    ",": "COMMA",
    ";": "SEMICOLON",
    ":": "COLON",
    ".": "DOT",
}
# A longer one comes before those that it begins with; messages offer the looser operator first.
OPERATORS: Final = dict(
    sorted({**_MARKS, **{o.value: o.name for o in reversed(Operator)}}.items(), key=lambda kind: -len(kind[0]))
)
QUOTES: Final = "'`‘’"

# `i~2` is the second variable `i` of a function, `count@motor.c` the one of this file.
_NAME: Final = r"[^\W\d][\w$]*(?:~[0-9]+)?(?:@(?:\w+(?:\.\w+)?|\"[^\"\\\n]*\"))?"
_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>(?:\s+|(?://|[#])[^\n]*|/\*.*?\*/)+)
  | (?P<NAME>{_NAME})
  | (?P<NUMBER>[0-9][0-9A-Za-z_]*)
  | (?P<STRING>"(?:\\[^\n]|[^"\\\n])*")
  | (?P<CHARACTER>'(?:\\[^\n]|[^'\\\n])*')
  | (?P<PARAMETER>\$[0-9]+)
  | (?P<UNCLOSED>/\*.*)
  | (?P<OPERATOR>{"|".join(re.escape(o) for o in OPERATORS)})
  | (?P<STRAY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTE: Final = re.compile(f"[{QUOTES}]")


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a text; what is none is a problem, and left out."""
    found: list[Token] = []
    position, in_label = 0, False
    while position < len(text.text):
        # In a label a quote is no character constant: it stands in front of the label, or behind it.
        quote = _QUOTE.match(text.text, position) if in_label else None
        match = quote or _TOKEN.match(text.text, position)
        assert match is not None
        kind, word, start, end = "QUOTE" if quote else str(match.lastgroup), match[0], match.start(), match.end()
        position = end
        if kind == "OPERATOR":
            kind = OPERATORS[word]
            in_label = kind == "ARROW" or (in_label and kind != "SEMICOLON")
        if kind == "UNCLOSED":
            text.problem("this comment is not closed", start, start + 2, "close it with `*/`")
        elif kind == "STRAY":
            _stray(text, word, start)
        elif kind != "BLANK":
            found.append(Token(kind, word, start, end))
    return found


def _stray(text: Text, character: str, position: int) -> None:
    if character in "\"'":
        text.problem(f"the closing {character} is missing", position, position + 1)
        return
    text.problem(f"{shown(character)} means nothing in a map", position, position + 1)
