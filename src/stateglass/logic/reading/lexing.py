"""The words of temporal formulas: operators, predicates in brackets, events."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.predicates import Named, Number
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.scanning import closing, event_at, unescaped
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.temporal import FALSE, TRUE, Happens, Holds, Turn, Turns
from stateglass.source import shown

STRAY: Final = "STRAY"
"""The type of what is no token: a problem was noted, and what the rest says is not worth asking."""
MOST_STEPS: Final = 1_000_000_000
_LINEAR: Final = {"X": "NEXT", "F": "EVENTUALLY", "G": "ALWAYS", "U": "UNTIL", "W": "WEAK", "R": "RELEASE"}
_BRANCHING: Final = {path + word: _LINEAR[word] for path in "AE" for word in "XFG"}
_BOUNDED: Final = frozenset(("EVENTUALLY", "ALWAYS", "UNTIL"))
_KEYWORD: Final = re.compile(r"(?:[AE][XFG]|[XFGUWRAE]|true|false)(?![\w*?$]|(?:\.|::)[\w*?$~^])")
_BOUND: Final = re.compile(r"\s*<=(?!>)\s*(\w*)")
_TURN: Final = re.compile(r"(rises|falls|changes)\s*\(\s*(?=\[)")
_CLOSE: Final = re.compile(r"\s*\)")
_CHANGING: Final = re.compile(r"\s*(?:`((?:\\.|[^`\\])+)`|([\w.:*?$\[\]@>-]+))\s*", re.DOTALL)
_OPERATORS: Final = {
    "!": "_NOT",
    "&": "_AND",
    "&&": "_AND",
    "|": "_OR",
    "||": "_OR",
    "=>": "_IMPLIES",
    "->": "_IMPLIES",
    "<=>": "_IFF",
    "<->": "_IFF",
    "(": "_OPEN",
    ")": "_CLOSE",
    "]": "_RIGHT",
    ":": "_COLON",
    "<>": "EVENTUALLY",
    "[]": "ALWAYS",
}
_WORD: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<OPERATOR><=>|<->|<>|\[\s*\]|=>|->|&&?|\|\|?|!(?!=)|[()\]]|:(?!:))|(?P<BRACKET>\[)
    |(?P<STRAY>.)""",
    re.VERBOSE | re.DOTALL,
)
_HELP: Final = {
    '"': 'the closing " is missing',
    "`": "the closing ` is missing",
    "~": "negation is written `!`",
    "=": "a condition on values stands in brackets, as in [x == 3]",
    "<": "a condition on values stands in brackets, as in [x < 3]",
    ">": "a condition on values stands in brackets, as in [x > 3]",
    "!": "a condition on values stands in brackets, as in [x != 3]",
}


def tokens_of(text: Text, start: int, end: int, *, branching: bool = False, last: str = "") -> list[Token]:
    """The tokens of a formula, up to the first of the type `last`; what is none is noted as a problem.

    In CTL the words `A`, `E`, `AG` … are operators.
    """
    found: list[Token] = []
    position = start
    while position < end:
        match = _KEYWORD.match(text.text, position, end)
        if match is not None and (branching or match[0] not in "AE"):
            token = _keyword(text, match[0], position, end, branching)
        else:
            token = (
                _turn(text, position, end, branching)
                or _event(text, position, end)
                or _other(text, position, end, found)
            )
        position = token.end
        if token.type:
            found.append(token)
        if last and token.type == last:
            break
    return found


def _keyword(text: Text, word: str, start: int, end: int, branching: bool) -> Token:
    after = start + len(word)
    if word in ("true", "false"):
        return Token("ATOM", word, start, after, TRUE if word == "true" else FALSE)
    if word in "AE":
        return Token("QUANTIFIER", word, start, after, word == "A")
    kind = _LINEAR.get(word) or _BRANCHING[word]
    bound, after = _bound(text, kind, after, end)
    if word in _LINEAR:
        return Token(kind, text.text[start:after], start, after, bound)
    if not branching:
        help = f'write `ctl:` in front of the claim, or "{word}" in quotes if it is an event'
        text.problem(f"`{word}` belongs to CTL, and this claim is read as LTL", start, start + len(word), help)
        return Token(STRAY, word, start, after)
    return Token("ALL" if word[0] == "A" else "SOME", text.text[start:after], start, after, (kind, bound))


def _bound(text: Text, kind: str, start: int, end: int) -> tuple[int | None, int]:
    """How many steps an operator looks ahead, if that is said, and the position behind."""
    match = _BOUND.match(text.text, start, end)
    if match is None:
        return None, start
    at = match.start(1)
    if kind not in _BOUNDED:
        text.problem("only F, G and U can be bounded", start, match.end())
    elif not re.fullmatch("[0-9]+", match[1]):
        text.problem("a bound is a number of steps, as in `F<=3 done`", at, max(match.end(), at + 1))
    elif len(match[1]) > len(str(MOST_STEPS)) or int(match[1]) > MOST_STEPS:
        text.problem("this number is too large", at, match.end())
    else:
        return int(match[1]), match.end()
    return None, match.end()


def _turn(text: Text, start: int, end: int, branching: bool) -> Token | None:
    """A change of values that begins here, such as `rises([x > 3])`; None if none does."""
    match = _TURN.match(text.text, start, end)
    if match is None:
        return None
    bracket = match.end()
    after = closing(text.text, bracket, end)
    closed = None if after is None else _CLOSE.match(text.text, after, end)
    if after is None or closed is None:
        text.problem(f"the end of `{match[1]}([…])` is missing", start, bracket + 1)
        return Token(STRAY, "", start, end)
    whole = text.span(start, closed.end())
    if not branching:
        help = f"write `ctl:` in front of the claim, or say what holds: `{match[1]}` is for CTL and scenarios"
        text.problem(f"`{match[1]}` belongs to CTL, and this claim is read as LTL", start, match.end(1), help)
        return Token(STRAY, match[0], start, closed.end())
    turn = Turn(match[1])
    if turn is Turn.CHANGES:
        name = _CHANGING.fullmatch(text.text, bracket + 1, after - 1)
        if name is None:
            text.problem("what changes is a name, as in changes([E1.floor])", bracket, after)
            return Token(STRAY, match[0], start, closed.end())
        named = Named(name[2] or unescaped(name[1], "`"), text.span(*name.span()))
        return Token("ATOM", text.text[start : closed.end()], start, closed.end(), Turns(turn, named, whole))
    predicate = read_predicate(text, bracket + 1, after - 1) or Number(1)
    return Token("ATOM", text.text[start : closed.end()], start, closed.end(), Turns(turn, predicate, whole))


def _event(text: Text, start: int, end: int) -> Token | None:
    """An event that begins here; None if none does."""
    event = event_at(text, start, end)
    if event is None:
        return None
    pattern, after = event
    value = Happens(pattern, text.span(start, after))
    return Token("ATOM" if pattern else STRAY, text.text[start:after], start, after, value)


def _other(text: Text, start: int, end: int, before: list[Token]) -> Token:
    match = _WORD.match(text.text, start, end)
    assert match is not None
    word, after = match[0], match.end()
    match str(match.lastgroup):
        case "BLANK":
            return Token("", word, start, after)
        case "OPERATOR":
            return Token(_OPERATORS["[]" if word[0] == "[" else word], word, start, after)
        case "BRACKET":
            return _bracket(text, start, end, before)
        case _:
            text.problem(f"{shown(word)} has no place in a formula", start, after, _HELP.get(word, ""))
            return Token(STRAY, word, start, after)


def _bracket(text: Text, start: int, end: int, before: list[Token]) -> Token:
    """A predicate; behind `A` or `E`, the bracket of a formula about runs."""
    if before and before[-1].type == "QUANTIFIER":
        return Token("_LEFT", "[", start, start + 1)
    after = closing(text.text, start, end)
    if after is None:
        text.problem("the closing ] is missing", start, start + 1)
        return Token(STRAY, "", start, end)
    # What is wrong with a predicate is noted; the formula around it is read all the same.
    predicate = read_predicate(text, start + 1, after - 1) or Number(1)
    return Token("ATOM", text.text[start:after], start, after, Holds(predicate, text.span(start, after)))
