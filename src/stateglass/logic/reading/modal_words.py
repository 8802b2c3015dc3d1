"""The words of modal formulas in mCRL2's syntax; between the brackets of a modality they are those of its steps."""

from __future__ import annotations

import re
from typing import Final

from stateglass.logic.modal import FALSE, TRUE, Ended, Holds
from stateglass.logic.predicates import Named, Number
from stateglass.logic.reading.expressions import read_predicate
from stateglass.logic.reading.lexing import STRAY
from stateglass.logic.reading.scanning import closing, event_text, unescaped
from stateglass.logic.reading.text import Text, Token
from stateglass.logic.steps import AnyStep, Do, Like
from stateglass.source import shown

_STATE: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<_IMPLIES>=>)|(?P<_AND>&&)|(?P<_OR>\|\|)|(?P<_NOT>!)|(?P<_OPEN>\()|(?P<_CLOSE>\))|(?P<_DOT>\.)
    |(?P<VAL>val\s*\()|(?P<NAME>[^\W\d][\w']*)|(?P<_BOX>\[)|(?P<_DIAMOND><)|(?P<STRAY>.)""",
    re.VERBOSE | re.DOTALL,
)
_STEP: Final = re.compile(
    r"""(?P<BLANK>\s+)|(?P<AND>&&)|(?P<OR>\|\|)|(?P<NOT>!)|(?P<_OPEN>\()|(?P<_CLOSE>\))|(?P<_DOT>\.)|(?P<STAR>\*)
    |(?P<MORE>\+(?=\s*(?:[.+*)\]>]|$)))|(?P<_PLUS>\+)|(?P<QUOTED>"(?:\\.|[^"\\])*")|(?P<NAME>[\^~]?[^\W\d][\w']*)
    |(?P<_BOX_END>\])|(?P<_DIAMOND_END>>)|(?P<STRAY>.)""",
    re.VERBOSE | re.DOTALL,
)
_FIXED_POINTS: Final = {"mu": "LEAST", "nu": "GREATEST"}
_REFUSED: Final = {
    "forall": "quantifiers over data are not supported: labels and values are texts here",
    "exists": "quantifiers over data are not supported: labels and values are texts here",
    "delay": "there is no time in a model, so that `delay` cannot be asked for",
    "yaled": "there is no time in a model, so that `yaled` cannot be asked for",
    "inf": "bounds over data are not supported: a formula is true or false",
    "sup": "bounds over data are not supported: a formula is true or false",
    "sum": "sums over data are not supported: a formula is true or false",
}
_ACTION_HELP: Final = "if this is an action, it stands in a modality, as in <a(3)>true"
_STATE_HELP: Final = {
    "&": "write `&&`",
    "|": "write `||`",
    "-": "write `=>`",
    "]": "a modality is written [true*.a]f or <a>f",
    ">": "a modality is written [true*.a]f or <a>f",
    '"': "an action stands in a modality, as in <a>true",
}
_STEP_HELP: Final = {
    "|": "several actions at once are not supported; one or another is `a || b`",
    "&": "write `&&`",
    "@": "there is no time in a model",
    '"': 'the closing " is missing',
    ",": "one way or another is `a + b`",
}


def modal_tokens(text: Text, start: int, end: int) -> list[Token]:
    """The tokens of a formula; what is none is noted as a problem."""
    found: list[Token] = []
    position, inside = start, False
    while position < end:
        match = (_STEP if inside else _STATE).match(text.text, position, end)
        assert match is not None
        token = (_step if inside else _state)(text, str(match.lastgroup), match[0], position, end)
        position = token.end
        if token.type != "BLANK":
            found.append(token)
        if token.type in ("_BOX", "_DIAMOND", "_BOX_END", "_DIAMOND_END"):
            inside = not token.type.endswith("END")
    return found


def _state(text: Text, kind: str, word: str, start: int, end: int) -> Token:
    after = start + len(word)
    match kind:
        case "VAL":
            return _value(text, start, after - 1, end)
        case "NAME" if word in _REFUSED:
            text.problem(_REFUSED[word], start, after)
            return Token(STRAY, word, start, after)
        case "NAME" if word in ("true", "false"):
            return Token("ATOM", word, start, after, TRUE if word == "true" else FALSE)
        case "NAME" if text.text[after : min(after + 1, end)] == "(" and word not in _FIXED_POINTS:
            text.problem("fixed points with parameters are not supported", start, after + 1, _ACTION_HELP)
            return Token(STRAY, word, start, after)
        case "NAME":
            return Token(_FIXED_POINTS.get(word, "NAME"), word, start, after, text.span(start, after))
        case "STRAY":
            text.problem(f"{shown(word)} has no place in a modal formula", start, after, _STATE_HELP.get(word, ""))
        case _:
            pass
    return Token(kind, word, start, after)


def _value(text: Text, start: int, bracket: int, end: int) -> Token:
    """`val(…)`: a predicate over the values of the state, or whether the program has ended."""
    after = closing(text.text, bracket, end)
    if after is None:
        text.problem("the closing ) is missing", bracket, bracket + 1)
        return Token(STRAY, "", start, end)
    predicate = read_predicate(text, bracket + 1, after - 1) or Number(1)
    ended = isinstance(predicate, Named) and predicate.name == "terminal"
    value = Ended() if ended else Holds(predicate, text.span(start, after))
    return Token("ATOM", text.text[start:after], start, after, value)


def _step(text: Text, kind: str, word: str, start: int, end: int) -> Token:
    after = start + len(word)
    match kind:
        case "QUOTED":
            return Token("ACTION", word, start, after, Do(unescaped(word[1:-1], '"'), text.span(start, after)))
        case "NAME" if word in _REFUSED:
            text.problem(_REFUSED[word], start, after)
            return Token(STRAY, word, start, after)
        case "NAME" if word in ("true", "false"):
            return Token("ACTION", word, start, after, AnyStep(word == "true"))
        case "NAME" if word == "nil":
            return Token("NIL", word, start, after)
        case "NAME":
            return _action(text, start, after, end)
        case "STRAY":
            text.problem(f"{shown(word)} has no place in a modality", start, after, _STEP_HELP.get(word, ""))
        case _:
            pass
    return Token(kind, word, start, after)


def _action(text: Text, start: int, after: int, end: int) -> Token:
    """A label, exactly as mCRL2 takes it; one with stars or question marks in its arguments is a pattern."""
    if text.text[after : after + 1] == "(" and after < end:
        closed = closing(text.text, after, end)
        if closed is None:
            text.problem("the closing ) of this action is missing", start, after + 1)
            return Token(STRAY, "", start, end)
        after = closed
    label, span = event_text(text.text[start:after]), text.span(start, after)
    value = Like(label, span) if "*" in label or "?" in label else Do(label, span)
    return Token("ACTION", text.text[start:after], start, after, value)
