"""Cuts the text of processes into tokens."""

from __future__ import annotations

import re
from typing import Final

from stateglass.source.notation import Text, Token
from stateglass.system.fsp.words import EVENT_NAME, MEMBER_NAME, SIGNS, VERBS, WORDS

_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>(?:\s+|//[^\n]*|/\*.*?\*/)+)
  | (?P<NAME>{EVENT_NAME})
  | (?P<NUMBER>[0-9][0-9A-Za-z_]*)
  | (?P<STRING>"(?:\\[^\n]|[^"\\\n])*")
  | (?P<UNCLOSED>/\*.*)
  | (?P<SIGN>{"|".join(re.escape(s) for s in SIGNS)})
  | (?P<STRAY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_MEMBER: Final = re.compile(MEMBER_NAME)
_STRAYS: Final = {
    "#": "a comment is `// …` or `/* … */`",
    ";": "a definition ends with `,`, the last one with `.`",
    "&": "conditions are joined with `&&`; arguments by reference cannot be written yet",
    "?": "a variable is bound with its range, as in `call(set, v:0..3)`",
    "'": 'a text stands in double quotes: `"on"`',
    "$": "the result is `$0`, as in `return {$0 == 1}`",
    "@": "a process is named alone: there are no hidden or renamed actions",
    "\\": "a process is named alone: there are no hidden or renamed actions",
    "~": "only destructors have names with `~`",
}


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a text; what is none is a problem, and left out."""
    found: list[Token] = []
    position = 0
    while position < len(text.text):
        # Names of functions have signs in them that mean something elsewhere: `set<int>`, `locks[0].lock`.
        member = _MEMBER.match(text.text, position) if _names_a_member(found) else None
        match = member or _TOKEN.match(text.text, position)
        assert match is not None
        kind, shown, start, position = str(match.lastgroup), match[0], match.start(), match.end()
        if member:
            kind = "MEMBER"
        elif kind == "NAME":
            kind = WORDS.get(shown, kind)
        elif kind == "SIGN":
            kind = SIGNS[shown]
        if kind == "UNCLOSED":
            text.problem("this comment is not closed", start, start + 2, "close it with `*/`")
        elif kind == "STRAY":
            _stray(text, shown, start)
        elif kind != "BLANK":
            found.append(Token(kind, shown, start, position))
    return found


def _names_a_member(before: list[Token]) -> bool:
    return len(before) > 1 and before[-1].kind == "OPEN" and before[-2].text in VERBS


def _stray(text: Text, character: str, position: int) -> None:
    if character == '"':
        text.problem('the closing " is missing', position, position + 1)
        return
    shown = character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
    help = _STRAYS.get(character, "")
    text.problem(f"`{shown}` means nothing in a process", position, position + 1, help)
