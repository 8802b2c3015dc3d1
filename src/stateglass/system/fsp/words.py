"""The words and signs of the notation."""

from __future__ import annotations

from typing import Final

_WORD: Final = r"[^\W\d]\w*"
EVENT_NAME: Final = rf"(?:::)?{_WORD}(?:(?:\.|::){_WORD})*"
_PART: Final = rf"(?:operator(?:\(\)|\[\]|[^\w\s(),]+)|~?{_WORD}(?:<(?:[^<>\n]|<[^<>\n]*>)*>)?)(?:\[[0-9]+\])*"
MEMBER_NAME: Final = rf"(?:::)?{_PART}(?:(?:\.|::){_PART})*"
"""A function or a field: `open`, `locks[0].lock`, `::g`, `set<int>`."""

VERBS: Final = {"call": "CALL", "return": "RETURN", "throw": "THROW", "load": "LOAD", "store": "STORE"}
WORDS: Final = {
    **VERBS,
    "when": "WHEN",
    "STOP": "STOP",
    "ERROR": "ERROR",
    "true": "TRUE",
    "false": "FALSE",
    "bool": "BOOL",
}
RESERVED: Final = frozenset(WORDS)
SIGNS: Final = {
    "->": "ARROW",
    "..": "DOTS",
    "||": "OR_ELSE",
    "&&": "AND_ALSO",
    "==": "EQUAL",
    "!=": "UNEQUAL",
    "<=": "LESS_EQUAL",
    ">=": "GREATER_EQUAL",
    "$0": "RESULT",
    "|": "BAR",
    "<": "LESS",
    ">": "GREATER",
    "+": "ADD",
    "-": "SUBTRACT",
    "*": "MULTIPLY",
    "/": "DIVIDE",
    "%": "REMAINDER",
    "!": "NOT",
    "=": "ASSIGN",
    "(": "OPEN",
    ")": "CLOSE",
    "[": "OPEN_INDEX",
    "]": "CLOSE_INDEX",
    "{": "BEGIN",
    "}": "END",
    ",": "COMMA",
    ":": "COLON",
    ".": "DOT",
}
