"""Cuts the text of a design into tokens."""

from __future__ import annotations

import re
from typing import Final

from stateglass.assemblies.syntax.words import FOREIGN_WORDS, SIGNS, STEPS, TYPE_WORDS, UPDATES, WORDS
from stateglass.source import shown
from stateglass.source.notation import Text, Token

_ALL_SIGNS: Final = sorted({*SIGNS, *STEPS, *UPDATES}, key=len, reverse=True)
_INSIDE: Final = r'(?:\\[^\n]|[^"\\\n])*'
# A text may go on in the next lines if it is clear where it ends: in an annotation.
BROKEN: Final = "BROKEN"
"""The kind of what is none of the notation: a problem was noted, and what follows it is not worth asking."""
_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>(?:\s+|//[^\n]*|/\*.*?\*/)+)
  | (?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<NUMBER>[0-9][A-Za-z0-9_]*)
  | (?P<STRING>"{_INSIDE}"|"{_INSIDE}(?:\n{_INSIDE}){{1,20}}"(?=\s*[}},]))
  | (?P<CHARACTER>'(?:\\[^\n]|[^'\\\n])')
  | (?P<UNCLOSED>/\*.*)
  | (?P<HALF>"[^\n]*)
  | (?P<SIGN>{"|".join(re.escape(s) for s in _ALL_SIGNS)})
  | (?P<STRAY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_STRAYS: Final = {
    "#": "a comment is `// …` or `/* … */`; nothing is included or defined",
    "?": "choose with `if (condition) … else …`",
    "[": "there are no arrays: write a variable for each element",
    "]": "",
    "'": "a character is one alone, as in 'a'",
}


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a text; what is none is a problem."""
    found: list[Token] = []
    position = 0
    while position < len(text.text):
        match = _TOKEN.match(text.text, position)
        assert match is not None
        kind, word, start, end = str(match.lastgroup), match[0], match.start(), match.end()
        if kind == "HALF":
            # What an annotation and its component end with is not in the text.
            word = word.rstrip("}; \t\r")
            end = start + len(word)
        position = end
        match kind:
            case "BLANK":
                continue
            case "UNCLOSED":
                text.problem("this comment is not closed", start, start + 2, "close it with `*/`")
                continue
            case "STRAY":
                help = "names have the letters a to z, digits and `_`" if word.isalnum() else _STRAYS.get(word, "")
                text.problem(f"{shown(word)} means nothing in a design", start, end, help)
                kind = BROKEN
            case "HALF":
                text.problem('the closing " is missing', start, end)
                kind = BROKEN
            case "NAME" if word in FOREIGN_WORDS:
                text.problem(f"`{word}` is no word of the notation", start, end, FOREIGN_WORDS[word])
                kind = BROKEN
            case "NAME":
                kind = "TYPE_WORD" if word in TYPE_WORDS else WORDS.get(word, kind)
            case "SIGN":
                kind = "STEP" if word in STEPS else "UPDATE" if word in UPDATES else SIGNS[word]
            case _:
                pass
        found.append(Token(kind, word, start, end))
    return found
