"""Cuts the text of a C expression into tokens; what they mean is clang's business.

Besides C's own names there are those that maps and bounds have: `f::x` for a static local, `::x` for a global,
`x@motor.c` for the one of a file, `x~2` for the second of that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, final

_FILE: Final = r"@(?:\w+(?:\.\w+)*|\"[^\"\\\n]*\")"
_WORD: Final = r"[^\W\d][\w$]*"
_TOKEN: Final = re.compile(
    rf"""
    (?P<BLANK>\s+)
  | (?P<TEXT>(?:u8|[uUL])?(?:"(?:\\[^\n]|[^"\\\n])*"|'(?:\\[^\n]|[^'\\\n])*'))
  | (?P<NAME>(?:(?P<function>{_WORD}(?:{_FILE})?)?(?P<scope>::))?(?P<base>{_WORD})
      (?:~(?P<ordinal>[0-9]+))?(?P<file>{_FILE})?)
  | (?P<NUMBER>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<OPERATOR>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>=?:.,()\[\]{{}}])
  | (?P<STRAY>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
# What begins a comment, continues a line or begins a directive in C.
_NOT_HERE: Final = re.compile(r"//|/\*|%:|\?\?|<%|%>|<:|:>")

KEYWORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if inline int long "
        "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
        "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local",
    )
)
_BEFORE_OTHER_NAMES: Final = (".", "->", "struct", "union", "enum")


@final
@unique
class TokenKind(Enum):
    """What a token is."""

    NAME = "NAME"
    NUMBER = "NUMBER"
    TEXT = "TEXT"
    OPERATOR = "OPERATOR"
    STRAY = "STRAY"


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A token: the characters from `start` to `end`. The parts of a name are empty if it has none of them."""

    kind: TokenKind
    text: str
    start: int
    end: int
    base: str = ""
    scoped: bool = False  # `f::x` or `::x`
    function: str = ""
    ordinal: str = ""
    file: str = ""


@final
@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a text is no expression, and which characters show it."""

    message: str
    start: int
    end: int
    help: str = ""


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, whatever it is."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)  # the outermost, because it ends last
        if kind == "NAME":
            file = (match["file"] or "").removeprefix("@").strip('"')
            scoped, function, ordinal = match["scope"] is not None, match["function"] or "", match["ordinal"] or ""
            found.append(Token(TokenKind.NAME, match[0], *match.span(), match["base"], scoped, function, ordinal, file))
        elif kind != "BLANK":
            found.append(Token(TokenKind(kind), match[0], *match.span()))
    return found


def names_in(tokens: list[Token]) -> list[Token]:
    """The names that stand for variables, functions, enumerators or macros: not those of members, tags and keywords."""
    found = []
    before = ""
    for token in tokens:
        if token.kind is TokenKind.NAME and token.text not in KEYWORDS and before not in _BEFORE_OTHER_NAMES:
            found.append(token)
        before = token.text
    return found


def misfits(text: str) -> list[Misfit]:
    """What keeps a text from standing as one expression inside a C file, as far as its tokens tell."""
    if not text.strip():
        return [Misfit("an expression is missing here", 0, max(1, len(text)))]
    found = [Misfit(f"`{m[0]}` is not understood in an expression", *m.span(), _help(m[0])) for m in _outside(text)]
    if found:
        return found
    opened: list[Token] = []
    for token in tokens_of(text):
        if token.kind is TokenKind.STRAY:
            found.append(_stray(token))
        elif token.text in _OPENING:
            opened.append(token)
        elif token.text in _OPENING.values():
            if not opened:
                found.append(Misfit(f"`{token.text}` closes nothing", token.start, token.end))
            elif _OPENING[opened.pop().text] != token.text:
                found.append(Misfit(f"`{token.text}` does not fit what is open here", token.start, token.end))
    if not found:
        found += [Misfit(f"`{_OPENING[o.text]}` is missing for this `{o.text}`", o.start, o.end) for o in opened]
    return found


def _outside(text: str) -> list[re.Match[str]]:
    """Where characters stand outside of strings that C would not read as a part of an expression."""
    plain = list(text)
    for token in tokens_of(text):
        if token.kind is TokenKind.TEXT:
            plain[token.start : token.end] = " " * len(token.text)
    return list(_NOT_HERE.finditer("".join(plain)))


def _stray(token: Token) -> Misfit:
    if token.text in "\"'":
        return Misfit(f"the closing {token.text} is missing", token.start, token.end)
    if token.text == ";":
        return Misfit("an expression has no `;`", token.start, token.end, "remove it")
    shown = token.text if token.text.isprintable() else "\N{REPLACEMENT CHARACTER}"
    return Misfit(f"`{shown}` means nothing in an expression", token.start, token.end)


def _help(text: str) -> str:
    return "comments begin with `#`" if text in ("//", "/*") else ""
