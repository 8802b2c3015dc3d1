"""Reads recorded tests: `when [stable]: call(f, 3) return(f, 1) call(g)`."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.claims import Recorded
from stateglass.logic.reading.formulas import parse_ltl
from stateglass.logic.reading.lexing import STRAY, tokens_of
from stateglass.logic.reading.scanning import event_at
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.temporal import TRUE, Formula, Happens
from stateglass.source import Span, shown

_WHEN: Final = re.compile(r"when\b")
_BETWEEN: Final = re.compile(r"[\s,;]+")
_HELP: Final = "write it as in `test: when [stable]: call(f, 3) return(f, 1) call(g)`"
_STATIC: Final = frozenset(("ATOM", "_NOT", "_AND", "_OR", "_IMPLIES", "_IFF", "_OPEN", "_CLOSE"))


def read_recorded(text: Text, start: int, end: int) -> Recorded | None:
    """The test that some of the characters say; None after problems were noted."""
    condition: Formula | None = TRUE
    position = start
    if when := _WHEN.match(text.text, start, end):
        *tokens, colon = [Token("", "", start, end), *tokens_of(text, when.end(), end, last="_COLON")]
        if colon.type != "_COLON":
            text.problem("a colon is missing behind the condition", start, when.end(), _HELP)
            return None
        condition = _condition(text, tokens[1:], colon)
        position = colon.end
    events = _events(text, position, end)
    if condition is None or events is None:
        return None
    patterns, spans = zip(*events, strict=True)
    return Recorded(condition, patterns, spans)


def _condition(text: Text, tokens: list[Token], colon: Token) -> Formula | None:
    for token in tokens:
        if token.type not in _STATIC and token.type != STRAY:
            text.problem_with(token, "a condition is about one state: it has no temporal operator", _HELP)
            return None
        if isinstance(token.value, Happens):
            text.problem_with(token, "a condition is about one state: it has no event", _HELP)
            return None
    return parse_ltl(text, tokens, colon.start)


def _events(text: Text, start: int, end: int) -> list[tuple[str, Span]] | None:
    known = len(text.problems)
    found: list[tuple[str, Span]] = []
    position = start
    while (position := _skipped(text.text, position, end)) < end:
        event = event_at(text, position, end)
        if event is None:
            word = text.text[position:end].split(maxsplit=1)[0]
            text.problem(f"{shown(word)} stands where an event should", position, position + len(word), _HELP)
            break
        pattern, after = event
        found.append((pattern, text.span(position, after)))
        position = after
    if not found and len(text.problems) == known:
        text.problem("a test has no events", start, end, _HELP)
    return found if len(text.problems) == known else None


def _skipped(text: str, start: int, end: int) -> int:
    match = _BETWEEN.match(text, start, end)
    return start if match is None else match.end()
