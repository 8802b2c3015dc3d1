"""The words of scenarios: relations, events, conditions in parentheses or brackets."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, final

from stateglass.evidence import Verdict
from stateglass.logic.predicates import Named, Number
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.scanning import closing, event_at, unescaped
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.temporal import Turn
from stateglass.scenarios.language import (
    HOLE,
    Act,
    Ancestry,
    Change,
    Condition,
    EventName,
    Hole,
    Relation,
    Start,
)
from stateglass.source import close_match, shown

STRAY: Final = "STRAY"
"""The type of what is no token: a problem was noted, and what the rest says is not worth asking."""
MOST_NESTED: Final = 200
WORDS: Final = ("while", "when", "unless", "between", "after", "before", "and", "from", "by", "expected", "init")
"""What has a meaning of its own; an action that is called like this stands in quotes."""
BEGINNINGS: Final = ("event", "condition", "scenario", "fair", "strongly", "weakly")
TURNS: Final = tuple(turn.value for turn in Turn)
RESERVED: Final = frozenset((*WORDS, *BEGINNINGS, *TURNS, "true", "false"))

_BOUNDARY: Final = r"(?![\w*?$]|(?:\.|::)[\w*?$~])"
_BLANK: Final = re.compile(r"\s+")
_RELATION: Final = re.compile(r"<<-|<->|<-|~>|->")
_SIGN: Final = re.compile(r"&&?|\|\|?|[()]|:(?!:)")
_SIGNS: Final = {
    "&": "_BOTH",
    "&&": "_BOTH",
    "|": "_EITHER",
    "||": "_EITHER",
    "(": "_OPEN",
    ")": "_CLOSE",
    ":": "_COLON",
}
_STRAY: Final = re.compile(r"<?[-=]+>?|.", re.DOTALL)
_HOLE: Final = re.compile(r"\?(?![\w*?$.(\[])")
_TURN: Final = re.compile(rf"({'|'.join(TURNS)})\s*(?=\()")
_WORD: Final = re.compile(rf"({'|'.join(WORDS)}){_BOUNDARY}")
_CHANGING: Final = re.compile(r"\s*(?:`((?:\\.|[^`\\])+)`|([\w.:*?$\[\]@>-]+))\s*", re.DOTALL)
_BRACKETED: Final = re.compile(r"\s*\[(.*)\]\s*", re.DOTALL)
_FROM: Final = re.compile(r'\s*(?:"((?:\\.|[^"\\])*)"|([^\s"#]+))\s+by\s+')
_VERDICT: Final = re.compile(r"\s*([\w-]*)")
_EXPECTED: Final = re.compile(rf"\s+expected{_BOUNDARY}")
_RELATIONS: Final = {relation.value: relation for relation in Relation}
_VERDICTS: Final = {v.value: v for v in (Verdict.HOLDS, Verdict.VIOLATED, Verdict.VACUOUS)}
_STRAY_HELP: Final = {
    "=": "there are the relations `~>`, `->`, `<-`, `<<-` and `<->`; a condition on values stands in parentheses behind"
    " `while` or `when`, or in brackets",
    "<": "there are the relations `~>`, `->`, `<-`, `<<-` and `<->`",
    ">": "there are the relations `~>`, `->`, `<-`, `<<-` and `<->`",
    "-": "there are the relations `~>`, `->`, `<-`, `<<-` and `<->`",
    "!": "an event cannot be negated; a condition stands in parentheses: `when (!c)`",
    '"': 'the closing " is missing',
    "`": "the closing ` is missing",
}


@final
@dataclass(frozen=True, slots=True)
class Known:
    """The names that a text defines."""

    events: Collection[str] = ()
    conditions: Collection[str] = ()


def tokens_of(text: Text, start: int, end: int, known: Known) -> list[Token]:
    """The tokens of a scenario or an event; what is none is noted as a problem."""
    found: list[Token] = []
    position, depth = start, 0
    while position < end:
        if blank := _BLANK.match(text.text, position, end):
            position = blank.end()
            continue
        token = _token(text, position, end, known)
        position = token.end
        depth += {"_OPEN": 1, "_CLOSE": -1}.get(token.type, 0)
        if depth > MOST_NESTED:
            text.problem_with(token, f"parentheses are nested more than {MOST_NESTED} deep")
            return [Token(STRAY, token.text, token.start, end)]
        found.append(token)
    return found


def _token(text: Text, start: int, end: int, known: Known) -> Token:
    source = text.text
    if relation := _RELATION.match(source, start, end):
        return Token("RELATION", relation[0], start, relation.end(), _RELATIONS[relation[0]])
    if sign := _SIGN.match(source, start, end):
        return Token(_SIGNS[sign[0]], sign[0], start, sign.end())
    if source[start] == "[":
        return _bracket(text, start, end)
    if _HOLE.match(source, start, end):
        return Token("EVENT", "?", start, start + 1, Hole(text.span(start, start + 1)))
    if turn := _TURN.match(source, start, end):
        return _turn(text, Turn(turn[1]), start, turn.end(), end)
    word = _WORD.match(source, start, end)
    if word is not None and not (word[0] == "init" and source[word.end() : word.end() + 1] == "("):
        return _word(text, word[1], start, end)
    return _event(text, start, end, known) or _stray(text, start, end)


def _word(text: Text, word: str, start: int, end: int) -> Token:
    after = start + len(word)
    match word:
        case "init":
            return Token("EVENT", word, start, after, Start(text.span(start, after)))
        case "while" | "when":
            return _restricted(text, word, start, end)
        case "from":
            return _ancestry(text, start, after, end)
        case "expected":
            return _expected(text, start, after, end)
        case _:
            return Token("_AND" if word == "and" else word.upper(), word, start, after)


def _restricted(text: Text, word: str, start: int, end: int) -> Token:
    """`while (c)` or `when (c)`."""
    bracket = start + len(word)
    while bracket < end and text.text[bracket].isspace():
        bracket += 1
    if text.text[bracket : min(bracket + 1, end)] != "(":
        text.problem(f"the condition behind `{word}` stands in parentheses", start, bracket, f"write `{word} (x > 0)`")
        return Token(STRAY, word, start, start + len(word))
    after = closing(text.text, bracket, end)
    if after is None:
        text.problem("the closing ) is missing", bracket, bracket + 1)
        return Token(STRAY, "", start, end)
    condition = condition_at(text, bracket + 1, after - 1)
    return Token(word.upper(), text.text[start:after], start, after, condition)


def condition_at(text: Text, start: int, end: int) -> Condition:
    """The condition that some characters say; after a problem was noted, any."""
    if text.text[start:end].strip() == HOLE:
        at = text.text.index(HOLE, start)
        return Condition(Named(HOLE, text.span(at, at + 1)), text.span(at, at + 1))
    predicate = read_predicate(text, start, end) or Number(1)
    return Condition(predicate, text.span(start, max(end, start)))


def _bracket(text: Text, start: int, end: int) -> Token:
    after = closing(text.text, start, end)
    if after is None:
        text.problem("the closing ] is missing", start, start + 1)
        return Token(STRAY, "", start, end)
    return Token("STATE", text.text[start:after], start, after, condition_at(text, start + 1, after - 1))


def _turn(text: Text, turn: Turn, start: int, bracket: int, end: int) -> Token:
    """`rises(c)`, `falls(c)`, `changes(x)`; as in claims, what is in it may stand in brackets."""
    after = closing(text.text, bracket, end)
    if after is None:
        text.problem("the closing ) is missing", bracket, bracket + 1)
        return Token(STRAY, "", start, end)
    first, last = bracket + 1, after - 1
    if bracketed := _BRACKETED.fullmatch(text.text, first, last):
        first, last = bracketed.span(1)
    whole = text.span(start, after)
    if turn is not Turn.CHANGES:
        return Token(
            "EVENT", text.text[start:after], start, after, Change(turn, condition_at(text, first, last), whole)
        )
    name = _CHANGING.fullmatch(text.text, first, last)
    if name is None:
        help = "name a proposition, or several by a pattern: changes(E1.*)"
        text.problem("what changes is a name, as in changes(E1.floor)", start, after, help)
        return Token(STRAY, "", start, after)
    span = text.span(first, last)
    named = Named(name[2] or unescaped(name[1], "`"), span)
    return Token("EVENT", text.text[start:after], start, after, Change(turn, Condition(named, span), whole))


def _ancestry(text: Text, start: int, position: int, end: int) -> Token:
    """`from NAME by PATTERN`, up to what is expected."""
    match = _FROM.match(text.text, position, end)
    if match is None:
        text.problem("write `from NAME by PATTERN`", start, position, "as in `from landing by cause weakening`")
        return Token(STRAY, "", start, end)
    expected = _EXPECTED.search(text.text, match.end(), end)
    last = end if expected is None else expected.start()
    pattern = " ".join(text.text[match.end() : last].split())
    if not pattern:
        text.problem("the pattern behind `by` is missing", start, match.end(), "such as `by cause weakening`")
    parent = match[2] or unescaped(match[1] or "", '"')
    return Token("FROM", text.text[start:last], start, last, Ancestry(parent, pattern))


def _expected(text: Text, start: int, position: int, end: int) -> Token:
    match = _VERDICT.match(text.text, position, end)
    word = "" if match is None else match[1]
    after = position if match is None else match.end()
    if word not in _VERDICTS:
        help = close_match(word, _VERDICTS) or "write `expected violated`, `expected holds` or `expected vacuous`"
        what = f"{shown(word)} is no verdict" if word else "what is expected is missing"
        text.problem(what, start, after, help)
        return Token(STRAY, "", start, after)
    return Token("EXPECTED", text.text[start:after], start, after, _VERDICTS[word])


def _event(text: Text, start: int, end: int, known: Known) -> Token | None:
    """An event by its name or its label; or the name of a condition."""
    event = event_at(text, start, end)
    if event is None:
        return None
    pattern, after = event
    word, span = text.text[start:after], text.span(start, after)
    if not pattern:
        return Token(STRAY, word, start, after)
    if word in known.events:
        return Token("EVENT", word, start, after, EventName(word, span))
    if word in known.conditions:
        return Token("STATE", word, start, after, Condition(Named(word, span), span))
    if word in RESERVED:
        text.problem(f"`{word}` has a meaning of its own", start, after, f'write "{word}" in quotes if it is an action')
        return Token(STRAY, word, start, after)
    return Token("EVENT", word, start, after, Act(pattern, span))


def _stray(text: Text, start: int, end: int) -> Token:
    found = _STRAY.match(text.text, start, end)
    assert found is not None
    word, after = found[0], found.end()
    text.problem(f"{shown(word)} has no place in a scenario", start, after, _STRAY_HELP.get(word[:1], ""))
    return Token(STRAY, word, start, after)
