"""Reads edits: one on each line, which goes on where the next line is indented.

variable service: false, true                     # any of these values, the first one at the start
variable lamp = RED when [level > 3], GREEN       # a value that follows from others
delete extra
start [floor == 1 && !service]
remove call(go) when [service] to [floor == 3]
add call(repair) when [!service] set service = true
add call(crash) when [level > 3] to [mode == BROKEN]
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, Final

from stateglass.evolution.edits.language import (
    AddVariable,
    Assign,
    DefineVariable,
    DeleteVariable,
    Edit,
    LeadTo,
    RemoveSteps,
    StartAt,
)
from stateglass.logic.expressions import NAME
from stateglass.logic.predicates import Number, Predicate
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.parsing import Grammar, Misplaced
from stateglass.logic.reading.scanning import closing, event_at, unescaped
from stateglass.logic.reading.text import Text, Token
from stateglass.source import Code, input_error, shown

MOST_CHARACTERS: Final = 1 << 20
_VERBS: Final = ("variable", "delete", "start", "remove", "add")
_KEYWORDS: Final = {word: word.upper() for word in _VERBS} | {"when": "_WHEN", "to": "_TO", "set": "_SET"}
_BEFORE_CONDITION: Final = ("_WHEN", "_TO", "START")
_HELP: Final = "an edit begins with `variable`, `delete`, `start`, `remove` or `add`"
_TOKEN: Final = re.compile(
    rf"""(?P<BLANK>[^\S\n]+|\#[^\n]*)
    |(?P<NEWLINE>\n)
    |(?P<NUMBER>-?\d+(?:\.\d+)?(?![\w.]))
    |(?P<NAME>{NAME})
    |(?P<STRING>"(?:\\.|[^"\\\n])*")
    |(?P<QUOTED>`(?:\\.|[^`\\\n])+`)
    |(?P<_COLON>:)|(?P<_EQUALS>=)|(?P<_COMMA>,)
    |(?P<STRAY>\d[\w.]*|.)""",
    re.VERBOSE,
)
_STRAY_HELP: Final = {
    "[": "a condition in brackets follows `when`, `to` or `start`",
    "(": "an action follows `remove` or `add`",
    '"': 'the closing " is missing',
    "`": "the closing ` is missing",
}

_RULES: Final = """
?start: VARIABLE NAME _COLON value (_COMMA value)* -> added
    | VARIABLE NAME _EQUALS case (_COMMA case)* -> defined
    | DELETE NAME -> deleted
    | START CONDITION -> begins
    | REMOVE EVENT [_WHEN CONDITION] [_TO CONDITION] -> removed
    | ADD EVENT [_WHEN CONDITION] _TO CONDITION -> led
    | ADD EVENT [_WHEN CONDITION] _SET assignment (_COMMA assignment)* -> assigned
case: value [_WHEN CONDITION]
assignment: NAME _EQUALS value
value: NAME | NUMBER | STRING
"""
_WORDS: Final = {
    **{word.upper(): f"`{word}`" for word in _VERBS},
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "EVENT": "an action",
    "CONDITION": "a condition in brackets",
    "_WHEN": "`when`",
    "_TO": "`to`",
    "_SET": "`set`",
    "_COLON": "`:`",
    "_EQUALS": "`=`",
    "_COMMA": "`,`",
}


def read_edits(text: str, file: str) -> tuple[Edit, ...]:
    """The edits that a text says, in their order; all that is wrong is told at once."""
    if len(text) > MOST_CHARACTERS:
        raise input_error(Code.TOO_LARGE, f"a list of edits has at most {MOST_CHARACTERS} characters")
    reading = Text(text, file)
    found = [_statement(reading, tokens) for tokens in _statements(reading)]
    if reading.problems:
        reading.problems = [replace(problem, code=Code.EDIT) for problem in reading.problems]
        reading.check()
    return tuple(edit for edit in found if edit is not None)


def _statements(text: Text) -> list[list[Token]]:
    """The tokens of each edit. A line that begins with a blank goes on with the edit before it."""
    found: list[list[Token]] = []
    position, fresh = 0, True
    while position < len(text.text):
        match = _TOKEN.match(text.text, position)
        assert match is not None
        kind = str(match.lastgroup)
        if kind == "NEWLINE":
            fresh, position = True, match.end()
            continue
        if kind == "BLANK":
            # A comment at the beginning of a line is no part of any edit.
            fresh = fresh and (match[0][0] == "#" or not found)
            position = match.end()
            continue
        if fresh or not found:
            found.append([])
        fresh = False
        token = _token(text, kind, match, found[-1])
        position = token.end
        found[-1].append(token)
    return found


def _token(text: Text, kind: str, match: re.Match[str], before: list[Token]) -> Token:
    word, start, end = match[0], match.start(), match.end()
    if before and before[-1].type in ("REMOVE", "ADD") and (event := event_at(text, start, len(text.text))):
        return Token("EVENT", text.text[start : event[1]], start, event[1], event[0])
    if word == "[" and before and before[-1].type in _BEFORE_CONDITION:
        return _condition(text, start)
    match kind:
        case "NAME" if word in _KEYWORDS:
            return Token(_KEYWORDS[word], word, start, end)
        case "NAME" | "NUMBER":
            return Token(kind, word, start, end, word)
        case "STRING":
            return Token(kind, word, start, end, unescaped(word[1:-1], '"'))
        case "QUOTED":
            return Token("NAME", word, start, end, unescaped(word[1:-1], "`"))
        case "STRAY":
            text.problem(f"{shown(word)} has no place here", start, end, _STRAY_HELP.get(word, _HELP))
        case _:
            pass
    return Token(kind, word, start, end)


def _condition(text: Text, start: int) -> Token:
    after = closing(text.text, start, len(text.text))
    if after is None:
        text.problem("the closing ] is missing", start, start + 1)
        return Token("CONDITION", text.text[start:], start, len(text.text), Number(1))
    predicate = read_predicate(text, start + 1, after - 1) or Number(1)
    return Token("CONDITION", text.text[start:after], start, after, predicate)


def _statement(text: Text, tokens: list[Token]) -> Edit | None:
    # Of these a problem was noted; what the rest says is not worth asking.
    if any(token.type == "STRAY" or (token.type == "EVENT" and not token.value) for token in tokens):
        return None
    end = tokens[-1].end
    made: Any = _grammar().parse(text, tokens, end, "the edit", _HELP)
    return None if made is None else replace(made, span=text.span(tokens[0].start, end))


_NOWHERE: Final[Any] = None
"""In place of the span, which is known when the whole edit is read."""


def _added(_: Token, name: Token, *values: str) -> AddVariable:
    if len(set(values)) < len(values):
        raise Misplaced(name, f"{shown(name.value)} has a value twice")
    return AddVariable(name.value, values, _NOWHERE)


def _defined(_: Token, name: Token, *cases: tuple[str, Predicate | None]) -> DefineVariable:
    if any(condition is None for _, condition in cases[:-1]):
        raise Misplaced(name, "only the last value goes without a condition", "write VALUE when [CONDITION], VALUE")
    return DefineVariable(name.value, cases, _NOWHERE)


def _removed(_: Token, event: Token, source: Token | None, target: Token | None) -> RemoveSteps:
    return RemoveSteps(event.value, _value(source), _value(target), _NOWHERE)


def _led(_: Token, event: Token, source: Token | None, target: Token) -> LeadTo:
    return LeadTo(event.value, _value(source), target.value, _NOWHERE)


def _assigned(_: Token, event: Token, source: Token | None, *values: tuple[Token, str]) -> Assign:
    names = [pair[0].value for pair in values]
    for number, name in enumerate(pair[0] for pair in values):
        if name.value in names[:number]:
            raise Misplaced(name, f"{shown(name.value)} is set twice")
    return Assign(event.value, _value(source), tuple((name.value, value) for name, value in values), _NOWHERE)


def _value(token: Token | None) -> Any:
    return None if token is None else token.value


@cache
def _grammar() -> Grammar:
    making: dict[str, Any] = {
        "added": _added,
        "defined": _defined,
        "deleted": lambda _, name: DeleteVariable(name.value, _NOWHERE),
        "begins": lambda _, condition: StartAt(condition.value, _NOWHERE),
        "removed": _removed,
        "led": _led,
        "assigned": _assigned,
        "case": lambda value, condition: (value, _value(condition)),
        "assignment": lambda name, value: (name, value),
        "value": lambda token: token.value,
    }
    return Grammar(_RULES, making, _WORDS)
