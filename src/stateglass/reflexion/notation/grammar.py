"""The grammar of machines, statement by statement, so that one mistake does not hide the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, final

from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedToken

from stateglass.reflexion.notation.lines import KEYWORDS, Line, Text
from stateglass.reflexion.validation import shown
from stateglass.source.wording import alternatives

SyntaxTree = Tree[LarkToken]

GRAMMAR: Final = """
start: machine | let | assume | state | transition
machine: MACHINE name OF function (IN STRING (COMMA STRING)*)?
let: LET NAME EQUAL EXPRESSION
assume: ASSUME EXPRESSION
state: INITIAL? STATE name (COLON EXPRESSION)?
transition: name ARROW name (WHEN EXPRESSION)? (PRIORITY NUMBER)?
function: NAME (AT (NAME | STRING))?
name: NAME | STRING

%declare MACHINE OF IN LET ASSUME INITIAL STATE WHEN PRIORITY
%declare NAME STRING NUMBER EQUAL COLON ARROW COMMA AT EXPRESSION STRAY
"""

EXAMPLES: Final = {
    "machine": 'write `machine NAME of FUNCTION in "FILE.c"`',
    "let": "write `let NAME = EXPRESSION`",
    "assume": "write `assume CONDITION`",
    "state": "write `state NAME: CONDITION`",
    "initial": "write `initial state NAME: CONDITION`",
    "": "write `A -> B when CONDITION` for a transition; "
    "other lines begin with `machine`, `let`, `assume`, `state` or `initial state`",
}
_WORDS: Final = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "NUMBER": "a number",
    "EXPRESSION": "an expression",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "ARROW": "`->`",
    "COMMA": "`,`",
    "AT": "`@`",
    **{word.upper(): f"`{word}`" for word in sorted(KEYWORDS)},
    "$END": "the end of the line",
}
# A name may always be in quotes; a file may always be named after a function.
_HARDLY: Final = frozenset(("AT", "COMMA"))
_TOKEN: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<NAME>[^\W\d]\w*(?:\.\w+(?=[\s,]|$))?)|(?P<STRING>"(?:\\[^\n]|[^"\\\n])*")|(?P<NUMBER>[0-9]+)
    |(?P<ARROW>->)|(?P<EQUAL>=(?!=))|(?P<COLON>:)|(?P<COMMA>,)|(?P<AT>@)|(?P<STRAY>.)""",
    re.VERBOSE | re.DOTALL,
)
_PRIORITY: Final = re.compile(r"(?<![\w.>])priority\s+[0-9]+\s*$")
# Behind these the rest of a statement is an expression; a state's name may be followed by `:`.
_BEFORE_EXPRESSION: Final = {"ASSUME", "WHEN", "EQUAL", "COLON"}


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A word of the notation: the characters from `start` to `end`."""

    kind: str
    text: str
    start: int
    end: int


def parse_statement(text: Text, line: Line) -> SyntaxTree | None:
    """The tree of a statement; None after a problem was noted."""
    tokens = tokens_of(text.text, line)
    parser = _parser().parse_interactive("")
    passed: list[Token] = []
    for token in tokens:
        if token.kind == "STRAY" and token.text == '"':
            text.problem('the closing " is missing', token.start, token.end)
            return None
        try:
            parser.feed_token(_for_lark(token))
        except UnexpectedToken:
            _unexpected(text, token, passed, tokens)
            return None
        passed.append(token)
    try:
        tree: SyntaxTree = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        text.problem(f"{_expected(passed)} is missing here", line.end, line.end + 1, _example(tokens))
        return None
    return tree


def tokens_of(text: str, line: Line) -> list[Token]:
    """The tokens of a statement; an expression is one, up to the end or to `priority N` there."""
    found: list[Token] = []
    position, end = line.start, line.end
    while position < end:
        match = _TOKEN.match(text, position, end)
        assert match is not None
        kind = str(match.lastgroup)
        if kind == "NAME" and match[0] in KEYWORDS:
            kind = match[0].upper()
        position = match.end()
        if kind == "BLANK":
            continue
        found.append(Token(kind, match[0], match.start(), match.end()))
        if kind in _BEFORE_EXPRESSION and _takes_expression(found):
            stop = _PRIORITY.search(text, position, end) if kind == "WHEN" else None
            expression = text[position : stop.start() if stop else end]
            start = position + len(expression) - len(expression.lstrip())
            position += len(expression)
            if expression.strip():
                found.append(Token("EXPRESSION", expression.strip(), start, start + len(expression.strip())))
    return found


def _takes_expression(tokens: list[Token]) -> bool:
    """Whether the last token is one that an expression follows, and not a word that stands where a name should."""
    match [t.kind for t in tokens]:
        case ["ASSUME"] | ["LET", _, "EQUAL"] | ["STATE", _, "COLON"] | ["INITIAL", "STATE", _, "COLON"]:
            return True
        case [_, "ARROW", _, "WHEN"]:
            return True
        case _:
            return False


def _unexpected(text: Text, token: Token, passed: Sequence[Token], tokens: Sequence[Token]) -> None:
    expected = _expected(passed)
    help = _example(tokens)
    if token.text in KEYWORDS and "a name" in expected:
        help = f'it is a word of the notation: as a name it stands in quotes, "{token.text}"'
    text.problem(f"{shown(token.text)} stands where {expected} should", token.start, token.end, help)


def _example(tokens: Sequence[Token]) -> str:
    return EXAMPLES.get(tokens[0].text, EXAMPLES[""])


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic")


def _for_lark(token: Token) -> LarkToken:
    return LarkToken(token.kind, token.text, token.start, end_pos=token.end)


def _expected(tokens: Sequence[Token]) -> str:
    """What may follow some tokens. They are parsed anew: a parser that has failed has taken steps towards an end."""
    if not tokens:
        return "a statement"
    parser = _parser().parse_interactive("")
    for token in tokens:
        parser.feed_token(_for_lark(token))
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    if "NAME" in accepted:
        accepted = accepted - {"STRING"}
    fitting = accepted - _HARDLY or accepted
    words = [word for token, word in _WORDS.items() if token in fitting]
    return alternatives(words)
