"""Reads a file of expectations: one on each line, and all that is wrong with it at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from stateglass.evidence import Verdict
from stateglass.evolution.expectations.language import (
    ChangedClaim,
    ChangedSteps,
    Expectation,
    How,
    RenamedAction,
    RenamedVariable,
)
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.parsing import Grammar, Misplaced
from stateglass.logic.reading.text import MOST_PROBLEMS, Text, Token
from stateglass.relate import Pattern
from stateglass.source import Code, InputError, close_match, shown

MOST_BYTES: Final = 1 << 20
EXAMPLES: Final = {
    "rename": "write `rename OLD -> NEW` or `rename variable OLD -> NEW`",
    "added": "write `added ACTION` or `added ACTION when CONDITION`",
    "removed": "write `removed ACTION` or `removed ACTION when CONDITION`",
    "changed": "write `changed ACTION` or `changed ACTION when CONDITION`",
    "claim": "write `claim NAME may become violated`",
}
_RULES: Final = """
?start: renamed | steps | claim
renamed: _RENAME VARIABLE? NAME _ARROW NAME
steps: HOW NAME (_WHEN CONDITION)?
claim: _CLAIM NAME _MAY _BECOME NAME
"""
_WORDS: Final = {
    "_RENAME": "`rename`",
    "HOW": "`added`, `removed`, `changed`",
    "_CLAIM": "`claim`",
    "VARIABLE": "`variable`",
    "NAME": "a name",
    "_ARROW": "`->`",
    "_WHEN": "`when`",
    "CONDITION": "a condition",
    "_MAY": "`may`",
    "_BECOME": "`become`",
}
_FIRST: Final = {"rename": "_RENAME", "claim": "_CLAIM", "added": "HOW", "removed": "HOW", "changed": "HOW"}
# A name ends at a blank that stands in no parentheses; what has blanks elsewhere is put in back quotes.
_PART: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<COMMENT>\#.*)|(?P<ARROW>->)|(?P<QUOTED>`[^`]*`)|(?P<STRAY>`)
    |(?P<WORD>(?:(?!->)[^\s(`])+(?:\((?:[^()"]|"(?:\\.|[^"\\])*"|\((?:[^()"]|"(?:\\.|[^"\\])*")*\))*\))?|\()""",
    re.VERBOSE,
)


def read_expectations(text: str, file: str) -> tuple[Expectation, ...]:
    """The expectations of a text; `#` starts a comment."""
    whole = Text(text, file)
    found: list[Expectation] = []
    start = 0
    for line in text.split("\n"):
        if len(whole.problems) >= MOST_PROBLEMS:
            break
        read = _read_line(whole, start, start + len(line))
        if read is not None:
            found.append(read)
        start += len(line) + 1
    if whole.problems:
        raise InputError(
            replace(problem, code=Code.SYNTAX) for problem in sorted(whole.problems, key=lambda d: (d.span, d.message))
        )
    return tuple(found)


def _read_line(text: Text, start: int, end: int) -> Expectation | None:
    """What a line says; None if it says nothing, or after a problem was noted."""
    known = len(text.problems)
    tokens = _tokens(text, start, end)
    if not tokens or len(text.problems) > known:
        return None
    first = tokens[0]
    if first.type not in _FIRST.values():
        help = (
            close_match(first.text, _FIRST) or "a line begins with `rename`, `added`, `removed`, `changed` or `claim`"
        )
        text.problem_with(first, f"{shown(first.text)} is no beginning of an expectation", help)
        return None
    last = tokens[-1].end
    expectation: Expectation | None = _grammar().parse(text, tokens, last, "the line", EXAMPLES[first.text])
    return None if expectation is None else replace(expectation, span=text.span(first.start, last))


def _tokens(text: Text, start: int, end: int) -> list[Token]:
    """The words of a line; where they stand says which of them are words of the notation."""
    found: list[Token] = []
    position = start
    while position < end:
        match = _PART.match(text.text, position, end)
        if match is None or match.lastgroup == "STRAY":
            text.problem("the closing ` is missing" if match else "this is no name", position, position + 1)
            return found
        position = match.end()
        kind, word = str(match.lastgroup), match[0]
        if kind == "COMMENT":
            break
        if kind == "BLANK":
            continue
        if kind == "QUOTED":
            found.append(Token("NAME", word, match.start(), match.end(), word[1:-1]))
            continue
        type = "_ARROW" if kind == "ARROW" else _kind(word, found)
        found.append(Token(type, word, match.start(), match.end(), word))
        if type == "_WHEN":
            found += _condition(text, position, end)
            break
    return found


def _kind(word: str, before: Sequence[Token]) -> str:
    first = before[0].type if before else ""
    match word, first, len(before):
        case _, "", 0:
            return _FIRST.get(word, "NAME")
        case "variable", "_RENAME", 1:
            return "VARIABLE"
        case "when", "HOW", count if count > 1:
            return "_WHEN"
        case (("may" | "become"), "_CLAIM", count) if count > 1:
            return f"_{word.upper()}"
        case _:
            return "NAME"


def _condition(text: Text, start: int, end: int) -> list[Token]:
    """The rest of the line, read as claims have it."""
    words = text.text[start:end]
    comment = re.search(r"\s#", words)
    words = words[: comment.start()] if comment else words
    left = start + len(words) - len(words.lstrip())
    stripped = words.strip()
    if not stripped:
        return []
    predicate = read_predicate(text, left, left + len(stripped))
    return [Token("CONDITION", stripped, left, left + len(stripped), predicate)]


def _renamed(*tokens: Token) -> Expectation:
    old, new = (_name(token) for token in tokens[-2:])
    if old == new:
        raise Misplaced(tokens[-1], "both names are the same")
    if len(tokens) == 3:
        return RenamedVariable(old, new)
    if ("(" in old) != ("(" in new):
        raise Misplaced(tokens[-1], "one of them is a name and the other an action", "write both in the same way")
    return RenamedAction(old, new)


def _steps(how: Token, pattern: Token, condition: Token | None = None) -> Expectation:
    name = _name(pattern)
    try:
        Pattern.of(name)
    except InputError as error:
        raise Misplaced(pattern, error.diagnostics[0].message) from None
    if condition is None:
        return ChangedSteps(How(how.text), name)
    return ChangedSteps(How(how.text), name, condition.value, condition.text)


def _claim(name: Token, verdict: Token) -> Expectation:
    verdicts = {v.value: v for v in Verdict}
    if verdict.text not in verdicts:
        known = " or ".join(f"`{word}`" for word in verdicts)
        raise Misplaced(verdict, f"{shown(verdict.text)} is no verdict", close_match(verdict.text, verdicts) or known)
    return ChangedClaim(_name(name), verdicts[verdict.text])


def _name(token: Token) -> str:
    name = str(token.value).strip()
    if not name:
        raise Misplaced(token, "a name is empty")
    return name


@cache
def _grammar() -> Grammar:
    making: dict[str, Any] = {"renamed": _renamed, "steps": _steps, "claim": _claim}
    return Grammar(_RULES, making, _WORDS)
